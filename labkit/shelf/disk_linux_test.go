package shelf_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"shelflab/labkit/leftout"
	"shelflab/labkit/shelf"
)

func init() { roles["fill"] = fill }

const cannotMount = "cannot mount"

// fill fills a disk of 136 MB in two ways, and checks that the shelf refuses in
// time, stays usable, and keeps all that it acknowledged.
func fill(dir string) error {
	if err := unix.Mount("none", dir, "tmpfs", 0, "size=136m"); err != nil {
		return fmt.Errorf("%s: %w", cannotMount, err)
	}
	value := func(i, n int) string { return strings.Repeat(fmt.Sprintf("%08d", i), n/8) }
	for name, size := range map[string]int{"small": 1000, "log": 1 << 20} {
		if err := fillOne(dir+"/"+name, size, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.RemoveAll(dir + "/" + name); err != nil {
			return err
		}
	}
	if err := recoverOnFull(dir+"/crashed", dir+"/filler", value); err != nil {
		return fmt.Errorf("crashed: %w", err)
	}
	fmt.Println("kept")
	return nil
}

// recoverOnFull opens what a crash left, on a disk with more and more free space:
// it is refused, and nothing is lost, until there is enough for all of it.
func recoverOnFull(dir, filler string, value func(i, n int) string) error {
	s, err := shelf.Open[string](dir+"-open", shelf.Options{})
	if err != nil {
		return err
	}
	const n = 3000
	for i := range n {
		if err := s.Put(keyOf(i), value(i, 1000)); err != nil {
			return err
		}
	}
	// What is on the disk while the shelf is open is what a crash leaves.
	if out, err := exec.Command("cp", "-r", "--sparse=always", dir+"-open", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if err := errors.Join(s.Close(), os.RemoveAll(dir+"-open")); err != nil {
		return err
	}
	refused := 0
	for left := int64(1 << 20); ; left += 1 << 20 {
		if err := fillUp(dir, filler, left); err != nil {
			return err
		}
		s, err := shelf.Open[string](dir, shelf.Options{})
		if errors.Is(err, shelf.ErrNoSpace) && left < 30<<20 {
			refused++
			continue
		}
		if err != nil {
			return err
		}
		for i := range n {
			if v, err := s.Get(keyOf(i)); err != nil || v != value(i, 1000) {
				return fmt.Errorf("value %d of %d: %d bytes, %v", i, n, len(v), err)
			}
		}
		if refused == 0 {
			return errors.New("never refused")
		}
		return s.Close()
	}
}

// fillUp makes filler as large as leaves so many bytes free.
func fillUp(dir, filler string, left int64) error {
	var disk unix.Statfs_t
	if err := errors.Join(os.RemoveAll(filler), unix.Statfs(dir, &disk)); err != nil {
		return err
	}
	return os.WriteFile(filler, make([]byte, int64(disk.Bavail)*disk.Bsize-left), 0o666)
}

func fillOne(dir string, size int, value func(i, n int) string) error {
	s, err := shelf.Open[string](dir, shelf.Options{})
	if err != nil {
		return err
	}
	n := 0
	for ; err == nil; n++ { // by Put and by PutAll
		if n%1000 == 999 {
			err = s.PutAll(func(yield func(shelf.Entry[string], error) bool) {
				yield(shelf.Entry[string]{Key: keyOf(n), Value: value(n, size)}, nil)
			})
		} else {
			err = s.Put(keyOf(n), value(n, size))
		}
	}
	n-- // the last one was refused
	if !errors.Is(err, shelf.ErrNoSpace) || !strings.Contains(err.Error(), dir) {
		return fmt.Errorf("after %d values: %w", n, err)
	}
	if n*size < 4<<20 {
		return fmt.Errorf("refused after %d values of %d", n, size)
	}
	verify := func() error {
		for i := range n {
			if v, err := s.Get(keyOf(i)); err != nil || v != value(i, size) {
				return fmt.Errorf("value %d of %d: %d bytes, %v", i, n, len(v), err)
			}
		}
		return nil
	}
	if err := verify(); err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	if s, err = shelf.Open[string](dir, shelf.Options{}); err != nil {
		return err
	}
	if err := verify(); err != nil {
		return err
	}
	// There is always room to delete, and then to compact.
	for i := range n {
		if err := s.Delete(keyOf(i)); err != nil {
			return err
		}
	}
	if err := s.Compact(); err != nil {
		return err
	}
	if err := s.Put("again", value(1, size)); err != nil {
		return err
	}
	return s.Close()
}

func TestDiskFull(t *testing.T) {
	t.Parallel()
	c := exec.Command(os.Args[0], t.TempDir())
	c.Env = append(os.Environ(), roleVariable+"=fill")
	c.Stderr = os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.StdoutPipe()
	must(t, err)
	err = c.Start()
	said := ""
	if err == nil {
		raw, _ := io.ReadAll(out)
		said = strings.TrimSpace(string(raw))
		err = c.Wait()
	}
	switch {
	case said == "kept" && err == nil:
	case said == "" && errors.Is(err, syscall.EPERM), strings.Contains(said, cannotMount):
		leftout.Test(t, "no small disk can be mounted: %v %s", err, said)
	default:
		t.Errorf("%v: %s", err, said)
	}
}
