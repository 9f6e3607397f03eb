// Package bolt is bbolt as a peer: one file, a B+ tree, every record a primed gob.
package bolt

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/gobwire"
)

// Name is the arm's.
const Name = "bbolt"

// Arm is bbolt, filled in one transaction in key order: it grows quadratic where
// keys do not ascend.
func Arm[V any](d *turn.Data[V], class labkit.Durability) labkit.Arm {
	return labkit.Arm{
		Name: Name, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class,
		What: "bbolt, primed gob, one transaction for all records; read back through a read-only opening",
		Measure: turn.Keyed(d,
			turn.Filled(len(d.Keys), func(path string) (*Store[V], error) { return Create[V](path, class) },
				func(s *Store[V]) error { return s.PutAll(d.Entries()) }),
			func(path string) (turn.Store[V], error) { return Open[V](path) },
			func(path string) (turn.Changer[V], error) { return Edit[V](path, class) }),
	}
}

// Store is a bbolt file of records.
type Store[V any] struct {
	db      *bbolt.DB
	codec   *gobwire.Codec[V]
	decoder *gobwire.Decoder[V]
}

var (
	records     = []byte("records")
	meta        = []byte("meta")
	description = []byte("description") // of the values' type, in meta
)

// ErrBusy is what an opening returns while another process has the file open, which
// it has waited for.
var ErrBusy = berrors.ErrTimeout

// patience is how long a store that another process has open is waited for.
const patience = time.Second

// Create makes a new file. Under labkit.ProcessCrash transactions are not synced,
// which leaves what was committed to the operating system; otherwise each is on
// the device when it ends, and the file's name too.
func Create[V any](path string, class labkit.Durability) (*Store[V], error) {
	codec, err := gobwire.New[V]()
	if err != nil {
		return nil, err
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: patience, NoSync: class == labkit.ProcessCrash})
	if err != nil {
		return nil, err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err1 := tx.CreateBucket(records)
		b, err2 := tx.CreateBucket(meta)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		return b.Put(description, codec.Description())
	})
	if err == nil && class == labkit.PowerLoss {
		err = whole.SyncFolder(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return opened(db, codec)
}

// Open opens a file that Create made, for reading.
func Open[V any](path string) (*Store[V], error) {
	return reopen[V](path, &bbolt.Options{Timeout: patience, ReadOnly: true})
}

// Edit opens a file that Create made, for writing too. Its writes survive class.
func Edit[V any](path string, class labkit.Durability) (*Store[V], error) {
	return reopen[V](path, &bbolt.Options{Timeout: patience, NoSync: class == labkit.ProcessCrash, OpenFile: existing})
}

// existing refuses to make a file, which bbolt would.
func existing(name string, flag int, mode os.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag&^os.O_CREATE, mode)
}

func reopen[V any](path string, options *bbolt.Options) (*Store[V], error) {
	codec, err := gobwire.New[V]()
	if err != nil {
		return nil, err
	}
	db, err := bbolt.Open(path, 0o600, options)
	if err != nil {
		return nil, err
	}
	return opened(db, codec)
}

func opened[V any](db *bbolt.DB, codec *gobwire.Codec[V]) (*Store[V], error) {
	s := &Store[V]{db: db, codec: codec}
	err := db.View(func(tx *bbolt.Tx) (err error) {
		b := tx.Bucket(meta)
		if b == nil || tx.Bucket(records) == nil {
			return fmt.Errorf("%s: it holds no records", db.Path())
		}
		s.decoder, err = codec.Decoder(b.Get(description))
		return err
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// PutAll writes records in one transaction: all of them, or none after an error,
// which may be the sequence's.
func (s *Store[V]) PutAll(list iter.Seq2[turn.Entry[V], error]) error {
	return s.db.Update(func(tx *bbolt.Tx) error { return s.putAll(tx.Bucket(records), list) })
}

// ReplaceAll is PutAll into a store that is emptied in the same transaction.
func (s *Store[V]) ReplaceAll(list iter.Seq2[turn.Entry[V], error]) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		if err := tx.DeleteBucket(records); err != nil {
			return err
		}
		b, err := tx.CreateBucket(records)
		if err != nil {
			return err
		}
		return s.putAll(b, list)
	})
}

func (s *Store[V]) putAll(b *bbolt.Bucket, list iter.Seq2[turn.Entry[V], error]) error {
	for e, err := range list {
		if err != nil {
			return err
		}
		body, err := s.codec.Append(nil, &e.Value) // bbolt keeps it until the end
		if err != nil {
			return err
		}
		if err := b.Put([]byte(e.Key), body); err != nil {
			return err
		}
	}
	return nil
}

// Update changes the record under key in one transaction, or returns
// turn.ErrNotFound. An error of change leaves the record as it was.
func (s *Store[V]) Update(key string, change func(*V) error) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket(records)
		old := b.Get([]byte(key))
		if old == nil {
			return fmt.Errorf("%q: %w", key, turn.ErrNotFound)
		}
		var v V
		if err := s.decoder.Decode(old, &v); err != nil {
			return err
		}
		if err := change(&v); err != nil {
			return err
		}
		body, err := s.codec.Append(nil, &v)
		if err != nil {
			return err
		}
		return b.Put([]byte(key), body)
	})
}

// Get returns the record under key, or turn.ErrNotFound.
func (s *Store[V]) Get(key string) (v V, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		body := tx.Bucket(records).Get([]byte(key))
		if body == nil {
			return fmt.Errorf("%q: %w", key, turn.ErrNotFound)
		}
		return s.decoder.Decode(body, &v)
	})
	return v, err
}

var errStop = errors.New("the caller has seen enough")

// All yields the records in key order.
func (s *Store[V]) All() iter.Seq2[turn.Entry[V], error] {
	return func(yield func(turn.Entry[V], error) bool) {
		err := s.db.View(func(tx *bbolt.Tx) error {
			return tx.Bucket(records).ForEach(func(key, body []byte) error {
				e := turn.Entry[V]{Key: string(key)}
				if err := s.decoder.Decode(body, &e.Value); err != nil {
					return err
				}
				if !yield(e, nil) {
					return errStop
				}
				return nil
			})
		})
		if err != nil && err != errStop {
			yield(turn.Entry[V]{}, err)
		}
	}
}

// Close closes the file.
func (s *Store[V]) Close() error { return s.db.Close() }
