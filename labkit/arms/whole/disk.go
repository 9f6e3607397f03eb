package whole

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// blockUnit is the unit of st_blocks, whatever the file system's block size.
const blockUnit = 512 // bytes

// Allocated returns the bytes that a file, or all files of a folder, take on
// disk: what is allocated, not what a sparse file pretends to hold. A path at
// which there is nothing is an error.
func Allocated(path string) (int64, error) {
	var total int64
	err := filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if os.IsNotExist(err) { // a store may remove a file behind the walk
			return nil
		}
		if err != nil {
			return err
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			total += stat.Blocks * blockUnit
		}
		return nil
	})
	return total, err
}
