package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// Badger's settings. The size of a memtable decides what opening, closing and an
// idle shelf cost, and a transaction holds 15 % of it; hence much less than Badger's
// default of 64 MB. Levels 0 and 1 are larger than Badger would have them for such
// memtables, so that records are merged less often. Two compactors are the fewest
// with which Badger never stops writing.
const (
	memtableSize   = 4 << 20
	valueThreshold = 64 << 10  // larger values go to the value log
	valueLogSize   = 256 << 20 // also the largest value; the file is sparse
	levelZero      = 8         // tables in level 0 that are merged into level 1
	levelZeroStall = 12        // tables in level 0 at which writing waits for that
	baseLevelSize  = 20 << 20  // of level 1
)

func badgerOptions(dir string, readOnly bool, d Durability) badger.Options {
	o := badger.DefaultOptions(dir).
		WithLogger(nil).
		WithMetricsEnabled(false).
		WithBypassLockGuard(true). // the shelf's folder is locked
		WithReadOnly(readOnly).
		WithSyncWrites(d == PowerLoss).
		WithMemTableSize(memtableSize).
		WithNumMemtables(2).
		WithBaseLevelSize(baseLevelSize).
		WithNumLevelZeroTables(levelZero).
		WithNumLevelZeroTablesStall(levelZeroStall).
		WithNumCompactors(2).
		WithValueThreshold(valueThreshold).
		WithValueLogFileSize(valueLogSize).
		WithCompression(options.None). // blocks stay in the page cache, mapped
		WithBlockCacheSize(0)
	o.NumGoroutines = 2
	return o
}

// store is the Badger store of one generation.
type store struct {
	*badger.DB
	dir     string
	readers int  // transactions and iterators that use it; guarded by Shelf.mu
	retired bool // replaced by a newer generation; guarded by Shelf.mu

	namesMu sync.Mutex
	names   time.Time // when the folder had changed last as it was synced
}

// openStore opens the store in dir. Badger takes a folder without its manifest for
// an empty store and deletes the tables in it, so that is looked for first.
func openStore(dir string, readOnly bool, d Durability) (*store, error) {
	if err := checkManifest(dir, readOnly); err != nil {
		return nil, err
	}
	if !readOnly {
		if err := os.MkdirAll(dir, 0o777); err != nil { // Badger would keep others out
			return nil, err
		}
	}
	db, err := openSafely(badgerOptions(dir, readOnly, d))
	if err != nil {
		return nil, err
	}
	return &store{DB: db, dir: dir}, nil
}

func checkManifest(dir string, readOnly bool) error {
	if _, err := os.Stat(filepath.Join(dir, badger.ManifestFilename)); err == nil {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".sst", ".vlog", ".mem":
			return fmt.Errorf("%w: %s is missing, but there is %s", ErrCorrupt, badger.ManifestFilename, e.Name())
		}
	}
	if readOnly {
		return badger.ErrTruncateNeeded // a crash between header and store
	}
	return nil
}

// openSafely turns Badger's panics over damaged files into errors. Badger has no
// error for most of them.
func openSafely(o badger.Options) (db *badger.DB, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrCorrupt, p)
		}
	}()
	if db, err = badger.Open(o); err == nil {
		return db, nil
	}
	for _, damage := range []string{"checksum", "magic", "manifest", "corrupt"} {
		if strings.Contains(err.Error(), damage) && !is(err, fs.ErrPermission) {
			return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	return nil, err
}

// close closes the store. Badger writes its last table over and over while the
// folder is missing, so a folder that vanished is put back for as long as that
// takes.
func (st *store) close() error {
	done := make(chan error, 1)
	go func() { done <- st.DB.Close() }()
	vanished := false
	for wait := time.Duration(0); ; wait = 100 * time.Millisecond {
		select {
		case err := <-done:
			if !vanished {
				return err
			}
			err = fmt.Errorf("the folder vanished, with what it held: %w", os.ErrNotExist)
			err = errors.Join(err, os.RemoveAll(st.dir))
			_ = os.Remove(filepath.Dir(st.dir)) // if nothing else is in it, it is our doing as well
			return err
		case <-time.After(wait):
		}
		if _, err := os.Stat(st.dir); os.IsNotExist(err) {
			vanished = true
			_ = os.MkdirAll(st.dir, 0o777) // tried again in the next round
		}
	}
}

// syncAll makes everything written so far survive a power loss. Badger's Sync does
// that for the newest logs alone: it leaves out memtables that wait to become
// tables, and full value logs. Tables it syncs as it writes them, so a log that
// vanishes meanwhile has become one.
func (st *store) syncAll() error {
	if err := st.Sync(); err != nil {
		return err
	}
	entries, err := os.ReadDir(st.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".mem", ".vlog":
			if err := syncPath(filepath.Join(st.dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return syncPath(st.dir)
}

// syncNames syncs the folder if files were made in it since the last time.
func (st *store) syncNames() error {
	st.namesMu.Lock()
	defer st.namesMu.Unlock()
	info, err := os.Stat(st.dir)
	if err != nil || info.ModTime().Equal(st.names) {
		return err
	}
	if err := syncPath(st.dir); err != nil {
		return err
	}
	if time.Since(info.ModTime()) > time.Second { // its clock is coarse
		st.names = info.ModTime()
	}
	return nil
}
