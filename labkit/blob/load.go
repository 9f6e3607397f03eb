package blob

import (
	"fmt"
	"os"
	"reflect"
	"sync"

	"golang.org/x/sys/unix"
)

// Load reads the value that Save wrote to path, on all cores. What comes back is
// what was saved, by gob's rules (the package comment has the table), in a fresh
// value, or an error and the zero value: never a part of it.
//
// No file at path is ErrNotFound. A file that is torn, changed, extended, or no
// blob is ErrCorrupt; a folder or a pipe is [ErrTarget] as well. A file that holds
// another type is ErrType: either the name of the type or what it is made of must
// be the same, so that a struct may change over the years, and a program may move
// it to another package. An indexed blob is ErrType: that is for Open.
//
// The keys of a map of strings share their memory, some hundred at a time: one key
// that outlives its map keeps its neighbours' bytes (a few kilobytes) with it.
//
// Memory: for a map or a slice, Load allocates at most 1.3 times the size of the
// file beyond what it returns, and a megabyte (with records that are alike). Most of
// that is gob's own copy of every chunk, which the garbage collector may take at
// once, so the peak is lower where it runs meanwhile. For anything else it is up to
// eight times the file. Lengths and counts in the file are checked against its size
// before anything is allocated; checksums do not protect from a file that was made
// to do harm: load what you trust.
func Load[T any](path string) (T, error) { return LoadWith[T](path, Options{}) }

// LoadWith is Load with options.
func LoadWith[T any](path string, opts Options) (T, error) {
	var v T
	if err := load(path, &v, opts); err != nil {
		var zero T
		return zero, describe("load", path, err)
	}
	return v, nil
}

func load[T any](path string, v *T, opts Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	c, err := codecOf[T]()
	if err != nil {
		return err
	}
	f, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h, m, err := readHeader(f)
	if err != nil {
		return err
	}
	if h.kind == kindIndexed {
		return fmt.Errorf("%w: it is an indexed blob: use Open", ErrType)
	}
	value := through(reflect.ValueOf(v).Elem())
	if h.kind != layoutOf(value.Type()) {
		return fmt.Errorf("%w: it holds %s, not %s", ErrType, m.name, c.Name())
	}
	if h.kind == kindValue {
		return loadBody(f, h, m, c, v)
	}
	if err := c.fits(m); err != nil {
		return err
	}
	if m.shape != c.Shape() {
		// gob's word on whether it would decode one into the other.
		if _, err := c.decoder(m); err != nil {
			return err
		}
	}
	l := loader{file: f, header: h, at: h.framesAt(), value: value, types: newChunkTypes(value.Type()), decoders: new(sync.Pool)}
	l.types.preamble = m.preamble
	return l.run(opts)
}

// openFile opens path for reading. A pipe must not make it wait for a writer.
func openFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
}

func loadBody[T any](f *os.File, h header, m meta, c *codec[T], v *T) error {
	d, err := c.decoder(m)
	if err != nil {
		return err
	}
	frame, err := readFrame(f, nil, h.framesAt(), h.length)
	if err != nil {
		return err
	}
	body, records, err := openFrame(frame, h.framesAt())
	if err != nil {
		return err
	}
	if records != 1 || h.records != 1 || h.framesAt()+int64(len(frame)) != h.length {
		return corrupt("not the one value that it claims")
	}
	return d.Decode(body, v)
}
