// Package hold is badgerhold as a peer: a layer over Badger for Go structs, with
// queries, which encodes values and keys itself.
package hold

import (
	"errors"
	"fmt"
	"iter"

	"github.com/dgraph-io/badger/v4"
	"github.com/timshannon/badgerhold/v4"

	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/arms/whole"
)

// Name is the arm's.
const Name = "badgerhold"

// Arm is badgerhold, a record at a time. It is the one Go peer that is timed with
// its own encoding, which belongs to it.
func Arm[V any](d *turn.Data[V], class labkit.Durability) labkit.Arm {
	create := func(path string) (*Store[V], error) { return Open[V](path, class) }
	return labkit.Arm{
		Name: Name, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class,
		What: "badgerhold with its default options and its own encoding: a fresh gob for each key and each value, one transaction a key",
		Measure: turn.Keyed(d,
			turn.Filled(len(d.Keys), create, func(s *Store[V]) error {
				for i, key := range d.Keys {
					if err := s.Put(key, d.Values[i]); err != nil {
						return err
					}
				}
				if class == labkit.PowerLoss {
					return whole.SyncFolder(s.hold.Badger().Opts().Dir) // the names of its logs, too
				}
				return nil
			}),
			func(path string) (turn.Store[V], error) { return create(path) },
			func(path string) (turn.Changer[V], error) { return create(path) }),
	}
}

// Store is a badgerhold of records.
type Store[V any] struct{ hold *badgerhold.Store }

// row is a record as badgerhold finds it: it fills in the key, which a query would
// not tell otherwise and gob leaves out where it is empty.
type row[V any] struct {
	Key   string `badgerhold:"key"`
	Value V
}

// Open opens a badgerhold in a folder, which it makes. Its writes survive class.
func Open[V any](path string, class labkit.Durability) (*Store[V], error) {
	options := badgerhold.DefaultOptions
	options.Options = options.Options.WithDir(path).WithValueDir(path).WithLogger(nil).
		WithSyncWrites(class == labkit.PowerLoss)
	hold, err := badgerhold.Open(options)
	if err != nil {
		return nil, err
	}
	return &Store[V]{hold}, nil
}

// Put writes one record.
func (s *Store[V]) Put(key string, v V) error { return s.hold.Upsert(key, row[V]{Value: v}) }

// Update changes the record under key in one transaction, or returns
// turn.ErrNotFound. An error of change leaves the record as it was.
func (s *Store[V]) Update(key string, change func(*V) error) error {
	return s.hold.Badger().Update(func(tx *badger.Txn) error {
		var found row[V]
		if err := missing(key, s.hold.TxGet(tx, key, &found)); err != nil {
			return err
		}
		if err := change(&found.Value); err != nil {
			return err
		}
		return s.hold.TxUpdate(tx, key, row[V]{Value: found.Value})
	})
}

// missing is err, or turn.ErrNotFound where it says that there is nothing.
func missing(key string, err error) error {
	if errors.Is(err, badgerhold.ErrNotFound) {
		return fmt.Errorf("%q: %w", key, turn.ErrNotFound)
	}
	return err
}

// Get returns the record under key, or turn.ErrNotFound.
func (s *Store[V]) Get(key string) (V, error) {
	var found row[V]
	err := missing(key, s.hold.Get(key, &found))
	return found.Value, err
}

var errStop = errors.New("the caller has seen enough")

// All yields the records, those with shorter keys first.
func (s *Store[V]) All() iter.Seq2[turn.Entry[V], error] {
	return func(yield func(turn.Entry[V], error) bool) {
		err := s.hold.ForEach(nil, func(r *row[V]) error {
			if !yield(turn.Entry[V]{Key: r.Key, Value: r.Value}, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(turn.Entry[V]{}, err)
		}
	}
}

// Close closes the badgerhold.
func (s *Store[V]) Close() error { return s.hold.Close() }
