package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// reserve is the space that writes leave on the disk, in bytes. Badger maps its
// files into memory and grows them by touching them: where the disk is full, the
// system kills the process. So there must be room for all that Badger may still
// write of its own: its memtables and their logs, the tables of level 0 and, while
// it merges those, of level 1.
const reserve = (3*2+levelZeroStall)*memtableSize + 2*baseLevelSize

// space looks at the free space of the disk now and then.
type space struct {
	dir    string
	budget atomic.Int64 // bytes until the next look
}

func (sp *space) start(dir string) { sp.dir = dir }

// overhead is what a record takes beside its key and value, in bytes and at most.
const overhead = 64

// take announces a write of n bytes. ErrNoSpace where it would leave less than
// keep bytes free: reserve, or half of that for what is there to make room.
func (sp *space) take(n, keep int) error {
	need := int64(n + overhead)
	if sp.budget.Add(-need) >= 0 {
		return nil
	}
	free, err := freeBytes(sp.dir)
	if err != nil {
		return err
	}
	// Once in the log and once in a table.
	left := free - int64(keep) - 2*need
	if left < 0 {
		sp.budget.Store(0)
		return fmt.Errorf("%w: %d bytes are free, of which %d are kept in reserve", ErrNoSpace, free, keep)
	}
	sp.budget.Store(max(0, min(free-reserve, memtableSize)/4))
	return nil
}

func freeBytes(dir string) (int64, error) {
	var disk unix.Statfs_t
	err := unix.Statfs(dir, &disk)
	return int64(disk.Bavail) * int64(disk.Bsize), err
}

// roomToOpen refuses, with ErrNoSpace, to open the store in dir for writing where
// that may fill the disk. What a crash left in memtable logs becomes tables, and
// may be written once more in a merge; new logs are begun. Tables that are there
// may be merged at once, but half of the reserve is always enough for that, as it
// is for deleting: a full shelf must stay open to those who make room.
func roomToOpen(dir string) error {
	free, err := freeBytes(filepath.Dir(dir))
	if err != nil {
		return err
	}
	var logs, tables int64
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		switch filepath.Ext(e.Name()) {
		case ".mem":
			logs += allocated(info)
		case ".sst":
			tables += allocated(info)
		}
	}
	need := 2*logs + 2*memtableSize
	need = max(need, min(need+tables, reserve/2))
	if free < need {
		return fmt.Errorf("%w: %d bytes are free, and opening may need %d", ErrNoSpace, free, need)
	}
	return nil
}

func allocated(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Blocks * 512
	}
	return 0
}

// DiskBytes returns the bytes that the disk has allocated for the files of the
// shelf in dir, open or not: blocks, not lengths, since Badger's open files are
// mostly holes.
func DiskBytes(dir string) (int64, error) {
	var total int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil {
			info, err = d.Info()
		}
		if errors.Is(err, fs.ErrNotExist) && total > 0 {
			return nil // an open shelf replaces files
		}
		if err != nil {
			return err
		}
		total += allocated(info)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("size of shelf %s: %w", dir, err)
	}
	return total, nil
}
