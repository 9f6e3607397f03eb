package blob_test

import (
	"maps"
	"os"
	"path/filepath"
	"shelflab/labkit/blob"
	"slices"
	"sync"
	"testing"
)

func TestIndexedClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	for _, m := range []map[string]record{{}, makeRecords(5000)} {
		b := pack(t, path, m, blob.Options{})
		for range b.All() {
			check(t, b.Close()) // in the middle of the loop
			break
		}
		check(t, b.Close())
		check(t, b.Close())
		_, err := b.Get("id_00000001")
		wantError(t, err, blob.ErrClosed, path)
		_, err = b.Has("id_00000001")
		wantError(t, err, blob.ErrClosed, path)
		for _, err := range b.GetMany([]string{"a", "id_00000001"}) {
			wantError(t, err, blob.ErrClosed, path)
		}
		wantError(t, b.Verify(), blob.ErrClosed, path)
		n := 0
		for _, err := range b.All() {
			wantError(t, err, blob.ErrClosed, path)
			n++
		}
		for _, err := range b.Keys() {
			wantError(t, err, blob.ErrClosed, path)
			n++
		}
		wantEqual(t, n, 2)
		wantEqual(t, b.Len(), len(m))
	}
}

func TestIndexedStaysReadableWhenReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	old, next := makeRecords(3000), map[string]record{"new": {ID: 7}}
	b := pack(t, path, old, blob.Options{})
	n := 0
	for e, err := range b.All() {
		check(t, err)
		if n++; n == 10 {
			wantEqual(t, collect(t, pack(t, path, next, blob.Options{}).All()), next)
		}
		wantEqual(t, e.Value, old[e.Key])
	}
	wantEqual(t, n, len(old))
	check(t, os.Remove(path))
	wantEqual(t, must[record](t)(b.Get("id_00000042")), old["id_00000042"])
}

// TestIndexedConcurrent is for the race detector.
func TestIndexedConcurrent(t *testing.T) {
	m := makeRecords(2000)
	b := pack(t, filepath.Join(t.TempDir(), "x.blob"), m, blob.Options{})
	keys := slices.Sorted(maps.Keys(m))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				key := keys[(i*37+g*11)%len(keys)]
				if v, err := b.Get(key); err != nil || v.ID != m[key].ID {
					t.Errorf("Get(%q) = %+v, %v", key, v, err)
				}
			}
			n := 0
			for e, err := range b.All() {
				if err != nil || e.Value.Note != m[e.Key].Note {
					t.Errorf("All gives %+v, %v", e, err)
				}
				if n++; n == 500*g {
					break
				}
			}
			for e, err := range b.GetMany(keys[:300]) {
				if err != nil || e.Value.ID != m[e.Key].ID {
					t.Errorf("GetMany gives %+v, %v", e, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestIndexedLoopPanics leaves a loop by a panic; the next use finds all in order.
func TestIndexedLoopPanics(t *testing.T) {
	m := makeRecords(5000)
	b := pack(t, filepath.Join(t.TempDir(), "x.blob"), m, blob.Options{})
	func() {
		defer func() { wantEqual(t, recover(), any("loop panics")) }()
		for range b.All() {
			panic("loop panics")
		}
	}()
	wantEqual(t, collect(t, b.All()), m)
}

// TestFromBlobToBlob gives one blob's iteration to Pack.
func TestFromBlobToBlob(t *testing.T) {
	dir := t.TempDir()
	m := makeRecords(3000)
	a := pack(t, filepath.Join(dir, "a"), m, blob.Options{})
	check(t, blob.Pack(filepath.Join(dir, "b"), a.All(), blob.Options{}))
	wantEqual(t, must[[]byte](t)(os.ReadFile(filepath.Join(dir, "b"))), must[[]byte](t)(os.ReadFile(filepath.Join(dir, "a"))))
	check(t, a.Close())
	wantError(t, blob.Pack(filepath.Join(dir, "b"), a.All(), blob.Options{}), blob.ErrClosed, filepath.Join(dir, "b"))
}
