package dicts

import (
	"bufio"
	"encoding/gob"
	"fmt"
	"os"
	"unique"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

// saveGob is one gob.Encode of any value into a file, as most programs do it.
func saveGob[T any](class labkit.Durability) func(path string, v T) error {
	return func(path string, v T) error {
		return whole.Create(path, class, func(f *os.File) error { return gob.NewEncoder(f).Encode(v) })
	}
}

// loadGob is one gob.Decode. gob has no checksum: it notices a cut, but not what
// was changed inside a string, or stands behind the value.
func loadGob[T any](path string) (v T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return v, err
	}
	defer f.Close()
	err = gob.NewDecoder(f).Decode(&v)
	return v, err
}

// saveEach writes the number of dictionaries and then each of them as a message
// of one gob encoder, which describes the type once.
func saveEach(class labkit.Durability) func(string, []map[string]string) error {
	return func(path string, list []map[string]string) error {
		return whole.Create(path, class, func(f *os.File) error {
			w := bufio.NewWriterSize(f, 64<<10)
			encoder := gob.NewEncoder(w)
			if err := encoder.Encode(len(list)); err != nil {
				return err
			}
			for _, m := range list {
				if m == nil { // gob refuses it at the top, and loads an empty one elsewhere
					m = map[string]string{}
				}
				if err := encoder.Encode(m); err != nil {
					return err
				}
			}
			return w.Flush()
		})
	}
}

// LoadInterned reads what saveEach has written, a dictionary at a time, and
// keeps each string as unique.Make gives it: equal strings share their memory
// (those between two collections of garbage, which forget what no handle
// holds; of strings that repeat that leaves a few copies).
func LoadInterned(path string) ([]map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	decoder := gob.NewDecoder(bufio.NewReaderSize(f, 64<<10))
	count := 0
	if err := decoder.Decode(&count); err != nil {
		return nil, err
	}
	var list []map[string]string // grows with what is there, whatever the count says
	scratch := map[string]string{}
	for i := range count {
		clear(scratch) // gob adds to what is there
		if err := decoder.Decode(&scratch); err != nil {
			return nil, fmt.Errorf("dictionary %d of %d: %w", i, count, err)
		}
		m := make(map[string]string, len(scratch))
		for key, value := range scratch {
			m[unique.Make(key).Value()] = unique.Make(value).Value()
		}
		list = append(list, m)
	}
	return list, nil
}
