package arms

import (
	"bytes"
	"encoding/gob"
	"errors"
	"iter"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"

	"shelflab/labkit"
)

// plainStore is Badger with its default options and a fresh gob for every
// value: what a program writes that does not use labkit/shelf.
type plainStore[V any] struct{ db *badger.DB }

func openPlain[V any](class labkit.Durability) func(path string) (keyed[V], error) {
	return func(path string) (keyed[V], error) {
		options := badger.DefaultOptions(path).WithLogger(nil).WithSyncWrites(class == labkit.PowerLoss)
		db, err := badger.Open(options)
		if err != nil {
			return nil, err
		}
		return plainStore[V]{db}, nil
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

func (s plainStore[V]) get(key string) (v V, err error) {
	err = s.db.View(func(txn *badger.Txn) error {
		item, err := txn.Get([]byte(key))
		if err != nil {
			return err
		}
		return item.Value(func(value []byte) error { return decode(value, &v) })
	})
	return v, err
}

func (s plainStore[V]) all() iter.Seq2[entry[V], error] {
	return func(yield func(entry[V], error) bool) {
		err := s.db.View(func(txn *badger.Txn) error {
			it := txn.NewIterator(badger.DefaultIteratorOptions)
			defer it.Close()
			for it.Rewind(); it.Valid(); it.Next() {
				e := entry[V]{Key: string(it.Item().Key())}
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
			yield(entry[V]{}, err)
		}
	}
}

func decode(value []byte, v any) error {
	return gob.NewDecoder(bytes.NewReader(value)).Decode(v)
}

// NaiveShelf is Badger's defaults with a fresh gob a key, one transaction each.
func NaiveShelf[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	open := openPlain[V](class)
	return labkit.Arm{
		Name: PlainShelf, Kind: keyedStore, Pair: plain, Durability: class,
		What: "Badger with its default options, a fresh gob and one transaction a key; read back as it is opened by default, for writing too",
		Measure: keyedTurn(d,
			func(r *labkit.Round) error {
				return with(open, r.Path, func(store keyed[V]) error {
					defer r.Held()
					return r.Lap(labkit.Put, len(d.Keys), func() error {
						err := d.putAll(store.(plainStore[V]))
						if err == nil && class == labkit.PowerLoss {
							err = syncFolder(r.Path) // the names of its logs, too
						}
						return err
					})
				})
			},
			open),
	}
}

func (d *Data[V]) putAll(store plainStore[V]) error {
	for i, key := range d.Keys {
		if err := store.put(key, &d.Values[i]); err != nil {
			return err
		}
	}
	return nil
}

// NaiveGob is one gob.Encode of the map into a file and one gob.Decode: the
// twin of one pickle.dump and pickle.load. It writes in place, so a crash in
// the middle leaves half a file.
func NaiveGob[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	return labkit.Arm{
		Name: PlainGob, Kind: snapshot, Pair: plain, Durability: class,
		What: "one gob.Encode of the map into a file, written in place",
		Measure: snapshotTurn(d,
			func(path string, all map[string]V) error {
				f, err := os.Create(path)
				if err != nil {
					return err
				}
				err = gob.NewEncoder(f).Encode(all)
				if err == nil && class == labkit.PowerLoss {
					err = f.Sync()
				}
				if err = errors.Join(err, f.Close()); err == nil && class == labkit.PowerLoss {
					err = syncFolder(filepath.Dir(path)) // the file's name, too
				}
				return err
			},
			func(path string) (all map[string]V, err error) {
				f, err := os.Open(path)
				if err != nil {
					return nil, err
				}
				defer f.Close()
				err = gob.NewDecoder(f).Decode(&all)
				return all, err
			}),
	}
}

// syncFolder makes the names in a folder survive a power loss.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
