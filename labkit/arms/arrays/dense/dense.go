// Package dense keeps an array as gonum's matrices write themselves. It is by
// itself so that a program without it links no gonum.
package dense

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"

	"gonum.org/v1/gonum/mat"

	"shelflab/labkit/arms/arrays"
	"shelflab/labkit/records"
)

// Form is the binary marshalling of mat.Dense: a header with rows and columns,
// then 8 bytes a value, little endian. A number that was altered is not noticed.
// gonum has no matrix without values: an empty array is arrays.ErrShape.
func Form() arrays.Form {
	return arrays.Form{
		Name: "gonum", Kind: arrays.Binary, What: "mat.Dense.MarshalBinary", Special: true, Payload: true,
		Dump: dump, Load: load,
	}
}

func dump(path string, array [][]float64) error {
	flat, rows, err := arrays.Flat(array)
	if err != nil {
		return err
	}
	if rows == 0 {
		return fmt.Errorf("%w: gonum has no matrix without values", arrays.ErrShape)
	}
	data, err := mat.NewDense(rows, len(flat)/rows, flat).MarshalBinary()
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

func load(path string) ([][]float64, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	// gonum multiplies the counts of its header unchecked, and panics where that
	// overflows.
	if !countsFit(data) {
		return nil, fmt.Errorf("%w: %s: its size is not that of its rows and columns", arrays.ErrCorrupt, path)
	}
	var m mat.Dense
	if err := m.UnmarshalBinary(data); err != nil {
		return nil, fmt.Errorf("%w: %s: %v", arrays.ErrCorrupt, path, err)
	}
	raw := m.RawMatrix()
	return records.Rows(raw.Data, raw.Rows), nil
}

// The header of gonum's format: its kind in 8 bytes, rows and columns in 8 bytes
// each, little endian, and two more counts that a dense matrix does not use.
const (
	rowsAt     = 8
	columnsAt  = 16
	headerSize = 40
)

func countsFit(data []byte) bool {
	if len(data) < headerSize {
		return false
	}
	over, values := bits.Mul64(binary.LittleEndian.Uint64(data[rowsAt:]), binary.LittleEndian.Uint64(data[columnsAt:]))
	return over == 0 && values == uint64(len(data)-headerSize)/8
}
