package arrays

import (
	"bufio"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
)

// JSON is the array of arrays that encoding/json makes. NaN and infinities have
// no place in JSON: Dump refuses them. A digit that was altered is another number.
func JSON() Form {
	return Form{
		Name: "JSON", Kind: Text, What: "encoding/json: an array of arrays, shortest digits", Ragged: true,
		Dump: func(path string, array [][]float64) error {
			if array == nil {
				array = [][]float64{} // not null
			}
			return create(path, func(w *bufio.Writer) error { return json.NewEncoder(w).Encode(array) })
		},
		Load: func(path string) (array [][]float64, err error) {
			err = open(path, func(r *bufio.Reader, _ int64) error {
				decoder := json.NewDecoder(r)
				if err := decoder.Decode(&array); err != nil {
					return err
				}
				if _, err := decoder.Token(); err != io.EOF {
					return errors.Join(errors.New("more follows the array"), err)
				}
				return nil
			})
			return orNothing(array, err)
		},
	}
}

// GobRows is one gob of the array as it is, a slice of slices. A number that was
// altered is not noticed.
func GobRows() Form {
	return Form{
		Name: "gob rows", Kind: Binary, What: "one gob of [][]float64", Special: true, Payload: true, Ragged: true,
		Dump: func(path string, array [][]float64) error {
			return create(path, func(w *bufio.Writer) error { return gob.NewEncoder(w).Encode(array) })
		},
		Load: func(path string) (array [][]float64, err error) {
			err = open(path, func(r *bufio.Reader, _ int64) error { return gob.NewDecoder(r).Decode(&array) })
			return orNothing(array, err)
		},
	}
}

// slice is what GobSlice writes.
type slice struct {
	Rows   int
	Values []float64
}

// GobSlice is one gob of all values in one slice, with the number of rows. A
// number that was altered is not noticed.
func GobSlice() Form {
	return Form{
		Name: "gob slice", Kind: Binary, What: "one gob of all values as []float64", Special: true, Payload: true,
		Dump: func(path string, array [][]float64) error {
			flat, rows, err := Flat(array)
			if err != nil {
				return err
			}
			return create(path, func(w *bufio.Writer) error { return gob.NewEncoder(w).Encode(slice{rows, flat}) })
		},
		Load: func(path string) ([][]float64, error) {
			var in slice
			err := open(path, func(r *bufio.Reader, _ int64) error {
				if err := gob.NewDecoder(r).Decode(&in); err != nil {
					return err
				}
				if values := len(in.Values); in.Rows < 0 || in.Rows > values || (values > 0 && (in.Rows == 0 || values%in.Rows != 0)) {
					return errors.New("the values do not make that many rows")
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			return cut(in.Values, uint64(in.Rows)), nil
		},
	}
}

// EncodingBinary is encoding/binary's writing of a slice of numbers, behind the
// numbers of rows and columns, all little endian. A number that was altered is
// not noticed.
func EncodingBinary() Form {
	const frame = 16 // bytes: two counts
	return Form{
		Name: "encoding/binary", Kind: Binary, What: "binary.Write of []float64, little endian", Special: true, Payload: true,
		Dump: func(path string, array [][]float64) error {
			flat, rows, err := Flat(array)
			if err != nil {
				return err
			}
			counts := []uint64{uint64(rows), uint64(len(flat) / max(rows, 1))}
			return create(path, func(w *bufio.Writer) error {
				return errors.Join(binary.Write(w, binary.LittleEndian, counts), binary.Write(w, binary.LittleEndian, flat))
			})
		},
		Load: func(path string) (array [][]float64, err error) {
			err = open(path, func(r *bufio.Reader, size int64) error {
				counts := make([]uint64, 2)
				if err := binary.Read(r, binary.LittleEndian, counts); err != nil {
					return err
				}
				if !fits(size, frame, counts[0], counts[1], 8, true) {
					return errors.New("its size is not that of its rows and columns")
				}
				flat := make([]float64, counts[0]*counts[1])
				if err := binary.Read(r, binary.LittleEndian, flat); err != nil {
					return err
				}
				array = cut(flat, counts[0])
				return nil
			})
			return orNothing(array, err)
		},
	}
}

// orNothing makes sure that no part of an array comes back with an error.
func orNothing(array [][]float64, err error) ([][]float64, error) {
	if err != nil {
		return nil, err
	}
	if array == nil {
		array = [][]float64{}
	}
	return array, nil
}
