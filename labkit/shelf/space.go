package shelf

import (
	"errors"
	"fmt"
	"io/fs"
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
	var disk unix.Statfs_t
	if err := unix.Statfs(sp.dir, &disk); err != nil {
		return err
	}
	free := int64(disk.Bavail) * int64(disk.Bsize)
	// Once in the log and once in a table.
	left := free - int64(keep) - 2*need
	if left < 0 {
		sp.budget.Store(0)
		return fmt.Errorf("%w: %d bytes are free, of which %d are kept in reserve", ErrNoSpace, free, keep)
	}
	sp.budget.Store(max(0, min(free-reserve, memtableSize)/4))
	return nil
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
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			total += st.Blocks * 512
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("size of shelf %s: %w", dir, err)
	}
	return total, nil
}
