package check_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"iter"
	"os"

	"github.com/dgraph-io/badger/v4"

	"shelflab/labkit/blob"
	"shelflab/labkit/records"
	"shelflab/labkit/shelf"
)

func writeAssign(path string, set records.Set, _ map[string]records.Record) error {
	s, err := shelf.Open[records.Record](path, shelf.Options{})
	if err != nil {
		return err
	}
	for i, key := range set.Keys {
		if err := s.Put(key, set.Values[i]); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	return s.Close()
}

func writeBulk(path string, set records.Set, _ map[string]records.Record) error {
	s, err := shelf.Open[records.Record](path, shelf.Options{})
	if err != nil {
		return err
	}
	return errors.Join(s.PutAll(inOrder(set)), s.Close())
}

func readShelf(path string, keys []string, visit visitor) error {
	s, err := shelf.Open[records.Record](path, shelf.Options{Mode: shelf.ReadOnly})
	if err != nil {
		return err
	}
	return errors.Join(readKeyed(s.Get, s.All(), keys, visit), s.Close())
}

func writeIndexed(path string, set records.Set, _ map[string]records.Record) error {
	return blob.Pack(path, inOrder(set), blob.Options{})
}

func readIndexed(path string, keys []string, visit visitor) error {
	b, err := blob.Open[records.Record](path)
	if err != nil {
		return err
	}
	return errors.Join(readKeyed(b.Get, b.All(), keys, visit), b.Close())
}

func readKeyed(get func(string) (records.Record, error), all iter.Seq2[shelf.Entry[records.Record], error], keys []string, visit visitor) error {
	if keys == nil {
		for e, err := range all {
			if err != nil {
				return err
			}
			visit(e.Key, &e.Value)
		}
	}
	for _, key := range keys {
		v, err := get(key)
		if err != nil {
			return err
		}
		visit(key, &v)
	}
	return nil
}

func writeBlob(workers int) func(string, records.Set, map[string]records.Record) error {
	return func(path string, _ records.Set, all map[string]records.Record) error {
		return blob.Save(path, all, blob.Options{Workers: workers})
	}
}

func readBlob(workers int) func(string, []string, visitor) error {
	return func(path string, keys []string, visit visitor) error {
		all, err := blob.LoadWith[map[string]records.Record](path, blob.Options{Workers: workers})
		visitMap(all, keys, visit)
		return err
	}
}

func visitMap(all map[string]records.Record, keys []string, visit visitor) {
	if keys == nil {
		for key, v := range all {
			visit(key, &v)
		}
	}
	for _, key := range keys {
		v := all[key]
		visit(key, &v)
	}
}

func writePlainGob(path string, _ records.Set, all map[string]records.Record) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(gob.NewEncoder(f).Encode(all), f.Close())
}

func readPlainGob(path string, keys []string, visit visitor) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var all map[string]records.Record
	err = gob.NewDecoder(f).Decode(&all)
	visitMap(all, keys, visit)
	return err
}

func openBadger(path string) (*badger.DB, error) {
	return badger.Open(badger.DefaultOptions(path).WithLogger(nil))
}

func writePlainShelf(path string, set records.Set, _ map[string]records.Record) error {
	db, err := openBadger(path)
	if err != nil {
		return err
	}
	for i, key := range set.Keys {
		var value bytes.Buffer
		err := gob.NewEncoder(&value).Encode(&set.Values[i])
		if err == nil {
			err = db.Update(func(txn *badger.Txn) error { return txn.Set([]byte(key), value.Bytes()) })
		}
		if err != nil {
			return errors.Join(err, db.Close())
		}
	}
	return db.Close()
}

func readPlainShelf(path string, keys []string, visit visitor) error {
	db, err := openBadger(path)
	if err != nil {
		return err
	}
	one := func(item *badger.Item) error {
		return item.Value(func(value []byte) error {
			var v records.Record
			err := gob.NewDecoder(bytes.NewReader(value)).Decode(&v)
			visit(string(item.Key()), &v)
			return err
		})
	}
	err = db.View(func(txn *badger.Txn) error {
		if keys == nil {
			it := txn.NewIterator(badger.DefaultIteratorOptions)
			defer it.Close()
			for it.Rewind(); it.Valid(); it.Next() {
				if err := one(it.Item()); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for _, key := range keys {
		if err != nil {
			break
		}
		err = db.View(func(txn *badger.Txn) error {
			item, err := txn.Get([]byte(key))
			if err != nil {
				return err
			}
			return one(item)
		})
	}
	return errors.Join(err, db.Close())
}

func inOrder(set records.Set) iter.Seq2[shelf.Entry[records.Record], error] {
	return func(yield func(shelf.Entry[records.Record], error) bool) {
		for i, key := range set.Keys {
			if !yield(shelf.Entry[records.Record]{Key: key, Value: set.Values[i]}, nil) {
				return
			}
		}
	}
}
