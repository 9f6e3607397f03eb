package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// atomicFile is a temporary file beside a target that takes the target's place as
// a whole or not at all.
type atomicFile struct {
	*os.File
	temp, target string
	durability   Durability
	done         bool
}

// createAtomic opens the temporary file for what is to stand at path, and clears
// what killed writers of the same path left behind.
func createAtomic(path string, d Durability) (*atomicFile, error) {
	target, err := followLinks(path)
	if err != nil {
		return nil, err
	}
	mode, exists := fs.FileMode(0o666), false
	switch info, err := os.Lstat(target); {
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: it is a %s", ErrTarget, typeWord(info.Mode()))
	case err == nil:
		mode, exists = info.Mode().Perm(), true
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	f, temp, err := createTemp(target, mode)
	if err != nil {
		return nil, err
	}
	a := &atomicFile{File: f, temp: temp, target: target, durability: d}
	if exists {
		// The mode at creation went through the umask.
		if err := f.Chmod(mode); err != nil {
			a.abandon()
			return nil, err
		}
	}
	return a, nil
}

// commit puts the file in the target's place. After an error the old content is
// still there, unless it was the last step that failed, the sync of the folder:
// then the new one is, but a power cut may bring back the old.
func (a *atomicFile) commit() error {
	if a.durability == PowerLoss {
		if err := a.Sync(); err != nil {
			return err
		}
	}
	if err := a.settle(); err != nil {
		return err
	}
	// Rename before close: closing gives up the lock, and what is not locked
	// another writer takes for left behind.
	if err := os.Rename(a.temp, a.target); err != nil {
		return err
	}
	a.done = true
	_ = a.Close() // settle has asked
	if a.durability == PowerLoss {
		return syncFolder(filepath.Dir(a.target))
	}
	return nil
}

// settle asks for the errors that some file systems keep until a file is closed,
// such as a quota on a server, while the old content is still in place: it closes a
// second descriptor, which leaves the first one its lock.
func (a *atomicFile) settle() error {
	fd, err := unix.FcntlInt(a.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	return os.NewSyscallError("close", unix.Close(fd))
}

// abandon removes the temporary file. It does nothing after a commit.
func (a *atomicFile) abandon() {
	if a.done {
		return
	}
	a.done = true
	_ = os.Remove(a.temp) // what is left is cleared by the next writer
	_ = a.Close()
}

func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// followLinks returns the path that a symbolic link leads to, whether or not
// there is something yet, so that the link itself stays.
func followLinks(path string) (string, error) {
	for range 40 { // as many as the kernel follows
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			// Not cleaned: ".." after a linked folder is the kernel's to resolve.
			next = filepath.Dir(path) + string(filepath.Separator) + next
		}
		path = next
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: unix.ELOOP}
}

func typeWord(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m&fs.ModeNamedPipe != 0:
		return "pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}
