package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"shelflab/labkit/gobwire"
)

// Errors of this package wrap one of these, and name the path (and the key, where
// there is one). What the operating system says is wrapped too: a missing file is
// both ErrNotFound and [fs.ErrNotExist], a forbidden one is [fs.ErrPermission].
var (
	// ErrNotFound: no file has this path, or no record has this key.
	ErrNotFound = errors.New("not found")

	// ErrCorrupt: the file is not what Save or Pack wrote: torn, changed,
	// extended, or never a blob. Nothing was decoded from what is damaged.
	ErrCorrupt = errors.New("corrupt, or no blob")

	// ErrVersion: the file is a blob of a newer format than this package reads.
	ErrVersion = errors.New("newer format")

	// ErrType: the value cannot be carried without loss, or the file holds a
	// value of another type or a blob of the other kind.
	ErrType = errors.New("type does not fit")

	// ErrOrder: Pack was given a key that is not above the key before it.
	ErrOrder = errors.New("keys do not ascend")

	// ErrKey: Pack was given a key of more than [MaxKey] bytes.
	ErrKey = errors.New("unusable key")

	// ErrOption: an option has a value without a meaning.
	ErrOption = errors.New("unknown option value")

	// ErrClosed: the indexed blob was closed.
	ErrClosed = errors.New("closed")

	// ErrNoSpace: the device is full or a quota or size limit is reached. What
	// the path held before is still there, whole (but see [Save]).
	ErrNoSpace = errors.New("no space left")

	// ErrTarget: the path leads to something that is no regular file (a folder,
	// a pipe, a device), which Save and Pack do not replace.
	ErrTarget = errors.New("not a regular file")
)

// describe names the operation and the path, and adds the sentinel that stands
// for what a layer below reported.
func describe(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("blob: %s %q: %w", op, path, classify(err))
}

func classify(err error) error {
	for _, c := range []struct{ cause, sentinel error }{
		{gobwire.ErrType, ErrType},
		{gobwire.ErrCorrupt, ErrCorrupt},
		{fs.ErrNotExist, ErrNotFound},
		{fs.ErrClosed, ErrClosed},
		{syscall.ENOSPC, ErrNoSpace},
		{syscall.EDQUOT, ErrNoSpace},
		{syscall.EFBIG, ErrNoSpace},
	} {
		if errors.Is(err, c.cause) && !errors.Is(err, c.sentinel) {
			return fmt.Errorf("%w: %w", c.sentinel, err)
		}
	}
	return err
}

// corrupt says what is wrong with the file, and where.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrCorrupt}, args...)...)
}

func versionError(v uint16) error {
	return fmt.Errorf("%w: format %d, and this package reads %d: use a newer one", ErrVersion, v, formatVersion)
}
