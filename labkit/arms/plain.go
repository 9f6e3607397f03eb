package arms

import (
	"bytes"
	"encoding/gob"
	"iter"
	"os"

	"github.com/dgraph-io/badger/v4"

	"shelflab/labkit"
	"shelflab/labkit/arms/outline"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/arms/whole"
)

// plainStore is Badger with its default options and a fresh gob for every
// value: what a program writes that does not use labkit/shelf.
type plainStore[V any] struct{ db *badger.DB }

func openPlain[V any](class labkit.Durability) func(path string) (plainStore[V], error) {
	return func(path string) (plainStore[V], error) {
		options := badger.DefaultOptions(path).WithLogger(nil).WithSyncWrites(class == labkit.PowerLoss)
		db, err := badger.Open(options)
		return plainStore[V]{db}, err
	}
}

func (s plainStore[V]) Close() error { return s.db.Close() }

func (s plainStore[V]) put(key string, v *V) error {
	var value bytes.Buffer
	if err := gob.NewEncoder(&value).Encode(v); err != nil {
		return err
	}
	return s.db.Update(func(txn *badger.Txn) error {
		return txn.Set([]byte(key), value.Bytes())
	})
}

func (s plainStore[V]) Get(key string) (v V, err error) {
	err = s.db.View(func(txn *badger.Txn) error {
		item, err := txn.Get([]byte(key))
		if err != nil {
			return err
		}
		return item.Value(func(value []byte) error { return decode(value, &v) })
	})
	return v, err
}

// Update reads a value, changes it and sets it, in one transaction.
func (s plainStore[V]) Update(key string, change func(*V) error) error {
	return s.db.Update(func(txn *badger.Txn) error {
		item, err := txn.Get([]byte(key))
		if err != nil {
			return err
		}
		var v V
		if err := item.Value(func(value []byte) error { return decode(value, &v) }); err != nil {
			return err
		}
		if err := change(&v); err != nil {
			return err
		}
		var value bytes.Buffer
		if err := gob.NewEncoder(&value).Encode(&v); err != nil {
			return err
		}
		return txn.Set([]byte(key), value.Bytes())
	})
}

func (s plainStore[V]) All() iter.Seq2[turn.Entry[V], error] {
	return func(yield func(turn.Entry[V], error) bool) {
		err := s.db.View(func(txn *badger.Txn) error {
			it := txn.NewIterator(badger.DefaultIteratorOptions)
			defer it.Close()
			for it.Rewind(); it.Valid(); it.Next() {
				e := turn.Entry[V]{Key: string(it.Item().Key())}
				err := it.Item().Value(func(value []byte) error { return decode(value, &e.Value) })
				if err != nil {
					return err
				}
				if !yield(e, nil) {
					return nil
				}
			}
			return nil
		})
		if err != nil {
			yield(turn.Entry[V]{}, err)
		}
	}
}

func decode(value []byte, v any) error {
	return gob.NewDecoder(bytes.NewReader(value)).Decode(v)
}

// NaiveShelf is Badger's defaults with a fresh gob a key, one transaction each.
func NaiveShelf[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	open := openPlain[V](class)
	arm := outline.Arm(PlainShelf, class)
	arm.Measure = turn.Keyed(d,
		turn.Filled(len(d.Keys), open, func(store plainStore[V]) error {
			for i, key := range d.Keys {
				if err := store.put(key, &d.Values[i]); err != nil {
					return err
				}
			}
			if class == labkit.PowerLoss {
				return whole.SyncFolder(store.db.Opts().Dir) // the names of its logs, too
			}
			return nil
		}),
		func(path string) (turn.Store[V], error) { return open(path) },
		func(path string) (turn.Changer[V], error) { return open(path) })
	return arm
}

// NaiveGob is one gob.Encode of the map into a file and one gob.Decode: the
// twin of one pickle.dump and pickle.load. It writes in place, so a crash in
// the middle leaves half a file.
func NaiveGob[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	arm := outline.Arm(PlainGob, class)
	arm.Measure = turn.Snapshot(d,
		func(path string, all map[string]V) error {
			return whole.Create(path, class, func(f *os.File) error { return gob.NewEncoder(f).Encode(all) })
		},
		func(path string) (all map[string]V, err error) {
			f, err := os.Open(path)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			err = gob.NewDecoder(f).Decode(&all)
			return all, err
		})
	return arm
}
