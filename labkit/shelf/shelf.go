package shelf

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"shelflab/labkit/gobwire"
)

// Entry is a key with its value.
type Entry[V any] = gobwire.Entry[V]

// Shelf is an open shelf of values of type V. Its methods may be called from many
// goroutines at once.
type Shelf[V any] struct {
	path  string
	opts  Options
	lock  *lock
	codec *gobwire.Codec[V]
	types registry[V]
	space space

	// writing is held shared by each write and alone while a new generation is
	// made, since a write to the old one would be lost.
	writing sync.RWMutex

	closed atomic.Bool
	unsure atomic.Bool     // which generation a power loss would leave: no more writes
	open   context.Context // ended by Close: iterators give their views up
	shut   context.CancelFunc

	mu         sync.Mutex
	idle       sync.Cond // on mu: a store lost its last reader
	store      *store
	stores     int    // open stores, this and retired ones
	discardErr error  // of retired stores
	view       *view  // shared read transaction; nil after a write
	writes     uint64 // counts writes, so that a view from before one is not shared

	headerMu sync.Mutex
	header   *header

	closeOnce sync.Once
	closeErr  error
}

// Open opens the shelf in the folder dir, and makes it where there is none, parents
// included; o.Mode has other ways. The shelf is this opener's alone until Close
// (in ReadOnly mode it is shared with other readers): any other one, in this
// process or another, gets ErrLocked.
//
// ErrType: gob would not carry V whole, or the shelf holds values of another type.
// An older or newer form of V's struct opens the shelf by gob's rules: fields are
// matched by name. ErrFormat: dir is a file, a folder of something else, or a shelf
// of a newer format. ErrNotFound: there is none, and o.Mode needs one. ErrNoSpace:
// the disk is so full that recovering from a crash, or starting to write, might
// not end well; a shelf that was closed can still be read in ReadOnly mode. In all
// these cases what was there is as it was.
func Open[V any](dir string, o Options) (*Shelf[V], error) {
	s := &Shelf[V]{path: dir, opts: o}
	s.idle.L = &s.mu
	s.open, s.shut = context.WithCancel(context.Background())
	fail := func(err error) (*Shelf[V], error) { return nil, s.fail("open", err) }
	if o.Mode < Create || o.Mode > Fresh || o.Durability < ProcessCrash || o.Durability > PowerLoss {
		return fail(fmt.Errorf("unknown option: %v, %v", o.Mode, o.Durability))
	}
	var err error
	if s.path, err = filepath.Abs(dir); err != nil { // a later chdir changes nothing
		return fail(err)
	}
	if s.codec, err = gobwire.New[V](); err != nil {
		return fail(err)
	}
	if err := s.findFolder(); err != nil {
		return fail(err)
	}
	if s.lock, err = acquireLock(s.path, s.readOnly()); err != nil {
		return fail(err)
	}
	if err := s.openLocked(); err != nil {
		return fail(errors.Join(err, s.lock.release()))
	}
	return s, nil
}

// findFolder makes the folder where the mode says so.
func (s *Shelf[V]) findFolder() error {
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && (s.opts.Mode == Create || s.opts.Mode == Fresh):
		return makeFolder(s.path)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%w: it is no folder", ErrFormat)
	}
	return nil
}

// makeFolder makes dir and its parents, and syncs the names of those it makes.
func makeFolder(dir string) error {
	var holders []string // of new names
	for made := dir; !exists(made) && filepath.Dir(made) != made; made = filepath.Dir(made) {
		holders = append(holders, filepath.Dir(made))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, holder := range holders {
		if err := syncPath(holder); err != nil && !errors.Is(err, fs.ErrPermission) { // it may be for writing only
			return err
		}
	}
	return nil
}

// openLocked reads the header, checks the types and opens the store.
func (s *Shelf[V]) openLocked() error {
	h, err := readHeader(s.path)
	switch {
	case err != nil:
		return err
	case h == nil && (s.opts.Mode == Existing || s.opts.Mode == ReadOnly):
		return fmt.Errorf("%w: the folder is empty", ErrNotFound)
	}
	fresh := h == nil || s.opts.Mode == Fresh
	if !fresh {
		if err := s.types.load(s.codec, h.Descriptions); err != nil {
			return err
		}
		s.header = h
	}
	if !s.readOnly() {
		if err := s.lock.sign(s.path); err != nil {
			return err
		}
	}
	if fresh {
		// Before anything is made; of the new store there is nothing yet.
		if err := roomToOpen(filepath.Join(s.path, "new")); err != nil {
			return err
		}
		if err := s.startEmpty(h); err != nil {
			return err
		}
	}
	dir := generationDir(s.path, s.header.Generation)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: its store %s is missing", ErrCorrupt, filepath.Base(dir))
	}
	if !s.readOnly() {
		if err := roomToOpen(dir); err != nil {
			return err
		}
	}
	st, err := openStore(dir, s.readOnly(), s.opts.Durability)
	if err != nil {
		return err
	}
	if err := s.settleOpen(fresh && h != nil); err != nil {
		return errors.Join(err, st.close())
	}
	s.store, s.stores = st, 1
	s.space.start(s.path)
	return nil
}

// startEmpty makes the header of a new generation and an empty folder for its
// store. In a folder without a header, the new one is written at once: a store
// without a header is no shelf. In place of an older shelf it is written when the
// new store is open.
func (s *Shelf[V]) startEmpty(old *header) error {
	s.header = &header{Generation: 1, Next: 1}
	if old != nil {
		s.header.Generation, s.header.Next = old.Generation+1, old.next()
		for exists(generationDir(s.path, s.header.Generation)) { // left by a crash, or of a newer header
			s.header.Generation++
		}
	}
	d, err := s.types.add(s.codec, s.header.Next)
	if err != nil {
		return err
	}
	s.header.Descriptions = []description{d}
	s.header.Next++
	if err := os.MkdirAll(generationDir(s.path, s.header.Generation), 0o777); err != nil {
		return err
	}
	if old != nil {
		return nil
	}
	return writeHeader(s.path, s.header)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// settleOpen ends an opening for writing: it commits the header of a shelf that
// was emptied, and then removes what no header names. It comes last, when the
// store that the header names has been found whole: next to an older header, the
// folder of a newer generation is the only copy of what it holds.
func (s *Shelf[V]) settleOpen(emptied bool) error {
	if s.readOnly() {
		return nil
	}
	if emptied {
		if err := writeHeader(s.path, s.header); err != nil {
			return err
		}
	}
	return removeStrays(s.path, s.header.Generation)
}

func (s *Shelf[V]) readOnly() bool { return s.opts.Mode == ReadOnly }

// Path returns the absolute path of the shelf's folder.
func (s *Shelf[V]) Path() string { return s.path }

// Close ends the use of the shelf: what was written is flushed, and the next
// opener may come. Reads and writes under way are waited for, and iterators end
// with ErrClosed; afterwards every method gives ErrClosed. Calling Close again
// returns the first result. If the folder has vanished, Close says so.
func (s *Shelf[V]) Close() error {
	s.closeOnce.Do(func() {
		s.closed.Store(true)
		s.shut()
		s.writing.Lock() // writes under way end first
		defer s.writing.Unlock()
		s.dropView()
		s.mu.Lock()
		for s.store.readers > 0 || s.stores > 1 {
			s.idle.Wait()
		}
		s.mu.Unlock()
		if err := errors.Join(s.store.close(), s.lock.release(), s.discardErr); err != nil {
			s.closeErr = s.fail("close", err)
		}
	})
	return s.closeErr
}

// Sync makes everything written so far survive a power loss, in any durability
// class.
func (s *Shelf[V]) Sync() error {
	if s.readOnly() {
		return nil
	}
	return s.write(func(st *store) error {
		if err := st.syncAll(); err != nil {
			return s.fail("sync", err)
		}
		return nil
	})
}
