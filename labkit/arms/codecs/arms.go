package codecs

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

const bufferSize = 64 << 10 // bytes

// Save writes *v into a new file, or over what it holds. After an error it may
// hold a part.
func Save[T any](c Codec, path string, v *T) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, bufferSize)
	if err := c.Encode(w, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return w.Flush()
}

// Load reads what Save has written. A file that is cut short is an error; what
// follows the value is not looked at.
func Load[T any](c Codec, path string) (v T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return v, err
	}
	defer f.Close()
	if err := c.Decode(bufio.NewReaderSize(f, bufferSize), &v); err != nil {
		if errors.Is(err, io.EOF) { // it must not end a caller's loop
			err = fmt.Errorf("%w: %v", ErrCorrupt, err)
		}
		var none T
		return none, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// Arms returns an arm for each engine, all on the same value.
func Arms[T any](v whole.Value[T], engines ...Engine) []labkit.Arm {
	var arms []labkit.Arm
	for _, e := range engines {
		arms = append(arms, labkit.Arm{
			Name: e.Name, Kind: e.Kind, What: e.What,
			Measure: whole.Turn(v,
				func(path string, v T) error { return Save(e, path, &v) },
				func(path string) (T, error) { return Load[T](e, path) }),
		})
	}
	return arms
}

// Array is a square array of so many rows as the arms keep it, see records.Array.
func Array(seed uint64, rows int, content string) (whole.Value[[][]float64], error) {
	array, err := records.Array(seed, rows, content)
	return whole.Value[[][]float64]{V: array, N: rows, Sum: records.SumArray, Payload: 8 * int64(rows) * int64(rows)}, err
}

// Hierarchy is n parts in one as the arms keep it, see records.Hierarchy.
func Hierarchy(seed uint64, n int) whole.Value[records.Part] {
	return whole.Value[records.Part]{
		V: *records.Hierarchy(seed, n), N: n,
		Sum: func(p records.Part) uint64 { return records.SumPart(&p) },
	}
}

// Tree is n small objects with pointers as the arms keep it, see records.Tree;
// at least one.
func Tree(seed uint64, n int) whole.Value[records.Node] {
	return whole.Value[records.Node]{
		V: *records.Tree(seed, max(n, 1)), N: n,
		Sum: func(n records.Node) uint64 { return records.SumTree(&n) },
	}
}

// Comparisons sets each engine against the first, which is the plain one.
func Comparisons(engines ...Engine) []labkit.Comparison {
	var list []labkit.Comparison
	for _, e := range engines[min(1, len(engines)):] {
		list = append(list, labkit.Comparison{
			Role: labkit.Headline, Label: e.Name + " instead of " + engines[0].Name, A: e.Name, B: engines[0].Name,
			Metrics: []string{labkit.Dump.Name, labkit.Load.Name, labkit.Disk.Name},
		})
	}
	return list
}
