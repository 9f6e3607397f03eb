package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"github.com/dgraph-io/badger/v4"

	"shelflab/labkit/gobwire"
)

// The errors of this package wrap one of these with the shelf's path and, where
// there is one, the key.
var (
	ErrNotFound = errors.New("not found")                      // no such key; no such shelf (Existing, ReadOnly)
	ErrLocked   = errors.New("locked by another opener")       // open elsewhere, in this process or another
	ErrClosed   = errors.New("shelf is closed")                // used after Close
	ErrReadOnly = errors.New("read-only")                      // written to in ReadOnly mode; or a crash must be recovered from by writing
	ErrKey      = errors.New("key is too long")                // longer than MaxKey
	ErrTooLarge = errors.New("value is too large")             // longer than MaxValue when encoded
	ErrFormat   = errors.New("not a shelf of this version")    // a file, a folder of something else, a newer format
	ErrNoSpace  = errors.New("too little space on the disk")   // less than the reserve is left
	ErrUnsure   = errors.New("the shelf must be opened again") // before it is written to: the disk failed in a Compact, Clear or Restore
	ErrType     = gobwire.ErrType                              // V does not fit gob, the value, or what is stored
	ErrCorrupt  = gobwire.ErrCorrupt                           // what is stored cannot be read
)

// fail names the shelf and what was done to it.
func (s *Shelf[V]) fail(doing string, err error) error {
	return fmt.Errorf("shelf %s: %s: %w", s.path, doing, translate(err))
}

// failKey names the key as well, of a long one its beginning.
func (s *Shelf[V]) failKey(doing, key string, err error) error {
	return fmt.Errorf("shelf %s: %s %s: %w", s.path, doing, shortKey(key), translate(err))
}

// atKey names the key of an error that will get the shelf's path later.
func atKey(key string, err error) error {
	return fmt.Errorf("key %s: %w", shortKey(key), err)
}

func shortKey(key string) string {
	const most = 64
	if len(key) > most {
		return strconv.Quote(key[:most]) + "…"
	}
	return strconv.Quote(key)
}

// translate puts Badger's and the system's errors under this package's.
func translate(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, badger.ErrKeyNotFound):
		return ErrNotFound
	case is(err, badger.ErrDBClosed), is(err, badger.ErrBlockedWrites):
		return ErrClosed
	case is(err, badger.ErrTruncateNeeded):
		return fmt.Errorf("%w: it was not closed after the last writing; open it for writing once, which recovers it", ErrReadOnly)
	case is(err, syscall.ENOSPC) && !errors.Is(err, ErrNoSpace):
		return fmt.Errorf("%w: %w", ErrNoSpace, err)
	case is(err, fs.ErrNotExist) && !errors.Is(err, ErrNotFound):
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %w", fs.ErrPermission, err)
	}
	return err
}

// is looks at the text as well: Badger puts errors into one another as text.
func is(err, target error) bool {
	return errors.Is(err, target) || strings.Contains(err.Error(), target.Error())
}
