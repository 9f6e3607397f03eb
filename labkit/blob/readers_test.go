package blob_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"shelflab/labkit/blob"
	"testing"
)

// reader is one way of reading a whole file: it returns what it read.
type reader struct {
	name string
	good []byte // the file as it should be
	want any
	read func(path string) (any, error)
}

func readers(t *testing.T) []reader {
	t.Helper()
	dir := t.TempDir()
	file := func(write func(path string) error) []byte {
		path := filepath.Join(dir, "x")
		check(t, write(path))
		return must[[]byte](t)(os.ReadFile(path))
	}
	m := map[string]record{"": {}, "a": {ID: 1, Name: "n", Tags: []string{"x"}}, "b": {Note: "note"}}
	list := []record{{ID: 1}, {Name: "n"}}
	anys := map[string]any{"a": 1, "b": "x"}
	indexed := func(path string) (any, error) { return readIndexed[record](path) }
	return []reader{
		{"map", file(func(p string) error { return blob.Save(p, m, blob.Options{}) }), m,
			func(p string) (any, error) { return blob.Load[map[string]record](p) }},
		{"list", file(func(p string) error { return blob.Save(p, list, blob.Options{}) }), list,
			func(p string) (any, error) { return blob.Load[[]record](p) }},
		{"value", file(func(p string) error { return blob.Save(p, list[0], blob.Options{}) }), list[0],
			func(p string) (any, error) { return blob.Load[record](p) }},
		{"interfaces", file(func(p string) error { return blob.Save(p, anys, blob.Options{}) }), anys,
			func(p string) (any, error) { return blob.Load[map[string]any](p) }},
		{"indexed", file(func(p string) error { return blob.Pack(p, blob.Sorted(m), blob.Options{}) }), m, indexed},
	}
}

// readIndexed reads an indexed blob in every way there is, and checks that they
// agree or fail.
func readIndexed[V any](path string) (map[string]V, error) {
	b, err := blob.Open[V](path)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	m := map[string]V{}
	var failed error
	for e, err := range b.All() {
		if err != nil {
			failed = err
			break
		}
		m[e.Key] = e.Value
		v, err := b.Get(e.Key)
		if err != nil || !reflect.DeepEqual(v, e.Value) {
			return nil, fmt.Errorf("All and Get differ at %q: %v", e.Key, err)
		}
	}
	if err := b.Verify(); (err == nil) != (failed == nil) {
		return nil, fmt.Errorf("Verify: %v, All: %v", err, failed)
	}
	n := 0
	for _, err := range b.Keys() {
		if err != nil {
			return nil, err
		}
		n++
	}
	if failed == nil && n != len(m) {
		return nil, fmt.Errorf("%d keys, %d records", n, len(m))
	}
	return m, failed
}
