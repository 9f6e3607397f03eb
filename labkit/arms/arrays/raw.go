package arrays

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"unsafe"
)

// The raw form, version 1, all numbers little endian:
//
//	8 bytes  "SHELFRW1"
//	8 bytes  rows
//	8 bytes  columns
//	8 bytes  for each value, row by row: the bits of a float64
//	4 bytes  CRC-32C of everything before it
const (
	rawMagic = "SHELFRW1"
	rawHead  = len(rawMagic) + 16
	rawTail  = 4
)

// Raw writes the values as they lie in memory, in one call.
func Raw() Form {
	return rawForm("raw", "the memory of all values, little endian", writeWhole, readWhole)
}

// SlowRaw writes the same file as Raw, a number at a time through
// encoding/binary: the general engine for binary that every Go programmer knows.
func SlowRaw() Form {
	return rawForm("raw, by encoding/binary", "binary.Write of one value after another", writeSingly, readSingly)
}

func rawForm(name, what string, write func(io.Writer, []float64) error, read func(io.Reader, []float64) error) Form {
	return Form{
		Name: name, Kind: Binary, What: what, Special: true, Payload: true, Checked: true,
		Dump: func(path string, array [][]float64) error { return dumpRaw(path, array, write) },
		Load: func(path string) ([][]float64, error) { return loadRaw(path, read) },
	}
}

func dumpRaw(path string, array [][]float64, write func(io.Writer, []float64) error) error {
	flat, rows, err := Flat(array)
	if err != nil {
		return err
	}
	return create(path, func(w *bufio.Writer) error {
		sum := crc32.New(castagnoli)
		both := io.MultiWriter(w, sum)
		head := append([]byte(nil), rawMagic...)
		head = binary.LittleEndian.AppendUint64(head, uint64(rows))
		head = binary.LittleEndian.AppendUint64(head, uint64(len(flat)/max(rows, 1)))
		if _, err := both.Write(head); err != nil {
			return err
		}
		if err := write(both, flat); err != nil {
			return err
		}
		_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
		return err
	})
}

func loadRaw(path string, read func(io.Reader, []float64) error) (array [][]float64, err error) {
	err = open(path, func(r *bufio.Reader, size int64) error {
		array, err = parseRaw(r, size, read)
		return err
	})
	return orNothing(array, err)
}

func parseRaw(r io.Reader, size int64, read func(io.Reader, []float64) error) ([][]float64, error) {
	head := make([]byte, rawHead)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	counts, ok := bytes.CutPrefix(head, []byte(rawMagic))
	if !ok {
		return nil, errors.New("it does not begin with the header of a raw array")
	}
	rows, columns := binary.LittleEndian.Uint64(counts), binary.LittleEndian.Uint64(counts[8:])
	if !fits(size, int64(rawHead+rawTail), rows, columns, 8, true) {
		return nil, fmt.Errorf("its %d bytes are not %d rows of %d", size, rows, columns)
	}
	sum := crc32.New(castagnoli)
	sum.Write(head)
	flat := make([]float64, rows*columns)
	if err := read(io.TeeReader(r, sum), flat); err != nil {
		return nil, err
	}
	tail := make([]byte, rawTail)
	if _, err := io.ReadFull(r, tail); err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(tail) != sum.Sum32() {
		return nil, errors.New("it is not what its checksum says")
	}
	return cut(flat, rows), nil
}

// bigEndian tells whether this machine keeps the bytes of a number in the order
// that is not the file's.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

func writeWhole(w io.Writer, values []float64) error {
	memory := memoryOf(values)
	if bigEndian {
		memory = bytes.Clone(memory)
		reverse(memory)
	}
	_, err := w.Write(memory)
	return err
}

func readWhole(r io.Reader, values []float64) error {
	memory := memoryOf(values)
	if _, err := io.ReadFull(r, memory); err != nil {
		return err
	}
	if bigEndian {
		reverse(memory)
	}
	return nil
}

// memoryOf is the memory of values as bytes, not a copy. It is in use as long as
// the bytes are; any bytes are some float64, so writing to it is safe too.
func memoryOf(values []float64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), 8*len(values))
}

// reverse turns the bytes of each value round.
func reverse(memory []byte) {
	for ; len(memory) >= 8; memory = memory[8:] {
		binary.BigEndian.PutUint64(memory, binary.LittleEndian.Uint64(memory))
	}
}

func writeSingly(w io.Writer, values []float64) error {
	for _, x := range values {
		if err := binary.Write(w, binary.LittleEndian, x); err != nil {
			return err
		}
	}
	return nil
}

func readSingly(r io.Reader, values []float64) error {
	for i := range values {
		if err := binary.Read(r, binary.LittleEndian, &values[i]); err != nil {
			return err
		}
	}
	return nil
}
