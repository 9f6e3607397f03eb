package shelf

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// Compact gives back the space of deleted and overwritten values: it writes what
// is there into a new store and puts that in place of the old one. Afterwards the
// shelf takes about the size of its keys and encoded values, and 2 MB. It needs
// that much space while it runs, and ErrNoSpace says where that is missing. Reads
// go on, writes wait, and a crash leaves either store. A value that cannot be read
// ends it with ErrCorrupt, and nothing is changed.
func (s *Shelf[V]) Compact() error {
	err := s.replace(func(old, next *store, current uint64) ([]description, error) {
		used := map[uint64]bool{current: true}
		if err := s.copyAll(old, next, used); err != nil {
			return nil, err
		}
		var kept []description
		for _, d := range s.headerNow().Descriptions {
			if used[uint64(d.Number)] {
				kept = append(kept, d)
			}
		}
		return kept, nil
	})
	if err != nil {
		return s.fail("compact", err)
	}
	return nil
}

// copyAll copies the records of one store to another, and notes which
// descriptions they need.
func (s *Shelf[V]) copyAll(from, to *store, used map[uint64]bool) error {
	w := to.NewWriteBatch()
	defer w.Cancel()
	err := eachStored(from, func(key, stored []byte) error {
		if _, _, err := s.decoder(string(key[1:]), stored); err != nil {
			return atKey(string(key[1:]), err)
		}
		n, _ := binary.Uvarint(stored[4:])
		used[n] = true
		if err := s.space.take(len(key)+len(stored), reserve/2); err != nil {
			return err
		}
		return w.Set(bytes.Clone(key), bytes.Clone(stored))
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// eachStored calls do with every record of st, as it is stored, in key order.
func eachStored(st *store, do func(key, stored []byte) error) (err error) {
	defer recovered(&err)
	txn := st.NewTransaction(false)
	defer txn.Discard()
	o := badger.DefaultIteratorOptions
	o.PrefetchValues = false
	it := txn.NewIterator(o)
	defer it.Close()
	for it.Seek([]byte{keyPrefix}); it.ValidForPrefix([]byte{keyPrefix}); it.Next() {
		item := it.Item()
		if err := item.Value(func(stored []byte) error { return do(item.Key(), stored) }); err != nil {
			return err
		}
	}
	return nil
}

// Clear removes everything at once, in the time of opening an empty shelf. A crash
// leaves all or nothing.
func (s *Shelf[V]) Clear() error {
	err := s.replace(func(_, _ *store, current uint64) ([]description, error) {
		for _, d := range s.headerNow().Descriptions {
			if uint64(d.Number) == current {
				return []description{d}, nil
			}
		}
		return nil, fmt.Errorf("type %d is not in the header", current)
	})
	if err != nil {
		return s.fail("clear", err)
	}
	return nil
}
