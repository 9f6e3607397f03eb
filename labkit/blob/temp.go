package blob

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Temporary files stand beside their target, as ".NAME.blobtmp0" to ".NAME.blobtmp7".
// Each is locked (flock) by its writer as long as that lives, so one that can be
// locked was left behind by a killed one. Fixed names let the next writer find
// those without listing a folder of any size.
const tempSlots = 8

// createTemp makes and locks a temporary file for target, and clears those that
// dead writers left.
func createTemp(target string, mode fs.FileMode) (*os.File, string, error) {
	var mine *os.File
	var name string
	for slot := range tempSlots {
		temp := tempName(target, slot)
		clearStale(temp)
		if mine != nil {
			continue
		}
		f, err := claim(temp, mode)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, "", err
		}
		mine, name = f, temp
	}
	if mine == nil {
		return nil, "", fmt.Errorf("%d writers at once are at work on this path", tempSlots)
	}
	return mine, name, nil
}

// claim creates and locks temp. An error that is fs.ErrExist says that another
// writer has it.
func claim(temp string, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, mode)
	if err != nil {
		return nil, err
	}
	// In the moment before the lock, another writer may have taken the file for
	// left behind.
	if errors.Is(lock(f), unix.EWOULDBLOCK) || !standsAt(f, temp) {
		_ = f.Close()
		return nil, fs.ErrExist
	}
	return f, nil
}

// clearStale removes temp if no writer holds it. Whatever else stands there, a
// pipe or a link, is left alone.
func clearStale(temp string) {
	if info, err := os.Lstat(temp); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.OpenFile(temp, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	// While this lock is held nobody else moves the file, so the name still is
	// this file's when it is removed.
	if lock(f) == nil && standsAt(f, temp) {
		_ = os.Remove(temp)
	}
}

// lock takes the lock of f, or fails with EWOULDBLOCK where another holds it. A
// file system without locks gives another error: writing goes on, and no file is
// taken for left behind.
func lock(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}

// standsAt says whether path is the name of f.
func standsAt(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(path)
	return err == nil && os.SameFile(a, b)
}

// tempName shortens long names, so that every name that a target may have will do.
func tempName(target string, slot int) string {
	dir, name := filepath.Split(target)
	if len(name) > 200 {
		short := strings.ToValidUTF8(name[:180], "")
		name = fmt.Sprintf("%s~%08x", short, crc32.Checksum([]byte(name), castagnoli))
	}
	return fmt.Sprintf("%s.%s.blobtmp%d", dir, name, slot)
}
