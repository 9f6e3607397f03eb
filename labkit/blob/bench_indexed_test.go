package blob_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"shelflab/labkit/blob"
)

// randomKeys are 200 keys of makeRecords(n), the same ones every time.
func randomKeys(n int) []string {
	r := newRand()
	keys := make([]string, 200)
	for i := range keys {
		keys[i] = fmt.Sprintf("id_%08d", r.IntN(n))
	}
	return keys
}

func getEach(b *blob.Indexed[record], keys []string) error {
	for _, key := range keys {
		if _, err := b.Get(key); err != nil {
			return err
		}
	}
	return nil
}

func BenchmarkPack(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			m, dir := makeRecords(n), b.TempDir()
			path, plain := filepath.Join(dir, "m.blob"), filepath.Join(dir, "m.gob")
			sorted := inOrder(m)
			interleave(b, n,
				arm{"Pack", func() error { return blob.Pack(path, sorted, blob.Options{}) }},
				arm{"one-worker", func() error { return blob.Pack(path, sorted, blob.Options{Workers: 1}) }},
				arm{"from-map", func() error { return blob.Pack(path, blob.Sorted(m), blob.Options{}) }},
				arm{"plain-gob", func() error { return plainSave(plain, m) }},
			)
		})
	}
}

func BenchmarkAll(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			m, dir := makeRecords(n), b.TempDir()
			path, plain := filepath.Join(dir, "m.blob"), filepath.Join(dir, "m.gob")
			if err := errors.Join(plainSave(plain, m), blob.Pack(path, blob.Sorted(m), blob.Options{})); err != nil {
				b.Fatal(err)
			}
			m = nil
			all := func(opts blob.Options) error {
				x, err := blob.OpenWith[record](path, opts)
				if err != nil {
					return err
				}
				defer x.Close()
				for _, err := range x.All() {
					if err != nil {
						return err
					}
				}
				return nil
			}
			interleave(b, n,
				arm{"All", func() error { return all(blob.Options{}) }},
				arm{"one-worker", func() error { return all(blob.Options{Workers: 1}) }},
				arm{"plain-gob", func() error { _, err := plainLoad(plain); return err }},
			)
		})
	}
}

// BenchmarkGets reads 200 random keys: open and close included ("fresh"), or not.
func BenchmarkGets(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			m, dir, keys := makeRecords(n), b.TempDir(), randomKeys(n)
			path, plain := filepath.Join(dir, "m.blob"), filepath.Join(dir, "m.gob")
			if err := errors.Join(plainSave(plain, m), blob.Pack(path, blob.Sorted(m), blob.Options{})); err != nil {
				b.Fatal(err)
			}
			m = nil
			x, err := blob.Open[record](path)
			if err != nil {
				b.Fatal(err)
			}
			defer x.Close()
			interleave(b, len(keys),
				arm{"fresh", func() error {
					x, err := blob.Open[record](path)
					if err != nil {
						return err
					}
					defer x.Close()
					return getEach(x, keys)
				}},
				arm{"open", func() error { return getEach(x, keys) }},
				arm{"GetMany", func() error {
					for _, err := range x.GetMany(keys) {
						if err != nil {
							return err
						}
					}
					return nil
				}},
				arm{"open-close", func() error {
					x, err := blob.Open[record](path)
					if err != nil {
						return err
					}
					return x.Close()
				}},
				arm{"plain-gob-load", func() error { _, err := plainLoad(plain); return err }},
			)
		})
	}
}
