package python

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"shelflab/labkit/arms/turn"
)

// source hands the records over: a file of JSON Lines, written once, for all
// arms and rounds of this process.
type source[V any] struct {
	*turn.Data[V]
	file *os.File // it has no name any more, so it goes with this process
	sum  uint64   // of all lines
}

// open returns the file at its beginning; it is made in dir the first time.
func (s *source[V]) open(dir string) (*os.File, error) {
	if s.file == nil {
		if err := s.write(dir); err != nil {
			return nil, err
		}
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

func (s *source[V]) write(dir string) error {
	file, err := os.CreateTemp(dir, ".records-*.jsonl")
	if err != nil {
		return err
	}
	if err := os.Remove(file.Name()); err != nil {
		return errors.Join(err, file.Close())
	}
	out := bufio.NewWriterSize(file, 1<<16)
	sum := uint64(0)
	for i := range s.Keys {
		text, err := s.line(i)
		if err != nil {
			return errors.Join(err, file.Close())
		}
		sum += digest(text)
		out.Write(text) // Flush returns its error
		out.WriteByte('\n')
	}
	if err := out.Flush(); err != nil {
		return errors.Join(err, file.Close())
	}
	s.file, s.sum = file, sum
	return nil
}

// sumOf is the checksum of the lines of keys, which are among the records.
func (s *source[V]) sumOf(keys []string) (sum uint64, err error) {
	for _, key := range keys {
		at, _ := slices.BinarySearch(s.Keys, key)
		text, err := s.line(at)
		if err != nil {
			return 0, err
		}
		sum += digest(text)
	}
	return sum, nil
}

// digest is what turn.py adds up.
func digest(line []byte) uint64 {
	sum := sha256.Sum256(line)
	return binary.BigEndian.Uint64(sum[:])
}

// line is record i as Python's json writes it, byte for byte, so that a checksum
// of what was read can be compared.
func (s *source[V]) line(i int) ([]byte, error) {
	object := any(&s.Values[i])
	if s.Object != nil {
		object = s.Object(&s.Values[i])
	}
	return json.Marshal([]any{s.Keys[i], object}, json.WithMarshalers(pythonic), json.Deterministic(true))
}

// pythonic writes floating-point numbers as such: JSON would make a whole number
// of 50.0, which takes less room in a store.
var pythonic = json.JoinMarshalers(
	json.MarshalToFunc(func(out *jsontext.Encoder, f float64) error { return writeFloat(out, f) }),
	json.MarshalToFunc(func(out *jsontext.Encoder, f float32) error { return writeFloat(out, float64(f)) }),
)

func writeFloat(out *jsontext.Encoder, f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return errors.New("JSON has no NaN and no infinities, and Python gets the records as JSON")
	}
	return out.WriteValue(jsontext.Value(repr(f)))
}

// repr is a float as Python prints it.
func repr(f float64) string {
	if size := math.Abs(f); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if f == math.Trunc(f) {
		text += ".0"
	}
	return text
}
