// Package arrays keeps an array of float64 in a file, in every form that a Go
// program may choose: as text, or as binary of some kind. It is the trick of the
// protocol.
//
// Goals: to write as such a program would, to give every value back bit by bit
// (NaN with its payload, infinities, negative zero), and to say of each form what
// it refuses and what damage it does not notice. Not goals: atomic replacement,
// which blob has; compression; arrays larger than memory.
//
//	form             numbers                        shape, and what it notices
//	text             one a line, shortest digits    header and CRC-32C: cut, extended, altered
//	JSON             shortest digits                brackets: cut, extended; a changed digit not
//	gob rows         bytes reversed, zeros cut off  lengths: cut, extended; a changed number not
//	gob slice        the same                       the same
//	encoding/binary  8 bytes each, little endian    rows and columns: cut, extended; a changed number not
//	gonum            8 bytes each, little endian    rows and columns: cut, extended; a changed number not
//	raw              8 bytes each, little endian    header and CRC-32C: cut, extended, altered
//
// Every Load checks the counts that a file claims against its size before it
// allocates by them, and what follows the end is damage too. A damaged file is
// ErrCorrupt, with the path; one that is not there is the system's error.
package arrays

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/records"
)

var (
	// ErrShape says that a form cannot carry the array: its rows differ in
	// length, or hold no values, where the form keeps one rectangle.
	ErrShape = errors.New("shape of the array")
	// ErrCorrupt says that a file is not what Dump wrote.
	ErrCorrupt = errors.New("corrupt")
)

// Form is one way of writing an array into a file. Dump makes the file or
// replaces what it holds; after an error it may hold a part. Both are safe for
// concurrent use on different files. An array of no rows is carried; a nil one
// comes back empty.
type Form struct {
	Name string // as tables show it
	Kind string // Text or Binary
	What string // one line: how the numbers are written
	Dump func(path string, array [][]float64) error
	// Load gives rows that follow one another in one slice, except where the
	// form keeps each row for itself.
	Load func(path string) ([][]float64, error)

	Special bool // carries NaN and infinities; without it Dump refuses them
	Payload bool // a NaN comes back with its payload
	Ragged  bool // carries rows of unequal length and of none
	Checked bool // Load notices any altered byte; without it only a cut, an extension and a broken frame
}

// The kinds of forms.
const (
	Text   = "text"
	Binary = "binary"
)

// Forms lists the forms that need the standard library alone; gonum's is in the
// package dense.
func Forms() []Form {
	return []Form{TextForm(), JSON(), GobRows(), GobSlice(), EncodingBinary(), Raw()}
}

// shape returns rows and columns of a rectangle; ErrShape for what is none.
func shape(array [][]float64) (rows, columns int, err error) {
	for i, row := range array {
		switch {
		case len(row) == 0:
			return 0, 0, fmt.Errorf("%w: row %d holds no values, which this form cannot tell from no row", ErrShape, i)
		case len(row) != len(array[0]):
			return 0, 0, fmt.Errorf("%w: row %d holds %d values and row 0 %d: this form keeps rows of one length", ErrShape, i, len(row), len(array[0]))
		}
	}
	if len(array) == 0 {
		return 0, 0, nil
	}
	return len(array), len(array[0]), nil
}

// Flat returns the values of all rows in one slice: those of the array itself if
// its rows follow one another in memory, as records.Rows cuts them, otherwise
// copies. Rows that differ in length or hold no values are ErrShape.
func Flat(array [][]float64) (flat []float64, rows int, err error) {
	rows, columns, err := shape(array)
	if err != nil || rows == 0 {
		return nil, 0, err
	}
	if whole := array[0][:cap(array[0])]; len(whole) >= rows*columns {
		whole = whole[:rows*columns]
		for i, row := range array {
			if &whole[i*columns] != &row[0] {
				whole = nil
				break
			}
		}
		if whole != nil {
			return whole, rows, nil
		}
	}
	flat = make([]float64, 0, rows*columns)
	for _, row := range array {
		flat = append(flat, row...)
	}
	return flat, rows, nil
}

// fits tells whether a file of size bytes can hold rows x columns values of
// width bytes each beside a frame, exactly or, where exact is false, at least.
func fits(size, frame int64, rows, columns uint64, width int64, exact bool) bool {
	room := uint64(max(size-frame, 0)) / uint64(width)
	if rows == 0 || columns == 0 {
		return rows == columns && (!exact || size == frame)
	}
	if rows > room || columns > room/rows {
		return false
	}
	return !exact || size-frame == int64(rows*columns)*width
}

// cut makes the rows of what was read.
func cut(flat []float64, rows uint64) [][]float64 { return records.Rows(flat, int(rows)) }

// bufferSize is that of files that are read and written in pieces, in bytes.
const bufferSize = 64 << 10

// create has write fill a new file.
func create(path string, write func(w *bufio.Writer) error) error {
	return whole.Create(path, labkit.ProcessCrash, func(f *os.File) error {
		w := bufio.NewWriterSize(f, bufferSize)
		if err := write(w); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return w.Flush()
	})
}

// open has read take a whole file of size bytes: bytes that it leaves are
// ErrCorrupt, and so is whatever it refuses.
func open(path string, read func(r *bufio.Reader, size int64) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(f, bufferSize)
	if err := read(r, info.Size()); err != nil {
		return corrupt(path, err)
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return corrupt(path, errors.Join(errors.New("bytes follow the end"), err))
	}
	return nil
}

// corrupt wraps what a decoder has refused. %v: an io.EOF of its must not end a
// caller's loop.
func corrupt(path string, err error) error {
	var system *os.PathError
	if errors.As(err, &system) {
		return err
	}
	return fmt.Errorf("%w: %s: %v", ErrCorrupt, path, err)
}
