package shelf_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"

	"shelflab/labkit/shelf"
)

// damaged calls do for the shelf in dir with each of its files damaged in many
// places, one at a time.
func damaged(t *testing.T, dir, pattern string, places int, do func(what string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "g*", pattern))
	must(t, err)
	if len(files) == 0 {
		t.Fatalf("no %s in %s", pattern, dir)
	}
	for _, file := range files {
		whole, err := os.ReadFile(file)
		must(t, err)
		for i := range places {
			at := i * len(whole) / places
			bad := bytes.Clone(whole)
			bad[at] ^= 1 << (i % 8)
			must(t, os.WriteFile(file, bad, 0o666))
			do(fmt.Sprintf("%s, byte %d of %d", filepath.Base(file), at, len(whole)))
		}
		must(t, os.WriteFile(file, whole, 0o666))
	}
}

// A flipped bit never gives another value, and what can be read is read.
func TestFlippedBits(t *testing.T) {
	dir := t.TempDir()
	s := open[record](t, dir, shelf.Options{})
	const n = 300
	must(t, s.PutAll(samples(0, n)))
	must(t, s.Put("large", record{Note: strings.Repeat("x", 100<<10)}))
	must(t, s.Close())
	want := contents(t, open[record](t, dir, shelf.Options{Mode: shelf.ReadOnly}))
	open[record](t, dir, shelf.Options{Mode: shelf.ReadOnly}).Close()

	right, unreadable := 0, 0
	for _, pattern := range []string{"*.sst", "*.vlog", "MANIFEST"} {
		damaged(t, dir, pattern, 60, func(what string) {
			s, err := shelf.Open[record](dir, shelf.Options{Mode: shelf.ReadOnly})
			if err != nil {
				if !strings.Contains(err.Error(), dir) {
					t.Errorf("%s: %v", what, err)
				}
				return
			}
			defer s.Close()
			for e, err := range s.All() {
				switch {
				case err == nil && reflect.DeepEqual(e.Value, want[e.Key]):
					right++
				case errors.Is(err, shelf.ErrCorrupt):
					unreadable++
				default:
					t.Errorf("%s: %q: %+v, %v", what, e.Key, e.Value, err)
				}
			}
			for _, key := range []string{keyOf(0), keyOf(150), keyOf(299), "large"} {
				v, err := s.Get(key)
				switch {
				case err == nil && reflect.DeepEqual(v, want[key]):
				case errors.Is(err, shelf.ErrCorrupt), errors.Is(err, shelf.ErrNotFound):
				default:
					t.Errorf("%s: %q: %+v, %v", what, key, v, err)
				}
			}
		})
	}
	if unreadable == 0 || right < 100*unreadable {
		t.Errorf("%d values were right, %d unreadable", right, unreadable)
	}
}

const nobody = 65534

func init() {
	roles["unprivileged"] = func(dir string) error {
		if os.Geteuid() == 0 {
			if err := syscall.Setuid(nobody); err != nil {
				return err
			}
		}
		try := func(name string, m shelf.Mode) {
			s, err := shelf.Open[int](filepath.Join(dir, name), shelf.Options{Mode: m})
			if err == nil {
				v, getErr := s.Get("a")
				err = s.Close()
				fmt.Println("opened", v, getErr, err)
				return
			}
			fmt.Println(errors.Is(err, os.ErrPermission), err)
		}
		try("shelf", shelf.Create)
		try("shelf", shelf.Fresh)
		try("new", shelf.Create)
		try("secret", shelf.Create)
		try("secret", shelf.ReadOnly)
		try("shelf", shelf.ReadOnly)
		return nil
	}
}

func TestNoPermission(t *testing.T) {
	dir, err := os.MkdirTemp("", "shelf")
	must(t, err)
	t.Cleanup(func() {
		os.Chmod(dir, 0o700)
		os.RemoveAll(dir)
	})
	s := open[int](t, filepath.Join(dir, "shelf"), shelf.Options{})
	must(t, s.Put("a", 41))
	must(t, s.Close())
	must(t, os.Mkdir(filepath.Join(dir, "secret"), 0o000))
	if os.Geteuid() == 0 {
		must(t, filepath.Walk(filepath.Join(dir, "shelf"), func(path string, _ os.FileInfo, err error) error {
			return errors.Join(err, os.Chown(path, nobody, nobody))
		}))
	}
	must(t, os.Chmod(filepath.Join(dir, "shelf"), 0o555))
	must(t, os.Chmod(dir, 0o555))
	c := start(t, "unprivileged", dir)
	for _, name := range []string{"shelf", "shelf", "new", "secret", "secret"} {
		c.expect(t, "true shelf "+filepath.Join(dir, name)+": open: ")
	}
	c.expect(t, "opened 41 <nil> <nil>") // reading needs no more
	must(t, c.Wait())
	must(t, os.Chmod(filepath.Join(dir, "shelf"), 0o755))
}

// Durability cannot be tested without pulling the plug; that the class works in
// every operation can.
func TestPowerLoss(t *testing.T) {
	dir := t.TempDir()
	s := open[record](t, dir, shelf.Options{Durability: shelf.PowerLoss})
	for i := range 50 {
		must(t, s.Put(keyOf(i), sample(i)))
	}
	must(t, s.PutAll(samples(50, 30_000))) // several logs
	must(t, s.Put("large", record{Note: strings.Repeat("x", 1<<20)}))
	must(t, s.Update(keyOf(1), func(r *record) error { r.ID = -1; return nil }))
	must(t, s.Delete(keyOf(2)))
	must(t, s.Compact())
	must(t, s.Sync())
	must(t, s.Close())
	s = open[record](t, dir, shelf.Options{Mode: shelf.ReadOnly})
	if n, err := s.Len(); n != 30_000 || err != nil {
		t.Errorf("Len = %d, %v", n, err)
	}
}

// What Sync and Open sync: all logs, not Badger's newest alone, and the names.
func TestWhatIsSynced(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "deep", "shelf")
	var mu sync.Mutex
	synced := map[string]bool{}
	t.Cleanup(shelf.SetSyncPath(func(path string) error {
		mu.Lock()
		defer mu.Unlock()
		synced[path] = true
		return nil
	}))
	s := open[record](t, dir, shelf.Options{})
	must(t, s.PutAll(samples(0, 1000)))
	must(t, s.Sync())
	logs, err := filepath.Glob(filepath.Join(dir, "g000001", "*.[mv]*"))
	must(t, err)
	if len(logs) < 2 {
		t.Errorf("logs: %q", logs)
	}
	for _, path := range append(logs, parent, filepath.Dir(dir), dir, filepath.Join(dir, "g000001")) {
		if !synced[path] {
			t.Errorf("%s was not synced", path)
		}
	}
	must(t, s.Close())
}
