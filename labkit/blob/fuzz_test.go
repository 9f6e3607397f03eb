package blob_test

import (
	"os"
	"path/filepath"
	"testing"

	"shelflab/labkit/blob"
)

// Give -fuzzminimizetime=10x: several goroutines cover other lines each time, which
// the fuzzer takes for news and spends a minute on.

// FuzzLoad reads any bytes as every kind of snapshot. Checksums are made right
// first, so that what is behind them is reached.
func FuzzLoad(f *testing.F) {
	seed(f)
	path := filepath.Join(f.TempDir(), "x.blob")
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, content := range [][]byte{file, sealed(file)} {
			check(t, os.WriteFile(path, content, 0o666))
			_, _ = blob.Load[map[string]record](path)
			_, _ = blob.Load[[]record](path)
			_, _ = blob.Load[record](path)
			_, _ = blob.Load[map[string]any](path)
		}
	})
}

// FuzzOpen reads any bytes as an indexed blob, in all ways.
func FuzzOpen(f *testing.F) {
	seed(f)
	path := filepath.Join(f.TempDir(), "x.blob")
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, content := range [][]byte{file, sealed(file)} {
			check(t, os.WriteFile(path, content, 0o666))
			_, _ = readIndexed[record](path)
		}
	})
}

// FuzzKeys saves and packs records at any two keys.
func FuzzKeys(f *testing.F) {
	f.Add("", "\x00", "text")
	f.Add("a", "a", "\xff")
	path := filepath.Join(f.TempDir(), "x.blob")
	f.Fuzz(func(t *testing.T, a, b, text string) {
		m := map[string]record{a: {Name: text}, b: {Note: text + a, Tags: []string{b}}}
		check(t, blob.Save(path, m, blob.Options{}))
		wantEqual(t, must[map[string]record](t)(blob.Load[map[string]record](path)), m)
		if len(a) > blob.MaxKey || len(b) > blob.MaxKey {
			return
		}
		check(t, blob.Pack(path, blob.Sorted(m), blob.Options{}))
		wantEqual(t, must[map[string]record](t)(readIndexed[record](path)), m)
	})
}

func seed(f *testing.F) {
	dir := f.TempDir()
	path := filepath.Join(dir, "x")
	m := map[string]record{"": {}, "a": {ID: 1, Name: "n", Tags: []string{"x"}}, "b": {Note: "note"}}
	for _, write := range []func() error{
		func() error { return blob.Save(path, m, blob.Options{}) },
		func() error { return blob.Save(path, []record{{ID: 1}}, blob.Options{}) },
		func() error { return blob.Save(path, record{ID: 1}, blob.Options{}) },
		func() error { return blob.Save(path, map[string]any{"a": 1}, blob.Options{}) },
		func() error { return blob.Pack(path, blob.Sorted(m), blob.Options{}) },
	} {
		check(f, write())
		f.Add(must[[]byte](f)(os.ReadFile(path)))
	}
}
