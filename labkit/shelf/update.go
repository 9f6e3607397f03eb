package shelf

import (
	"bytes"
	"errors"

	"github.com/dgraph-io/badger/v4"
)

// errRaced says that another writer changed a value between reading and writing.
var errRaced = errors.New("raced with another write")

// Update reads the value under key, lets change work on it, and stores it, as one
// step: no write of another goroutine is lost. ErrNotFound where there is no
// value. Where another writer comes in between, change runs again on the newer
// value, so it should only touch what it is given; it may use the shelf. An error
// of change ends the update, which then has written nothing.
//
// A value that was written by a newer form of V, with fields that V lacks, is
// refused with ErrType: writing it back would erase them.
func (s *Shelf[V]) Update(key string, change func(*V) error) error {
	err := errRaced
	for err == errRaced {
		err = s.update(key, change)
	}
	if err != nil {
		return s.failKey("update", key, err)
	}
	return nil
}

func (s *Shelf[V]) update(key string, change func(*V) error) error {
	if err := s.writable(); err != nil {
		return err
	}
	old, err := s.read(key)
	if err != nil {
		return err
	}
	if err := s.lossless(key, old); err != nil {
		return err
	}
	value, err := s.decode(key, old)
	if err != nil {
		return err
	}
	if err := change(&value); err != nil {
		return err
	}
	p, err := s.prepare(key, &value)
	if err != nil {
		return err
	}
	err = s.commit(p.size(), reserve, func(txn *badger.Txn) error {
		err := lookup(txn, p.key, func(stored []byte) error {
			if !bytes.Equal(stored, old) {
				return errRaced
			}
			return nil
		})
		switch {
		case isMissing(err):
			return errRaced // with a deletion: the next round finds nothing
		case err != nil:
			return err
		}
		return txn.Set(p.key, p.value)
	})
	return p.freeAfter(err)
}

// read returns a copy of what is stored under key.
func (s *Shelf[V]) read(key string) (stored []byte, err error) {
	view, err := s.acquire()
	if err != nil {
		return nil, err
	}
	defer s.release(view)
	err = view.lookup(key, func(raw []byte) error {
		stored = bytes.Clone(raw)
		return nil
	})
	return stored, err
}
