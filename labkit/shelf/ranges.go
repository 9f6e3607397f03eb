package shelf

import (
	"bytes"
	"iter"
)

// All yields every entry in the order of keys, as bytes compare, and as they were
// when the loop began: writes meanwhile, the loop's own too, do not show. A value
// that cannot be read comes with its key and an error, and the loop goes on with
// the next one; any other error comes with an empty key and ends it. The loop may
// be left in any way. It reads about 4 MB ahead and decodes on all cores.
func (s *Shelf[V]) All() iter.Seq2[Entry[V], error] {
	return s.scan("all", bounds{storedKey(""), []byte{keyPrefix + 1}}, false)
}

// Prefix yields, like All, the entries whose keys begin with prefix.
func (s *Shelf[V]) Prefix(prefix string) iter.Seq2[Entry[V], error] {
	from := storedKey(prefix)
	return s.scan("prefix", bounds{from, successor(from)}, false)
}

// Range yields, like All, the entries with from <= key < to. An empty to is no
// bound; one that is not above from gives nothing.
func (s *Shelf[V]) Range(from, to string) iter.Seq2[Entry[V], error] {
	in := bounds{storedKey(from), storedKey(to)}
	if to == "" {
		in.to = []byte{keyPrefix + 1}
	}
	return s.scan("range", in, false)
}

// Keys yields every key in order, without reading the values; otherwise like All.
func (s *Shelf[V]) Keys() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for e, err := range s.scan("keys", bounds{storedKey(""), []byte{keyPrefix + 1}}, true) {
			if !yield(e.Key, err) {
				return
			}
		}
	}
}

// successor returns the first key after all that begin with prefix, which begins
// with keyPrefix.
func successor(prefix []byte) []byte {
	end := bytes.TrimRight(prefix, "\xff")
	end = bytes.Clone(end)
	end[len(end)-1]++
	return end
}

// Len counts the keys. It reads all of them, but not the values.
func (s *Shelf[V]) Len() (int, error) {
	n := 0
	for _, err := range s.scan("len", bounds{storedKey(""), []byte{keyPrefix + 1}}, true) {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}
