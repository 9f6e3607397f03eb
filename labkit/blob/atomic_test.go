package blob_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"shelflab/labkit/blob"
)

// writers are the two ways of writing 1, each at a path.
var writers = map[string]func(path string) error{
	"Save": func(path string) error { return blob.Save(path, map[string]int{"one": 1}, blob.Options{}) },
	"Pack": func(path string) error {
		return blob.Pack(path, blob.Sorted(map[string]int{"one": 1}), blob.Options{})
	},
	"Save, power loss": func(path string) error {
		return blob.Save(path, map[string]int{"one": 1}, blob.Options{Durability: blob.PowerLoss})
	},
}

func eachWriter(t *testing.T, f func(t *testing.T, write func(path string) error, dir string)) {
	for name, write := range writers {
		t.Run(name, func(t *testing.T) { f(t, write, t.TempDir()) })
	}
}

func wantOne(t *testing.T, path string) {
	t.Helper()
	m, err := blob.Load[map[string]int](path)
	if err != nil {
		m, err = readIndexed[int](path)
	}
	check(t, err)
	wantEqual(t, m, map[string]int{"one": 1})
}

func TestModeIsKept(t *testing.T) {
	old := unix.Umask(0o027)
	defer unix.Umask(old)
	eachWriter(t, func(t *testing.T, write func(string) error, dir string) {
		path := filepath.Join(dir, "x.blob")
		check(t, write(path))
		wantEqual(t, must[fs.FileInfo](t)(os.Stat(path)).Mode(), fs.FileMode(0o640))
		for _, mode := range []fs.FileMode{0o600, 0o666, 0o444, 0o751} {
			check(t, os.Chmod(path, mode))
			check(t, write(path))
			wantEqual(t, must[fs.FileInfo](t)(os.Stat(path)).Mode(), mode)
		}
		wantOne(t, path)
		wantOnly(t, path)
	})
}

func TestLinkStays(t *testing.T) {
	eachWriter(t, func(t *testing.T, write func(string) error, dir string) {
		elsewhere := t.TempDir()
		path, target := filepath.Join(dir, "link"), filepath.Join(elsewhere, "x.blob")
		relative := must[string](t)(filepath.Rel(dir, target))
		for _, to := range []string{target, relative} {
			check(t, os.Symlink(to, path))
			check(t, write(path)) // there is nothing at the target yet
			check(t, write(path))
			wantEqual(t, must[string](t)(os.Readlink(path)), to)
			wantOne(t, path)
			wantOne(t, target)
			wantOnly(t, path)
			wantOnly(t, target)
			check(t, os.Remove(path))
			check(t, os.Remove(target))
		}
		check(t, os.Symlink(path, path))
		wantError(t, write(path), unix.ELOOP, path)
	})
}

func TestNotAFile(t *testing.T) {
	eachWriter(t, func(t *testing.T, write func(string) error, dir string) {
		path := filepath.Join(dir, "x")
		check(t, os.Mkdir(path, 0o777))
		wantError(t, write(path), blob.ErrTarget, path)
		check(t, os.Remove(path))
		check(t, unix.Mkfifo(path, 0o666))
		wantError(t, write(path), blob.ErrTarget, path)
		wantOnly(t, path)
		wantError(t, write(os.DevNull), blob.ErrTarget, os.DevNull)
		wantError(t, write(dir+"/missing/x"), blob.ErrNotFound, dir+"/missing/x")
		wantError(t, write(""), blob.ErrNotFound, "")
		wantError(t, write(path+"/x"), unix.ENOTDIR, path+"/x")
		if err := write(dir + "/\x00"); err == nil {
			t.Error("a path with NUL is no error")
		}
	})
}

func TestNames(t *testing.T) {
	eachWriter(t, func(t *testing.T, write func(string) error, dir string) {
		for _, name := range []string{strings.Repeat("n", 255), strings.Repeat("é", 127), ".hidden", "a b", "x.blobtmp0"} {
			path := filepath.Join(dir, name)
			check(t, write(path))
			check(t, write(path))
			wantOne(t, path)
			wantOnly(t, path)
			check(t, os.Remove(path))
		}
		t.Chdir(dir)
		check(t, write("relative"))
		wantOne(t, filepath.Join(dir, "relative"))
		wantOnly(t, filepath.Join(dir, "relative"))
	})
}

// TestLeftBehind: what writers of this path left is cleared, what is another's or
// in use is not.
func TestLeftBehind(t *testing.T) {
	eachWriter(t, func(t *testing.T, write func(string) error, dir string) {
		path := filepath.Join(dir, "x.blob")
		temp := func(i int) string { return filepath.Join(dir, fmt.Sprintf(".x.blob.blobtmp%d", i)) }
		for i := range 8 {
			check(t, os.WriteFile(temp(i), []byte("half"), 0o600))
		}
		inUse := must[*os.File](t)(os.Open(temp(3)))
		check(t, unix.Flock(int(inUse.Fd()), unix.LOCK_EX))
		neighbour := filepath.Join(dir, ".xx.blob.blobtmp0")
		check(t, os.WriteFile(neighbour, nil, 0o600))
		check(t, os.Remove(temp(5)))
		check(t, unix.Mkfifo(temp(5), 0o600))
		check(t, write(path))
		var names []string
		for _, e := range must[[]os.DirEntry](t)(os.ReadDir(dir)) {
			names = append(names, e.Name())
		}
		wantEqual(t, names, []string{".x.blob.blobtmp3", ".x.blob.blobtmp5", ".xx.blob.blobtmp0", "x.blob"})
		check(t, inUse.Close())
		check(t, os.Remove(temp(5)))
		check(t, os.Remove(neighbour))
		check(t, write(path))
		wantOnly(t, path)
		wantOne(t, path)
	})
}

// TestWritersAtOnce: readers see one of the contents, whole.
func TestWritersAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	check(t, blob.Save(path, generation(0), blob.Options{}))
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			for i := range 10 {
				if err := blob.Save(path, generation(w*10+i), blob.Options{}); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range 10 {
				m, err := blob.Load[map[string]int](path)
				wholeGeneration(t, m, err)
			}
		})
	}
	wg.Wait()
	wantOnly(t, path)
}
