package arrays

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"shelflab/labkit/records"
)

// What a decoder takes for an array must come back from what Dump makes of it,
// and both engines of a protocol must agree on it. The checksum is made right
// first, or nothing but checksums would be tested.
func FuzzText(f *testing.F) {
	f.Add([]byte("shelflab array, text 1: 2 rows of 2\n1\n-0\nNaN:7ff80000deadbeef\n+Inf\n"))
	f.Add([]byte("shelflab array, text 1: 0 rows of 0\n"))
	f.Add([]byte("shelflab array, text 1: 4294967296 rows of 4294967296\n1\n"))
	f.Add([]byte("shelflab array, text 1: 1 rows of 2\n 0x1p-2\n1_0\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		text := append(bytes.Clone(body), fmt.Sprintf(textTail, crc32.Checksum(body, castagnoli))...)
		array, err := parseText(text, parseNumbers)
		slow, slowErr := parseText(text, scanNumbers)
		if err != nil {
			return // fmt skips blanks that strconv does not take
		}
		if slowErr != nil || records.SumArray(slow) != records.SumArray(array) {
			t.Fatalf("the engines differ: %v, and %v %v", array, slow, slowErr)
		}
		again(t, array, TextForm())
	})
}

func FuzzRaw(f *testing.F) {
	one := "\x01\x00\x00\x00\x00\x00\x00\x00"
	f.Add([]byte(rawMagic + one + one + "\x00\x00\x00\x00\x00\x00\xf0?"))
	f.Add([]byte(rawMagic + "\x00\x00\x00\x00\x00\x00\x00\x80" + "\x02\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte(rawMagic + "\x00\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := crc32.Checksum(body, castagnoli)
		data := append(bytes.Clone(body), byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
		array, err := parseRaw(bytes.NewReader(data), int64(len(data)), readWhole)
		slow, slowErr := parseRaw(bytes.NewReader(data), int64(len(data)), readSingly)
		if (err == nil) != (slowErr == nil) || records.SumArray(slow) != records.SumArray(array) {
			t.Fatalf("the engines differ: %v %v, and %v %v", array, err, slow, slowErr)
		}
		if err == nil {
			again(t, array, Raw())
		}
	})
}

func again(t *testing.T, array [][]float64, f Form) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "array")
	if err := f.Dump(path, array); err != nil {
		t.Fatalf("%v cannot be written again: %v", array, err)
	}
	back, err := f.Load(path)
	if err != nil || records.SumArray(back) != records.SumArray(array) {
		t.Fatalf("%v came back as %v, %v", array, back, err)
	}
	os.Remove(path)
}

// On a machine of the other byte order the file is the same.
func TestOtherByteOrder(t *testing.T) {
	values := []float64{1, 0.1}
	var file bytes.Buffer
	if err := writeWhole(&file, values); err != nil {
		t.Fatal(err)
	}
	foreign := bytes.Clone(file.Bytes())
	reverse(foreign) // as such a machine would hold them
	bigEndian = !bigEndian
	defer func() { bigEndian = !bigEndian }()
	back := make([]float64, 2)
	if err := readWhole(bytes.NewReader(foreign), back); err != nil || back[0] != 1 || back[1] != 0.1 {
		t.Errorf("read as %v, %v", back, err)
	}
	var other bytes.Buffer
	if err := writeWhole(&other, values); err != nil || !bytes.Equal(other.Bytes(), foreign) {
		t.Errorf("written as %x, want %x", other.Bytes(), foreign)
	}
	if values[0] != 1 || values[1] != 0.1 {
		t.Errorf("writing has changed the values: %v", values)
	}
}
