package shelf_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit/shelf"
)

func TestModes(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "deep", "shelf")
	for _, m := range []shelf.Mode{shelf.Existing, shelf.ReadOnly} {
		_, err := shelf.Open[int](dir, shelf.Options{Mode: m})
		wants(t, err, shelf.ErrNotFound, dir)
	}
	if _, err := os.Stat(filepath.Dir(dir)); !os.IsNotExist(err) {
		t.Errorf("a mode that needs a shelf made the folder: %v", err)
	}
	empty := t.TempDir()
	_, err := shelf.Open[int](empty, shelf.Options{Mode: shelf.Existing})
	wants(t, err, shelf.ErrNotFound, "empty")

	s := open[int](t, dir, shelf.Options{})
	must(t, s.Put("a", 1))
	must(t, s.Close())
	s = open[int](t, dir, shelf.Options{Mode: shelf.ReadOnly})
	check(t, s, "a", 1)
	wants(t, s.Put("a", 2), shelf.ErrReadOnly, dir)
	wants(t, s.Delete("a"), shelf.ErrReadOnly)
	wants(t, s.Update("a", func(*int) error { return nil }), shelf.ErrReadOnly)
	wants(t, s.PutAll(func(yield func(shelf.Entry[int], error) bool) { yield(shelf.Entry[int]{Key: "b"}, nil) }), shelf.ErrReadOnly)
	wants(t, s.Clear(), shelf.ErrReadOnly)
	wants(t, s.Compact(), shelf.ErrReadOnly)
	wants(t, s.Restore(strings.NewReader("")), shelf.ErrReadOnly)
	_, err = s.Pop("a")
	wants(t, err, shelf.ErrReadOnly)
	_, err = s.PutIfAbsent("c", 1)
	wants(t, err, shelf.ErrReadOnly)
	must(t, s.Sync())
	sameMap(t, map[string]int{"a": 1}, contents(t, s))
	must(t, s.Close())

	s = open[int](t, dir, shelf.Options{Mode: shelf.Fresh})
	sameMap(t, map[string]int{}, contents(t, s))
	must(t, s.Put("b", 2))
	must(t, s.Close())
	// Fresh takes another type as well.
	other := open[string](t, dir, shelf.Options{Mode: shelf.Fresh})
	must(t, other.Put("c", "x"))
	must(t, other.Close())
	sameMap(t, map[string]string{"c": "x"}, contents(t, open[string](t, dir, shelf.Options{})))

	for _, o := range []shelf.Options{{Mode: 7}, {Mode: -1}, {Durability: 2}} {
		if _, err := shelf.Open[int](dir, o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
	if got := fmt.Sprint(shelf.Create, shelf.Existing, shelf.ReadOnly, shelf.Fresh, shelf.ProcessCrash, shelf.PowerLoss); got !=
		"create existing read-only fresh process crash power loss" {
		t.Error(got)
	}
}

func TestClosed(t *testing.T) {
	dir := t.TempDir()
	s := open[int](t, dir, shelf.Options{})
	must(t, s.Put("a", 1))
	must(t, s.Close())
	_, err := s.Get("a")
	wants(t, err, shelf.ErrClosed, dir, `"a"`)
	_, err = s.Has("a")
	wants(t, err, shelf.ErrClosed)
	_, err = s.GetOr("a", 1)
	wants(t, err, shelf.ErrClosed)
	_, err = s.Len()
	wants(t, err, shelf.ErrClosed)
	_, err = s.Pop("a")
	wants(t, err, shelf.ErrClosed)
	_, err = s.PutIfAbsent("a", 1)
	wants(t, err, shelf.ErrClosed)
	wants(t, s.Put("a", 1), shelf.ErrClosed)
	wants(t, s.Delete("a"), shelf.ErrClosed)
	wants(t, s.Update("a", func(*int) error { return nil }), shelf.ErrClosed)
	wants(t, s.PutAll(func(yield func(shelf.Entry[int], error) bool) { yield(shelf.Entry[int]{Key: "b"}, nil) }), shelf.ErrClosed)
	wants(t, s.Clear(), shelf.ErrClosed)
	wants(t, s.Compact(), shelf.ErrClosed)
	wants(t, s.Backup(&strings.Builder{}), shelf.ErrClosed)
	wants(t, s.Restore(strings.NewReader("")), shelf.ErrClosed)
	wants(t, s.Sync(), shelf.ErrClosed)
	for _, err := range s.All() {
		wants(t, err, shelf.ErrClosed)
	}
	for _, err := range s.Keys() {
		wants(t, err, shelf.ErrClosed)
	}
	n := 0
	for _, err := range s.GetMany([]string{"a", "b"}) {
		wants(t, err, shelf.ErrClosed)
		n++
	}
	if n != 2 {
		t.Errorf("GetMany of 2 keys on a closed shelf gave %d errors", n)
	}
	must(t, s.Close())
}

// tree returns the files below dir with their contents.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	must(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		line := path + " " + info.Mode().String()
		if info.Mode().IsRegular() {
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %x", raw)
		}
		all = append(all, line)
		return nil
	}))
	return all
}

// Opening what is no shelf is a typed error, and the files stay as they are.
func TestForeign(t *testing.T) {
	all := []shelf.Mode{shelf.Create, shelf.Existing, shelf.ReadOnly, shelf.Fresh}
	refuse := func(name, dir string, sentinel error, modes []shelf.Mode, open func(shelf.Options) error) {
		t.Helper()
		before := tree(t, dir)
		for _, m := range modes {
			err := open(shelf.Options{Mode: m})
			wants(t, err, sentinel, dir)
			if after := tree(t, dir); !slices.Equal(before, after) {
				t.Errorf("%s, %v: files changed:\n%.300q\n%.300q", name, m, before, after)
			}
		}
	}
	ints := func(dir string) func(shelf.Options) error {
		return func(o shelf.Options) error {
			s, err := shelf.Open[int](dir, o)
			if err == nil {
				s.Close()
			}
			return err
		}
	}

	file := filepath.Join(t.TempDir(), "notes.txt")
	must(t, os.WriteFile(file, []byte("dear diary"), 0o644))
	refuse("a text file", file, shelf.ErrFormat, all, ints(file))

	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "notes.txt"), []byte("dear diary"), 0o644))
	refuse("a folder of something else", folder, shelf.ErrFormat, all, ints(folder))

	for name, header := range map[string]string{
		"a foreign SHELF file": "my shelf: two books\n",
		"an empty SHELF file":  "",
		"a newer format":       "shelflab shelf 2 00000000\n{}\n",
		"a far newer format":   "shelflab shelf 12 something else\n",
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "SHELF"), []byte(header), 0o644))
		refuse(name, dir, shelf.ErrFormat, all, ints(dir))
	}

	dir := t.TempDir()
	s := open[record](t, dir, shelf.Options{})
	must(t, s.PutAll(samples(0, 10)))
	must(t, s.Close())
	notFresh := all[:3]
	refuse("another type", dir, shelf.ErrType, notFresh, ints(dir))
	refuse("another struct", dir, shelf.ErrType, notFresh, func(o shelf.Options) error {
		s, err := shelf.Open[struct{ Name string }](dir, o)
		if err == nil {
			s.Close()
		}
		return err
	})
	type record struct{ ID, Name string } // the name alone is not enough
	refuse("a field of another type", dir, shelf.ErrType, notFresh, func(o shelf.Options) error {
		s, err := shelf.Open[record](dir, o)
		if err == nil {
			s.Close()
		}
		return err
	})
	refuse("a type that gob cannot carry", dir, shelf.ErrType, all, func(o shelf.Options) error {
		_, err := shelf.Open[chan int](dir, o)
		return err
	})

	header := filepath.Join(dir, "SHELF")
	raw, err := os.ReadFile(header)
	must(t, err)
	raw[len(raw)-10] ^= 1
	must(t, os.WriteFile(header, raw, 0o644))
	refuse("a flipped bit in the header", dir, shelf.ErrCorrupt, all, ints(dir))
	raw[len(raw)-10] ^= 1
	must(t, os.WriteFile(header, raw, 0o644))

	must(t, os.Remove(filepath.Join(dir, "g000001", "MANIFEST")))
	refuse("a store without its manifest", dir, shelf.ErrCorrupt, notFresh, func(o shelf.Options) error {
		s, err := shelf.Open[recordAlias](dir, o)
		if err == nil {
			s.Close()
		}
		return err
	})
}

type recordAlias = record

// What a crash in the middle of making a shelf leaves is no obstacle; a store that
// someone deleted is a loss, and not an empty shelf.
func TestHalfMade(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "LOCK"), []byte("1\n"), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, ".SHELF123"), []byte("shelfl"), 0o666))
	must(t, os.Mkdir(filepath.Join(dir, "g000001"), 0o777))
	s := open[int](t, dir, shelf.Options{})
	must(t, s.Put("a", 1))
	must(t, s.Clear()) // the second generation
	must(t, s.Put("b", 2))
	must(t, s.Close())
	// A generation that was never committed, and one that no longer is.
	for _, name := range []string{"g000001", "g000003"} {
		must(t, os.MkdirAll(filepath.Join(dir, name), 0o777))
		must(t, os.WriteFile(filepath.Join(dir, name, "000001.sst"), nil, 0o666))
	}
	s = open[int](t, dir, shelf.Options{})
	sameMap(t, map[string]int{"b": 2}, contents(t, s))
	must(t, s.Close())
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 2 {
		t.Errorf("left over: %q, %v", left, err)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "g000002")))
	for _, m := range []shelf.Mode{shelf.Create, shelf.Existing, shelf.ReadOnly} {
		_, err := shelf.Open[int](dir, shelf.Options{Mode: m})
		wants(t, err, shelf.ErrCorrupt, "g000002", dir)
	}
}

func TestChdir(t *testing.T) {
	t.Chdir(t.TempDir())
	s := open[record](t, "shelf", shelf.Options{})
	must(t, s.PutAll(samples(0, 5000)))
	t.Chdir(t.TempDir())
	must(t, s.PutAll(samples(5000, 20_000)))
	must(t, s.Compact())
	must(t, s.Put("z", sample(1)))
	must(t, s.Close())
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("files in the new folder: %v, %v", entries, err)
	}
	if !filepath.IsAbs(s.Path()) {
		t.Errorf("Path = %q", s.Path())
	}
	s = open[record](t, s.Path(), shelf.Options{Mode: shelf.ReadOnly})
	if n, err := s.Len(); n != 20_001 || err != nil {
		t.Errorf("Len = %d, %v", n, err)
	}
}

func TestFolderVanishes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shelf")
	s := open[record](t, dir, shelf.Options{})
	must(t, s.PutAll(samples(0, 1000)))
	must(t, os.RemoveAll(dir))
	var err error
	for i := 0; err == nil && i < 100; i++ { // it is noticed, at the latest after some megabytes
		err = s.PutAll(samples(0, 5000))
	}
	wants(t, err, shelf.ErrNotFound, dir)
	wants(t, s.Close(), shelf.ErrNotFound, dir, "vanished")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("Close left the folder behind: %v", err)
	}
}

// Next to an older header the newer generation is the only copy: no opening may
// remove it.
func TestOlderHeader(t *testing.T) {
	dir := t.TempDir()
	header := filepath.Join(dir, "SHELF")
	s := open[int](t, dir, shelf.Options{})
	must(t, s.Put("a", 1))
	older, err := os.ReadFile(header)
	must(t, err)
	must(t, s.Compact())
	must(t, s.Close())
	newer, err := os.ReadFile(header)
	must(t, err)

	must(t, os.WriteFile(header, older, 0o666))
	for _, m := range []shelf.Mode{shelf.ReadOnly, shelf.Existing, shelf.Create} {
		_, err := shelf.Open[int](dir, shelf.Options{Mode: m})
		wants(t, err, shelf.ErrCorrupt, "g000001")
		if _, err := os.Stat(filepath.Join(dir, "g000002", "MANIFEST")); err != nil {
			t.Fatalf("%v: %v", m, err)
		}
	}
	must(t, os.WriteFile(header, newer, 0o666))
	s = open[int](t, dir, shelf.Options{})
	check(t, s, "a", 1)
	must(t, s.Close())

	// Starting empty beside a store that no header names starts empty.
	must(t, os.WriteFile(header, older, 0o666))
	s = open[int](t, dir, shelf.Options{Mode: shelf.Fresh})
	sameMap(t, map[string]int{}, contents(t, s))
}

// Opening removes the stores and headers that a crash left, and nothing else.
func TestStrays(t *testing.T) {
	dir := t.TempDir()
	s := open[int](t, dir, shelf.Options{})
	must(t, s.Put("a", 1))
	must(t, s.Close())
	stays := []string{".SHELF", ".SHELF.swp", ".SHELF-old", "g7", "notes"}
	goes := []string{".SHELF123"}
	for _, name := range append(stays, goes...) {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	must(t, os.MkdirAll(filepath.Join(dir, ".SHELF5", "x"), 0o777))
	must(t, os.MkdirAll(filepath.Join(dir, "g000007", "x"), 0o777))
	s = open[int](t, dir, shelf.Options{})
	check(t, s, "a", 1)
	for _, name := range append(stays, ".SHELF5") {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range append(goes, "g000007") {
		if _, err := os.Stat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
}
