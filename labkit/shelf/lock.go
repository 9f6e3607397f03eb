package shelf

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// lock is a flock on the shelf's folder, the same that Badger takes: exclusive for
// a writer, shared for readers. The system drops it with the process, so what a
// crash leaves behind is no obstacle.
type lock struct {
	folder *os.File
	pid    string // LOCK file, for a writer
}

// acquireLock returns at once, with ErrLocked where another opener is in the way.
func acquireLock(dir string, shared bool) (*lock, error) {
	folder, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	how := unix.LOCK_EX
	if shared {
		how = unix.LOCK_SH
	}
	for {
		err = unix.Flock(int(folder.Fd()), how|unix.LOCK_NB)
		if err != unix.EINTR {
			break
		}
	}
	if err == nil {
		return &lock{folder: folder}, nil
	}
	folder.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fmt.Errorf("%w%s", ErrLocked, holder(dir))
	}
	return nil, fmt.Errorf("lock of the folder: %w", err)
}

// holder says who holds the lock, as far as the LOCK file tells.
func holder(dir string) string {
	raw, err := os.ReadFile(filepath.Join(dir, lockName))
	if err != nil {
		return " (for reading)"
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil || pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return "" // left by a process that is gone
	}
	if pid == os.Getpid() {
		return " (this process)"
	}
	return fmt.Sprintf(" (process %d)", pid)
}

// sign writes the LOCK file.
func (l *lock) sign(dir string) error {
	l.pid = filepath.Join(dir, lockName)
	return os.WriteFile(l.pid, fmt.Appendf(nil, "%d\n", os.Getpid()), 0o666)
}

// release gives the lock up; the LOCK file goes first, while it is still ours.
func (l *lock) release() error {
	var err error
	if l.pid != "" {
		if raw, readErr := os.ReadFile(l.pid); readErr == nil && bytes.Equal(raw, fmt.Appendf(nil, "%d\n", os.Getpid())) {
			err = os.Remove(l.pid)
		}
	}
	// Closing is not enough: a process that this one is just starting has a copy of
	// the descriptor until it runs its program, and the lock belongs to both.
	return errors.Join(err, unix.Flock(int(l.folder.Fd()), unix.LOCK_UN), l.folder.Close())
}
