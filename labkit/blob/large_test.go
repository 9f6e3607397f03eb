package blob_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"shelflab/labkit/blob"
	"shelflab/labkit/leftout"
)

// TestLarge writes and reads files of more than a gigabyte, where SHELFLAB_LARGE is
// set: it takes up to 9 GB of memory, for the single value, and 3 GB of disk.
func TestLarge(t *testing.T) {
	if os.Getenv("SHELFLAB_LARGE") == "" {
		leftout.Test(t, "files of more than a gigabyte: set SHELFLAB_LARGE=1")
	}
	const gigabyte = 1 << 30
	path := filepath.Join(t.TempDir(), "x.blob")
	wantLarge := func(t *testing.T) {
		t.Helper()
		if n := size(t, path); n <= gigabyte {
			t.Fatalf("%d bytes are not large", n)
		}
	}
	t.Run("indexed", func(t *testing.T) {
		const n, length = 1100, 1 << 20 // bytes beyond 1<<30, some records after it
		key := func(i int) string { return fmt.Sprintf("%08d", i) }
		value := func(i int) []byte { return bytes.Repeat([]byte{byte(i), byte(i >> 8), 7, 9}, length/4) }
		check(t, blob.Pack(path, func(yield func(blob.Entry[[]byte], error) bool) {
			for i := range n {
				if !yield(blob.Entry[[]byte]{Key: key(i), Value: value(i)}, nil) {
					return
				}
			}
		}, blob.Options{}))
		wantLarge(t)
		b := must[*blob.Indexed[[]byte]](t)(blob.Open[[]byte](path))
		defer b.Close()
		wantEqual(t, b.Len(), n)
		for i := range n {
			if v := must[[]byte](t)(b.Get(key(i))); !bytes.Equal(v, value(i)) {
				t.Fatalf("Get gives another value at %s", key(i))
			}
		}
		i := 0
		for e, err := range b.All() {
			check(t, err)
			if e.Key != key(i) || !bytes.Equal(e.Value, value(i)) {
				t.Fatalf("All gives %s and another value at %s", e.Key, key(i))
			}
			i++
		}
		wantEqual(t, i, n)
		check(t, b.Verify())
	})
	t.Run("small records", func(t *testing.T) {
		// Chunks, and a table of blocks, of a usual size, but many.
		note := string(bytes.Repeat([]byte("n"), 1000))
		m := make(map[int]record, 1_100_000)
		for i := range 1_100_000 {
			m[i] = record{ID: i, Note: note}
		}
		check(t, blob.Save(path, m, blob.Options{}))
		m = nil
		wantLarge(t)
		got := must[map[int]record](t)(blob.Load[map[int]record](path))
		wantEqual(t, len(got), 1_100_000)
		for i, r := range got {
			if r.ID != i || r.Note != note {
				t.Fatalf("another value at %d", i)
			}
		}
	})
	t.Run("one value", func(t *testing.T) {
		v := bytes.Repeat([]byte("0123456789abcdef"), gigabyte/16+1)
		check(t, blob.Save(path, v, blob.Options{}))
		wantLarge(t)
		if got := must[[]byte](t)(blob.Load[[]byte](path)); !bytes.Equal(got, v) {
			t.Fatal("another value")
		}
	})
}
