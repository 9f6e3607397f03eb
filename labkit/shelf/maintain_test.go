package shelf_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"shelflab/labkit/shelf"
)

func size(t testing.TB, dir string) int64 {
	t.Helper()
	n, err := shelf.DiskBytes(dir)
	must(t, err)
	return n
}

// 2,000 values of 4 kB rewritten 30 times and deleted: 240 MB written.
func TestCompactGivesBackSpace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open[[]byte](t, dir, shelf.Options{})
	const n = 2000
	value := make([]byte, 4096)
	for round := range 30 {
		must(t, s.PutAll(func(yield func(shelf.Entry[[]byte], error) bool) {
			for i := range n {
				binary.BigEndian.PutUint64(value, uint64(round*n+i))
				if !yield(shelf.Entry[[]byte]{Key: keyOf(i), Value: value}, nil) {
					return
				}
			}
		}))
	}
	before := size(t, dir)
	must(t, s.Compact())
	const live = n * 4096
	if got := size(t, dir); got > live*11/10+2<<20 || got > before {
		t.Errorf("compacted: %d bytes for %d that are live; %d before", got, live, before)
	}
	if n, err := s.Len(); n != 2000 || err != nil {
		t.Fatalf("Len = %d, %v", n, err)
	}
	v, err := s.Get(keyOf(7))
	must(t, err)
	if got := binary.BigEndian.Uint64(v); got != 29*n+7 {
		t.Errorf("value of round and key %d", got)
	}
	for i := range n {
		must(t, s.Delete(keyOf(i)))
	}
	must(t, s.Compact())
	if got := size(t, dir); got > 2<<20 {
		t.Errorf("compacted and empty: %d bytes", got)
	}
	must(t, s.Close())
	if got := size(t, dir); got > 1<<20 {
		t.Errorf("empty and closed: %d bytes", got)
	}
}

// Large values live in Badger's value log, which only Compact gives back.
func TestCompactLargeValues(t *testing.T) {
	dir := t.TempDir()
	s := open[string](t, dir, shelf.Options{})
	for i := range 20 {
		must(t, s.Put("large", strings.Repeat(fmt.Sprint(i%10), 2<<20)))
	}
	must(t, s.Compact())
	if got := size(t, dir); got > 5<<20 {
		t.Errorf("compacted: %d bytes for 2 MB that are live", got)
	}
	check(t, s, "large", strings.Repeat("9", 2<<20))
}

// Where the new header is in place but may not survive a power loss, both
// generations stay, and nothing more is written until the shelf is opened again.
func TestUnsureCommit(t *testing.T) {
	failed := errors.New("disk failed")
	for name, do := range map[string]func(*shelf.Shelf[int]) error{
		"compact": (*shelf.Shelf[int]).Compact,
		"clear":   (*shelf.Shelf[int]).Clear,
	} {
		dir := t.TempDir()
		s := open[int](t, dir, shelf.Options{})
		must(t, s.Put("a", 1))
		header := func() string {
			raw, err := os.ReadFile(dir + "/SHELF")
			must(t, err)
			return string(raw)
		}
		before := header()
		restore := shelf.SetSyncPath(func(string) error {
			if header() != before {
				return failed
			}
			return nil
		})
		err := do(s)
		restore()
		wants(t, err, shelf.ErrUnsure, dir)
		wants(t, err, failed)
		wants(t, s.Put("b", 2), shelf.ErrUnsure, dir)
		wants(t, s.Delete("a"), shelf.ErrUnsure)
		wants(t, s.Compact(), shelf.ErrUnsure)
		check(t, s, "a", 1)
		must(t, s.Close())
		for _, g := range []string{"g000001", "g000002"} {
			if _, err := os.Stat(dir + "/" + g + "/MANIFEST"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		s = open[int](t, dir, shelf.Options{})
		if _, err := s.Get("a"); (err == nil) != (name == "compact") {
			t.Errorf("%s: %v", name, err)
		}
		must(t, s.Put("b", 2))
		if _, err := os.Stat(dir + "/g000001"); !os.IsNotExist(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClear(t *testing.T) {
	dir := t.TempDir()
	s := open[record](t, dir, shelf.Options{})
	must(t, s.PutAll(samples(0, 20_000)))
	must(t, s.Clear())
	sameMap(t, map[string]record{}, contents(t, s))
	if got := size(t, dir); got > 2<<20 {
		t.Errorf("cleared: %d bytes", got)
	}
	must(t, s.Put("a", sample(1)))
	must(t, s.Close())
	sameMap(t, map[string]record{"a": sample(1)}, contents(t, open[record](t, dir, shelf.Options{})))
}

func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	s := open[record](t, t.TempDir(), shelf.Options{})
	must(t, s.PutAll(samples(0, 3000)))
	want := contents(t, s)
	var backup bytes.Buffer
	must(t, s.Backup(&backup))
	must(t, s.PutAll(samples(3000, 4000)))
	changed := contents(t, s)

	// What is no whole backup changes nothing.
	whole := backup.Bytes()
	for _, cut := range []int{0, 1, 10, 30, 60, len(whole) / 2, len(whole) - 9, len(whole) - 1} {
		err := s.Restore(bytes.NewReader(whole[:cut]))
		if !errors.Is(err, shelf.ErrCorrupt) && !errors.Is(err, shelf.ErrFormat) {
			t.Errorf("%d bytes of %d: %v", cut, len(whole), err)
		}
	}
	for at := 25; at < len(whole); at += len(whole) / 40 {
		bad := bytes.Clone(whole)
		bad[at] ^= 4
		err := s.Restore(bytes.NewReader(bad))
		if !errors.Is(err, shelf.ErrCorrupt) {
			t.Errorf("byte %d changed: %v", at, err)
		}
	}
	wants(t, s.Restore(strings.NewReader("PK\x03\x04")), shelf.ErrFormat)
	wants(t, s.Restore(strings.NewReader("shelflab shelf backup 9\nx")), shelf.ErrFormat, `"9"`)
	broken := errors.New("line is broken")
	wants(t, s.Restore(io.MultiReader(bytes.NewReader(whole[:5000]), iotest.ErrReader(broken))), broken)
	sameMap(t, changed, contents(t, s))

	must(t, s.Restore(bytes.NewReader(whole)))
	sameMap(t, want, contents(t, s))
	other := open[record](t, t.TempDir(), shelf.Options{})
	must(t, other.Put("gone", sample(1)))
	must(t, other.Restore(iotest.OneByteReader(bytes.NewReader(whole))))
	sameMap(t, want, contents(t, other))
	must(t, other.Close())
	sameMap(t, want, contents(t, open[record](t, other.Path(), shelf.Options{Mode: shelf.ReadOnly})))

	ints := open[int](t, t.TempDir(), shelf.Options{})
	must(t, ints.Put("a", 1))
	wants(t, ints.Restore(bytes.NewReader(whole)), shelf.ErrType)
	sameMap(t, map[string]int{"a": 1}, contents(t, ints))

	full := errors.New("full")
	wants(t, s.Backup(failingWriter{full}), full)
}

// From a shelf straight into another one, and into itself.
func TestRestoreFromABackup(t *testing.T) {
	s := open[record](t, t.TempDir(), shelf.Options{})
	must(t, s.PutAll(samples(0, 3000)))
	want := contents(t, s)
	for _, to := range []*shelf.Shelf[record]{open[record](t, t.TempDir(), shelf.Options{}), s} {
		r, w := io.Pipe()
		go func() { w.CloseWithError(s.Backup(w)) }()
		must(t, to.Restore(r))
		sameMap(t, want, contents(t, to))
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// A reader that promises a huge block costs no memory.
func TestRestoreOfPromises(t *testing.T) {
	s := open[record](t, t.TempDir(), shelf.Options{})
	head := "shelflab shelf backup 1\n"
	for _, n := range []uint64{1 << 27, 1 << 40, 1 << 63} {
		stream := append(binary.AppendUvarint([]byte(head), n), "sum.contents"...)
		wants(t, s.Restore(bytes.NewReader(stream)), shelf.ErrCorrupt)
	}
}

func TestLargeValues(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open[string](t, dir, shelf.Options{})
	sizes := []int{0, 1, 63 << 10, 64 << 10, 65 << 10, 629 << 10, 1 << 20, 5 << 20, 100 << 20}
	value := func(n int) string { return strings.Repeat("0123456789", n/10+1)[:n] }
	for _, n := range sizes {
		must(t, s.Put(fmt.Sprint(n), value(n)))
	}
	must(t, s.PutAll(s.All()))
	for range 2 {
		for _, n := range sizes {
			v, err := s.Get(fmt.Sprint(n))
			must(t, err)
			if v != value(n) {
				t.Fatalf("value of %d bytes came back with %d", n, len(v))
			}
		}
		must(t, s.Close())
		s = open[string](t, dir, shelf.Options{})
	}
	err := s.Put("too large", strings.Repeat("x", shelf.MaxValue))
	wants(t, err, shelf.ErrTooLarge, "too large", fmt.Sprint(shelf.MaxValue))
	if ok, err := s.Has("too large"); ok || err != nil {
		t.Errorf("Has = %v, %v", ok, err)
	}
	os.RemoveAll(dir)
}
