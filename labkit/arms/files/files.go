// Package files is one file a key as a peer: a folder, in which every record is a
// file of its own that holds a primed gob.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/gobwire"
)

// Name is the arm's.
const Name = "one file a key"

// Arm is a folder with a file for each record.
func Arm[V any](d *turn.Data[V], class labkit.Durability) labkit.Arm {
	return labkit.Arm{
		Name: Name, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class,
		What: "a file for each record in one folder, primed gob, written in place",
		Measure: turn.Keyed(d,
			turn.Filled(len(d.Keys), func(path string) (*Store[V], error) { return Create[V](path, class) },
				func(s *Store[V]) error {
					for i, key := range d.Keys {
						if err := s.Put(key, d.Values[i]); err != nil {
							return err
						}
					}
					return nil
				}),
			func(path string) (turn.Store[V], error) { return Open[V](path) },
			func(path string) (turn.Changer[V], error) { return Edit[V](path, class) }),
	}
}

// Store is a folder of records.
type Store[V any] struct {
	path    string
	class   labkit.Durability
	codec   *gobwire.Codec[V]
	decoder *gobwire.Decoder[V]
}

// description is the file that describes the values' type; no key has such a name.
const description = ".description"

// Create makes a new folder. A put survives class, and a crash in the middle of
// one leaves half a file.
func Create[V any](path string, class labkit.Durability) (*Store[V], error) {
	codec, err := gobwire.New[V]()
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return nil, err
	}
	if class == labkit.PowerLoss {
		if err := whole.SyncFolder(filepath.Dir(path)); err != nil {
			return nil, err
		}
	}
	s := &Store[V]{path: path, class: class, codec: codec}
	if err := s.write(description, codec.Description()); err != nil {
		return nil, err
	}
	return s, s.prime()
}

// Open opens a folder that Create made, for reading.
func Open[V any](path string) (*Store[V], error) { return Edit[V](path, labkit.ProcessCrash) }

// Edit opens a folder that Create made, for writing too: see there.
func Edit[V any](path string, class labkit.Durability) (*Store[V], error) {
	codec, err := gobwire.New[V]()
	if err != nil {
		return nil, err
	}
	s := &Store[V]{path: path, class: class, codec: codec}
	return s, s.prime()
}

func (s *Store[V]) prime() error {
	text, err := os.ReadFile(filepath.Join(s.path, description))
	if err == nil {
		s.decoder, err = s.codec.Decoder(text)
	}
	return err
}

func (s *Store[V]) write(name string, body []byte) error {
	return whole.Create(filepath.Join(s.path, name), s.class, func(f *os.File) error {
		_, err := f.Write(body)
		return err
	})
}

// Put writes one record.
func (s *Store[V]) Put(key string, v V) error {
	body, err := s.codec.Append(nil, &v)
	if err != nil {
		return err
	}
	return s.write(escape(key), body)
}

// Update changes the record under key, or returns turn.ErrNotFound: it reads the
// file and writes it anew, and nothing keeps another writer from doing the same.
// An error of change leaves the record as it was.
func (s *Store[V]) Update(key string, change func(*V) error) error {
	v, err := s.Get(key)
	if err != nil {
		return err
	}
	if err := change(&v); err != nil {
		return err
	}
	return s.Put(key, v)
}

// Get returns the record under key, or turn.ErrNotFound.
func (s *Store[V]) Get(key string) (v V, err error) {
	body, err := os.ReadFile(filepath.Join(s.path, escape(key)))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%q: %w", key, turn.ErrNotFound)
	}
	if err == nil {
		err = s.decoder.Decode(body, &v)
	}
	return v, err
}

// All yields the records in the order of their files' names.
func (s *Store[V]) All() iter.Seq2[turn.Entry[V], error] {
	return func(yield func(turn.Entry[V], error) bool) {
		list, err := os.ReadDir(s.path)
		if err != nil {
			yield(turn.Entry[V]{}, err)
			return
		}
		for _, file := range list {
			if file.Name() == description {
				continue
			}
			var e turn.Entry[V]
			if e.Key, err = url.PathUnescape(file.Name()); err == nil {
				e.Value, err = s.Get(e.Key)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// Close does nothing: no file stays open.
func (s *Store[V]) Close() error { return nil }

// escape turns a key into the name of a file, on file systems too that do not
// tell capitals from small letters.
func escape(key string) string {
	var name strings.Builder
	for _, b := range []byte(key) {
		if b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '_' || b == '-' {
			name.WriteByte(b)
		} else {
			fmt.Fprintf(&name, "%%%02x", b)
		}
	}
	return name.String()
}
