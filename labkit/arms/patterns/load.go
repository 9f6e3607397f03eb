// Package patterns is how programs write: many records into an empty store, or over
// those that are there, a whole file over an old one, and one changed record. The arms of one list do
// the same work in different ways, so what differs is the way.
//
// Goal: the patterns that are seen in programs, the slow ones too. Not a goal: to
// find the best setting of every store.
package patterns

import (
	"iter"

	"shelflab/labkit"
	"shelflab/labkit/arms"
	"shelflab/labkit/arms/bolt"
	"shelflab/labkit/arms/sqlite"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/blob"
	"shelflab/labkit/shelf"
)

// The names of the arms of Load.
const (
	ShelfKey    = "shelf, Put a key"
	ShelfTen    = "shelf, PutAll of 10"
	ShelfHund   = "shelf, PutAll of 100"
	ShelfThou   = "shelf, PutAll of 1,000"
	ShelfMyriad = "shelf, PutAll of 10,000"
	ShelfAll    = "shelf, one PutAll"
	BoltKey     = "bbolt, transaction a key"
	BoltAll     = "bbolt, one transaction"
	SQLiteKey   = "SQLite, transaction a key"
	SQLiteAll   = "SQLite, one transaction"
	BlobSave    = "blob, one Save"
)

// Load returns the ways to write all records of d into a store that is empty, in
// key order: a transaction a key, batches, and one for all; and a snapshot, which
// has no other way, with the control.
func Load[V any](d *turn.Data[V], class labkit.Durability) []labkit.Arm {
	d = d.Measuring()
	list := []labkit.Arm{rename(arms.Assign(d, class), ShelfKey, "labkit/shelf, Put for each key: a transaction each")}
	for _, batch := range []struct {
		name string
		size int
	}{{ShelfTen, 10}, {ShelfHund, 100}, {ShelfThou, 1000}, {ShelfMyriad, 10_000}} {
		list = append(list, labkit.Arm{
			Name: batch.name, Kind: turn.KindKeyed, Pair: turn.PairOurs, Durability: class,
			What: "labkit/shelf, PutAll again and again; it makes a transaction of up to 2,000 records",
			Measure: keyed(d, openShelf[V](class), func(s *shelf.Shelf[V]) error { return inBatches(d.Entries(), batch.size, s.PutAll) },
				readShelf[V]),
		})
	}
	boltArm := labkit.Arm{
		Name: BoltKey, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class, What: "bbolt, primed gob, a transaction for each key",
		Measure: keyed(d, func(path string) (*bolt.Store[V], error) { return bolt.Create[V](path, class) },
			func(s *bolt.Store[V]) error { return inBatches(d.Entries(), 1, s.PutAll) },
			func(path string) (turn.Store[V], error) { return bolt.Open[V](path) }),
	}
	sqliteArm := labkit.Arm{
		Name: SQLiteKey, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class, What: "SQLite, primed gob, a transaction for each key, one prepared statement",
		Measure: keyed(d, func(path string) (*sqlite.Store[V], error) { return sqlite.Create[V](path, class) },
			func(s *sqlite.Store[V]) error { return inBatches(d.Entries(), 1, s.PutAll) },
			func(path string) (turn.Store[V], error) { return sqlite.Open[V](path) }),
	}
	save := rename(arms.Blob(d, class), BlobSave, "labkit/blob, Save of one map, all cores")
	return append(list,
		rename(arms.Bulk(d, class), ShelfAll, "labkit/shelf, one PutAll; it makes a transaction of up to 2,000 records"),
		boltArm, rename(bolt.Arm(d, class), BoltAll, "bbolt, primed gob, one transaction for all"),
		sqliteArm, rename(sqlite.Arm(d, class), SQLiteAll, "SQLite, primed gob, one transaction for all, one prepared statement"),
		save, labkit.AsControl(save),
	)
}

// LoadComparisons sets the ways of each store against each other, the best of each
// against the blob, and the blob against itself.
func LoadComparisons() []labkit.Comparison {
	write := []string{labkit.Write.Name}
	step := func(a, b string) labkit.Comparison {
		return labkit.Comparison{Role: labkit.Part, Label: "batches", A: a, B: b, Metrics: write}
	}
	head := func(label, a, b string) labkit.Comparison {
		return labkit.Comparison{Role: labkit.Headline, Label: label, A: a, B: b, Metrics: write}
	}
	return []labkit.Comparison{
		head("one batch", ShelfAll, ShelfKey),
		head("one transaction", BoltAll, BoltKey),
		head("one transaction", SQLiteAll, SQLiteKey),
		head("a snapshot", BlobSave, ShelfAll),
		head("a snapshot", BlobSave, BoltAll),
		head("a snapshot", BlobSave, SQLiteAll),
		step(ShelfTen, ShelfKey), step(ShelfHund, ShelfTen), step(ShelfThou, ShelfHund),
		step(ShelfMyriad, ShelfThou), step(ShelfAll, ShelfMyriad),
		labkit.ControlOf(BlobSave, write...),
	}
}

// inBatches gives the entries of list to put, so many at a time.
func inBatches[V any](list iter.Seq2[turn.Entry[V], error], size int, put func(iter.Seq2[turn.Entry[V], error]) error) error {
	next, stop := iter.Pull2(list)
	defer stop()
	for {
		e, err, more := next()
		if !more {
			return nil
		}
		err = put(func(yield func(turn.Entry[V], error) bool) {
			for left := size; yield(e, err) && left > 1; left-- {
				if e, err, more = next(); !more {
					return
				}
			}
		})
		if err != nil {
			return err
		}
	}
}

// keyed is the turn of a store that is made by create, filled by put, and read
// through open.
func keyed[V any, S interface{ Close() error }](d *turn.Data[V], create func(path string) (S, error), put func(S) error, open func(path string) (turn.Store[V], error)) measure {
	return turn.Keyed(d, turn.Filled(len(d.Keys), create, put), open, nil)
}

func openShelf[V any](class labkit.Durability) func(path string) (*shelf.Shelf[V], error) {
	return func(path string) (*shelf.Shelf[V], error) {
		return shelf.Open[V](path, shelf.Options{Durability: shelf.Durability(class)})
	}
}

func readShelf[V any](path string) (turn.Store[V], error) {
	return shelf.Open[V](path, shelf.Options{Mode: shelf.ReadOnly})
}

func rename(arm labkit.Arm, name, what string) labkit.Arm {
	arm.Name, arm.What = name, what
	return arm
}

func blobOptions(class labkit.Durability) blob.Options {
	return blob.Options{Durability: blob.Durability(class)}
}
