package labkit

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// dropCache has the page cache forget the file at path, or all files below it.
// They are synced first: a page that the device does not have yet stays.
func dropCache(path string) error {
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := f.Sync(); err != nil {
			return err
		}
		return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
	})
	if err != nil {
		return fmt.Errorf("the page cache could not be dropped (%w)", err)
	}
	return nil
}
