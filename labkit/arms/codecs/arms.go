package codecs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

const bufferSize = 64 << 10 // bytes

// Save writes *v into a new file, or over what it holds. After an error it may
// hold a part.
func Save[T any](c Codec, path string, v *T) error {
	return whole.Create(path, labkit.ProcessCrash, func(f *os.File) error {
		w := bufio.NewWriterSize(f, bufferSize)
		if err := c.Encode(w, v); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return w.Flush()
	})
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

// Arms returns an arm for each engine, all on the same value, and the first once
// more as a control.
func Arms[T any](v whole.Value[T], class labkit.Durability, engines ...Engine) []labkit.Arm {
	var arms []labkit.Arm
	for _, e := range engines {
		dump := func(path string, v T) error { return Save(e, path, &v) }
		arms = append(arms, labkit.Arm{
			Name: e.Name, Kind: e.Kind, What: e.What, Durability: class,
			Measure: whole.Turn(v, whole.Durable(class, dump), func(path string) (T, error) { return Load[T](e, path) }),
		})
	}
	if len(arms) > 0 {
		arms = append(arms, labkit.AsControl(arms[0]))
	}
	return arms
}

// Comparisons sets each engine against the first, which is the plain one, and
// the first against itself.
func Comparisons(engines ...Engine) []labkit.Comparison {
	var list []labkit.Comparison
	for _, e := range engines[min(1, len(engines)):] {
		list = append(list, labkit.Comparison{
			Role: labkit.Headline, Label: e.Name + " for " + engines[0].Name, A: e.Name, B: engines[0].Name,
			Metrics: []string{labkit.Dump.Name, labkit.Load.Name, labkit.Disk.Name},
		})
	}
	if len(engines) > 0 {
		list = append(list, labkit.ControlOf(engines[0].Name, labkit.Dump.Name, labkit.Load.Name))
	}
	return list
}
