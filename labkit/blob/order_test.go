package blob_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"shelflab/labkit/blob"
)

// wantUnreadable fails unless all ways of reading the whole file end with ErrCorrupt.
func wantUnreadable(t *testing.T, path string, content []byte) {
	t.Helper()
	check(t, os.WriteFile(path, content, 0o666))
	b := must[*blob.Indexed[int]](t)(blob.Open[int](path))
	defer b.Close()
	wantError(t, b.Verify(), blob.ErrCorrupt, path)
	wantError(t, lastError(b.All()), blob.ErrCorrupt, path)
	wantError(t, lastError(b.Keys()), blob.ErrCorrupt, path)
}

func lastError[T any](all iter.Seq2[T, error]) (last error) {
	for _, last = range all {
	}
	return last
}

// TestBlocksSwapped swaps neighbouring blocks, with checksums and an index that
// are right, wherever they lie in what is read at a time.
func TestBlocksSwapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	m := map[string]int{}
	for i := range 24_000 {
		m[fmt.Sprintf("%08d", i)] = 1 // all records and blocks are of one size
	}
	check(t, blob.Pack(path, blob.Sorted(m), blob.Options{}))
	good := must[[]byte](t)(os.ReadFile(path))
	first := 64 + int(binary.LittleEndian.Uint32(good[12:]))
	length := 16 + int(binary.LittleEndian.Uint64(good[first:]))
	index := int(binary.LittleEndian.Uint64(good[32:]))
	blocks := int(binary.LittleEndian.Uint32(good[index+8:]))
	keys := index + 16 + 12*blocks
	if blocks < 40 {
		t.Fatalf("%d blocks are too few", blocks)
	}
	for i := range blocks - 2 { // the last one is shorter
		b := bytes.Clone(good)
		swap(b, first+i*length, length)
		resealFrame(b, first+i*length)
		resealFrame(b, first+(i+1)*length)
		swap(b, keys+i*8, 8)
		resealFrame(b, index)
		wantUnreadable(t, path, b)
	}
}

// swap swaps n bytes of b from a place on with the n bytes that follow.
func swap(b []byte, from, n int) {
	one := bytes.Clone(b[from : from+n])
	copy(b[from:], b[from+n:from+2*n])
	copy(b[from+n:], one)
}

// TestOtherCount: the header has another number of records than the blocks.
func TestOtherCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	check(t, blob.Pack(path, blob.Sorted(map[string]int{"a": 1, "b": 2}), blob.Options{}))
	good := must[[]byte](t)(os.ReadFile(path))
	for _, n := range []uint64{1, 3} {
		wantUnreadable(t, path, resealed(good, func(h []byte) { binary.LittleEndian.PutUint64(h[24:], n) }))
	}
}
