package arrays_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit/arms/arrays"
	"shelflab/labkit/arms/arrays/dense"
	"shelflab/labkit/records"
)

func forms() []arrays.Form {
	return append(arrays.Forms(), dense.Form(), arrays.SlowText(), arrays.SlowRaw())
}

// each runs a test for every form, with a path of its own.
func each(t *testing.T, test func(t *testing.T, f arrays.Form, path string)) {
	for _, f := range forms() {
		t.Run(strings.ReplaceAll(f.Name, "/", " "), func(t *testing.T) { test(t, f, filepath.Join(t.TempDir(), "array")) })
	}
}

func random(t *testing.T, rows int) [][]float64 {
	t.Helper()
	a, err := records.Array(3, rows, records.Random)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func there(t *testing.T, f arrays.Form, path string, a [][]float64) [][]float64 {
	t.Helper()
	if err := f.Dump(path, a); err != nil {
		t.Fatalf("dump: %v", err)
	}
	back, err := f.Load(path)
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	return back
}

func TestRoundTrips(t *testing.T) {
	each(t, func(t *testing.T, f arrays.Form, path string) {
		ones, err := records.Array(1, 7, records.Ones)
		if err != nil {
			t.Fatal(err)
		}
		finite := []float64{math.Copysign(0, -1), 0, math.SmallestNonzeroFloat64, math.MaxFloat64, -math.MaxFloat64, 5e-320, 0.1, 1.0 / 3, 1 << 53, 1e21}
		for name, a := range map[string][][]float64{
			"ones": ones, "random": random(t, 40), "one value": {{3}}, "one row": {finite}, "one column": {{1}, {2}, {3}},
			"rows that do not follow one another": {{1, 2}, {3, 4}}, "overlapping rows": {ones[0][:5], ones[0][1:6]},
		} {
			back := there(t, f, path, a) // over the file of the one before
			if records.SumArray(back) != records.SumArray(a) {
				t.Errorf("%s: %v came back as %v", name, a, back)
			}
		}
	})
}

// NaN with and without a payload, infinities, negative zero, the smallest and
// the largest: kept to the bit, or refused by the forms that say so.
func TestSpecialValues(t *testing.T) {
	each(t, func(t *testing.T, f arrays.Form, path string) {
		for _, x := range records.Special() {
			a := [][]float64{{1, x}, {x, -1}}
			bad := math.IsNaN(x) || math.IsInf(x, 0)
			err := f.Dump(path, a)
			if bad && !f.Special {
				var unsupported *json.UnsupportedValueError
				if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), path) {
					t.Errorf("%v: %v, want a refusal that names the file", x, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%v: %v", x, err)
				continue
			}
			back, err := f.Load(path)
			if err != nil || len(back) != 2 || math.Float64bits(back[0][1]) != math.Float64bits(x) || records.SumArray(back) != records.SumArray(a) {
				t.Errorf("%v (%#x) came back as %v, %v", x, math.Float64bits(x), back, err)
			}
		}
	})
}

func TestShapes(t *testing.T) {
	each(t, func(t *testing.T, f arrays.Form, path string) {
		for name, a := range map[string][][]float64{"ragged": {{1, 2}, {3}}, "empty row": {{}, {}}, "longer": {{1}, {2, 3}}, "last empty": {{1}, {}}} {
			if !f.Ragged {
				err := f.Dump(path, a)
				if !errors.Is(err, arrays.ErrShape) {
					t.Errorf("%s: %v, want ErrShape", name, err)
				}
				if _, err := os.Stat(path); err == nil {
					t.Errorf("%s: a file was made all the same", name)
				}
				continue
			}
			if back := there(t, f, path, a); records.SumArray(back) != records.SumArray(a) {
				t.Errorf("%s: %v came back as %v", name, a, back)
			}
		}
	})
}

func TestNoRows(t *testing.T) {
	each(t, func(t *testing.T, f arrays.Form, path string) {
		for _, a := range [][][]float64{nil, {}} {
			if f.Name == "gonum" {
				if err := f.Dump(path, a); !errors.Is(err, arrays.ErrShape) {
					t.Errorf("%v, want ErrShape", err)
				}
				continue
			}
			if back := there(t, f, path, a); back == nil || len(back) != 0 {
				t.Errorf("%v came back as %v", a, back)
			}
		}
	})
}

// Whatever its length, a cut or extended file is refused; the line break behind
// JSON's last bracket is all that may be missing.
func TestCutAndExtended(t *testing.T) {
	each(t, func(t *testing.T, f arrays.Form, path string) {
		there(t, f, path, random(t, 4))
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for n := range whole {
			if f.Name == "JSON" && n == len(whole)-1 {
				continue
			}
			refuses(t, f, path, fmt.Sprintf("the first %d bytes", n), whole[:n])
		}
		for _, more := range []string{"x", "\x00", "1\n", string(whole)} {
			refuses(t, f, path, fmt.Sprintf("%d bytes more", len(more)), append(bytes.Clone(whole), more...))
		}
	})
}

// write makes a new file each time: to cut the old one down to nothing first
// has some file systems wait for the device.
func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, data, 0o600)); err != nil {
		t.Fatal(err)
	}
}

func refuses(t *testing.T, f arrays.Form, path, what string, data []byte) {
	t.Helper()
	write(t, path, data)
	back, err := f.Load(path)
	if !errors.Is(err, arrays.ErrCorrupt) || !strings.Contains(err.Error(), path) || back != nil {
		t.Errorf("%s of %d: %v, %v; want ErrCorrupt that names the file", what, len(data), back, err)
	}
}

// Bits of every byte of a small file are turned, one at a time. The forms with a checksum notice
// all of it; each other form takes at least one for another array, which is what
// the package comment says of it.
func TestAltered(t *testing.T) {
	each(t, func(t *testing.T, f arrays.Form, path string) {
		there(t, f, path, random(t, 3))
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		unnoticed := 0
		for i := range whole {
			for _, bit := range []int{0, 3, 7} {
				altered := bytes.Clone(whole)
				altered[i] ^= 1 << bit
				write(t, path, altered)
				back, err := f.Load(path)
				switch {
				case err == nil:
					unnoticed++
					if f.Checked {
						t.Errorf("byte %d, bit %d: taken for %v", i, bit, back)
					}
				case !errors.Is(err, arrays.ErrCorrupt) || back != nil:
					t.Errorf("byte %d, bit %d: %v, %v", i, bit, back, err)
				}
			}
		}
		if !f.Checked && unnoticed == 0 {
			t.Error("it notices everything, which its Checked denies")
		}
	})
}

// A few bytes that claim more values than any memory holds are refused before
// anything is made for them.
func TestClaims(t *testing.T) {
	each(t, func(t *testing.T, f arrays.Form, path string) {
		for name, data := range map[string][]byte{
			"nothing": nil, "text": []byte("hello"), "zeros": make([]byte, 100), "ones": bytes.Repeat([]byte{0xff}, 100),
			"another form's": []byte("SHELFRW1\xff\xff\xff\xff\xff\xff\xff\x7f\x02\x00\x00\x00\x00\x00\x00\x00    "),
		} {
			if f.Name == "encoding/binary" && name == "zeros" {
				data = append([]byte{1, 0, 0, 0, 0, 0, 0, 0, 1}, make([]byte, 99)...)
			}
			refuses(t, f, path, name, data)
		}
		if back, err := f.Load(path + " is not there"); !errors.Is(err, os.ErrNotExist) || errors.Is(err, arrays.ErrCorrupt) || back != nil {
			t.Errorf("no file: %v, %v", back, err)
		}
		if err := f.Dump(filepath.Join(path, "in a file"), [][]float64{{1}}); err == nil {
			t.Error("a path that cannot be: no error")
		}
		if _, err := f.Load(filepath.Dir(path)); err == nil {
			t.Error("a folder was loaded")
		}
	})
}

// The slow engines write the files of the fast ones and read them: what differs
// is the engine alone.
func TestEnginesShareTheirProtocol(t *testing.T) {
	a := random(t, 12)
	copy(a[0], records.Special())
	copy(a[1], records.Special()[12:])
	for _, pair := range [][2]arrays.Form{{arrays.TextForm(), arrays.SlowText()}, {arrays.Raw(), arrays.SlowRaw()}} {
		var files [2][]byte
		for i, f := range pair {
			path := filepath.Join(t.TempDir(), "array")
			if err := f.Dump(path, a); err != nil {
				t.Fatal(err)
			}
			back, err := pair[1-i].Load(path)
			if err != nil || records.SumArray(back) != records.SumArray(a) {
				t.Errorf("%s does not read what %s wrote: %v", pair[1-i].Name, f.Name, err)
			}
			files[i], _ = os.ReadFile(path)
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s and %s write different files", pair[0].Name, pair[1].Name)
		}
	}
}

// The layout on disk is a promise to files that exist.
func TestFilesAreGolden(t *testing.T) {
	a := [][]float64{{1, math.Copysign(0, -1), 0.1}, {math.NaN(), math.Inf(1), math.Float64frombits(0x7ff8_0000_dead_beef)}}
	for name, want := range map[string]string{
		"text": "shelflab array, text 1: 2 rows of 3\n1\n-0\n0.1\nNaN\n+Inf\nNaN:7ff80000deadbeef\ncrc32c 534ebe84\n",
		"raw": "SHELFRW1\x02\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00" +
			"\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00\x80\x9a\x99\x99\x99\x99\x99\xb9?" +
			"\x01\x00\x00\x00\x00\x00\xf8\x7f\x00\x00\x00\x00\x00\x00\xf0\x7f\xef\xbe\xad\xde\x00\x00\xf8\x7f" + "\xc4\xf1\r\x05",
	} {
		for _, f := range forms() {
			if f.Name != name {
				continue
			}
			path := filepath.Join(t.TempDir(), "array")
			there(t, f, path, a)
			if got, _ := os.ReadFile(path); string(got) != want {
				t.Errorf("%s:\n%q, want\n%q", name, got, want)
			}
		}
	}
}

// Any rectangle of any bits comes back from every form that carries them.
func TestAnyArray(t *testing.T) {
	each(t, func(t *testing.T, f arrays.Form, path string) {
		rapid.Check(t, func(t *rapid.T) {
			rows, columns := rapid.IntRange(1, 5).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "columns")
			a := make([][]float64, rows)
			for i := range a {
				for range columns {
					x := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
					if !f.Special && (math.IsNaN(x) || math.IsInf(x, 0)) {
						x = 0
					}
					a[i] = append(a[i], x)
				}
			}
			if err := f.Dump(path, a); err != nil {
				t.Fatal(err)
			}
			back, err := f.Load(path)
			if err != nil || records.SumArray(back) != records.SumArray(a) {
				t.Fatalf("%v came back as %v, %v", a, back, err)
			}
		})
	})
}

func TestFlat(t *testing.T) {
	a := random(t, 5)
	flat, rows, err := arrays.Flat(a)
	if err != nil || rows != 5 || len(flat) != 25 || &flat[0] != &a[0][0] {
		t.Errorf("rows that follow one another: %d values, %d rows, %v; want no copy", len(flat), rows, err)
	}
	a[1], a[2] = a[2], a[1]
	if flat, _, err = arrays.Flat(a); err != nil || &flat[0] == &a[0][0] || flat[5] != a[1][0] || flat[24] != a[4][4] {
		t.Errorf("rows in another order: %v, %v", flat, err)
	}
	if flat, rows, err = arrays.Flat(nil); flat != nil || rows != 0 || err != nil {
		t.Errorf("no rows: %v, %d, %v", flat, rows, err)
	}
}
