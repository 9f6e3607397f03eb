package kill

import (
	"bufio"
	"encoding/gob"
	"os"

	"shelflab/labkit"
	"shelflab/labkit/arms/live"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/arms/whole"
)

// PairUnsafe marks what a program must not do: it is there to be caught.
const PairUnsafe = "unsafe"

// InPlace is one plain gob that overwrites the file in place: while that is under
// way there is neither the old one nor the new.
func InPlace(class labkit.Durability) Subject {
	s := subject("gob, in place", turn.KindSnapshot, PairUnsafe, class, "one plain gob into the file itself, without a temporary one")
	s.Whole = true
	s.Writer = func(path string, n int) (func(i int) error, error) {
		write := func(i int) error {
			return whole.Create(path, class, func(f *os.File) error { return gob.NewEncoder(f).Encode(mapped(n, i)) })
		}
		return write, write(0)
	}
	s.Look = func(path string) (Get, Close, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		var all map[string]live.Item
		err = gob.NewDecoder(f).Decode(&all)
		return get(all), nothing, err
	}
	return s
}

// Buffered is a log that acknowledges an item when it lies in a buffer of the
// process.
func Buffered(class labkit.Durability) Subject {
	s := subject("log, buffered", turn.KindKeyed, PairUnsafe, class, "items appended to a log through a buffer in memory, and acknowledged before it is flushed")
	s.Writer = func(path string, n int) (func(i int) error, error) {
		f, err := os.Create(path)
		if err != nil {
			return nil, err
		}
		buffer := bufio.NewWriterSize(f, 1<<16)
		log := gob.NewEncoder(buffer)
		for _, e := range live.Entries(n, 0) {
			if err := log.Encode(e); err != nil {
				return nil, err
			}
		}
		return func(i int) error { return log.Encode(entry(i, n)) }, buffer.Flush()
	}
	s.Look = func(path string) (Get, Close, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		all := map[string]live.Item{}
		for log := gob.NewDecoder(bufio.NewReader(f)); ; {
			var e live.Entry
			if log.Decode(&e) != nil { // the end, or a half item that was being appended
				return get(all), nothing, nil
			}
			all[e.Key] = e.Value
		}
	}
	return s
}
