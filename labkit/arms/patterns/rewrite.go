package patterns

import (
	"context"

	"shelflab/labkit"
	"shelflab/labkit/arms/bolt"
	"shelflab/labkit/arms/sqlite"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/blob"
	"shelflab/labkit/shelf"
)

type measure = func(context.Context, *labkit.Round) error

// The names of the arms of Rewrite.
const (
	ShelfDelete = "shelf, Delete and Put each"
	ShelfClear  = "shelf, Clear and PutAll"
	ShelfOver   = "shelf, PutAll over it"
	BoltAgain   = "bbolt, emptied and filled"
	SQLiteAgain = "SQLite, emptied and filled"
	BlobAgain   = "blob, Save over it"
	PackAgain   = "indexed blob, Pack over it"
)

// Rewrite returns the ways to replace every record of d by a new one under the
// same key, with the control: see labkit.Replace. d needs a Change, which makes the
// new ones.
func Rewrite[V any](d *turn.Data[V], class labkit.Durability) ([]labkit.Arm, error) {
	d = d.Measuring()
	after, err := d.Changed()
	if err != nil {
		return nil, err
	}
	arm := func(name, kind, pair, what string, m measure) labkit.Arm {
		return labkit.Arm{Name: name, Kind: kind, Pair: pair, Durability: class, What: what, Measure: m}
	}
	ofShelf := func(name, what string, replace func(*shelf.Shelf[V]) error) labkit.Arm {
		return arm(name, turn.KindKeyed, turn.PairOurs, "labkit/shelf, "+what, rewrites(d, after, openShelf[V](class),
			func(s *shelf.Shelf[V]) error { return s.PutAll(d.Entries()) }, openShelf[V](class), replace, readShelf[V]))
	}
	options := blobOptions(class)
	load := func(path string) (map[string]V, error) { return blob.Load[map[string]V](path) }
	pack := func(d *turn.Data[V]) func(path string) error {
		return func(path string) error { return blob.Pack(path, d.Entries(), options) }
	}
	save := arm(BlobAgain, turn.KindSnapshot, turn.PairOurs, "labkit/blob, Save of the new map, all cores", turn.Rewrite(d, after,
		func(r *labkit.Round) error { return blob.Save(r.Path, d.Map(), options) },
		func(path string) error { return blob.Save(path, after.Map(), options) }, turn.Loaded(d, load)))
	return []labkit.Arm{
		ofShelf(ShelfDelete, "Delete for each key, then Put for each", func(s *shelf.Shelf[V]) error {
			for _, key := range d.Keys {
				if err := s.Delete(key); err != nil {
					return err
				}
			}
			for i, key := range after.Keys {
				if err := s.Put(key, after.Values[i]); err != nil {
					return err
				}
			}
			return nil
		}),
		ofShelf(ShelfClear, "Clear, then one PutAll", func(s *shelf.Shelf[V]) error {
			if err := s.Clear(); err != nil {
				return err
			}
			return s.PutAll(after.Entries())
		}),
		ofShelf(ShelfOver, "one PutAll of the same keys", func(s *shelf.Shelf[V]) error { return s.PutAll(after.Entries()) }),
		arm(BoltAgain, turn.KindKeyed, turn.PairPeer, "bbolt, its bucket deleted and filled again in one transaction", rewrites(d, after,
			func(path string) (*bolt.Store[V], error) { return bolt.Create[V](path, class) },
			func(s *bolt.Store[V]) error { return s.PutAll(d.Entries()) },
			func(path string) (*bolt.Store[V], error) { return bolt.Edit[V](path, class) },
			func(s *bolt.Store[V]) error { return s.ReplaceAll(after.Entries()) },
			func(path string) (turn.Store[V], error) { return bolt.Open[V](path) })),
		arm(SQLiteAgain, turn.KindKeyed, turn.PairPeer, "SQLite, DELETE of all rows and an INSERT for each in one transaction", rewrites(d, after,
			func(path string) (*sqlite.Store[V], error) { return sqlite.Create[V](path, class) },
			func(s *sqlite.Store[V]) error { return s.PutAll(d.Entries()) },
			func(path string) (*sqlite.Store[V], error) { return sqlite.Edit[V](path, class) },
			func(s *sqlite.Store[V]) error { return s.ReplaceAll(after.Entries()) },
			func(path string) (turn.Store[V], error) { return sqlite.Open[V](path) })),
		save, labkit.AsControl(save),
		arm(PackAgain, turn.KindSnapshot, turn.PairOurs, "labkit/blob, Pack of the new records in key order", turn.Rewrite(d, after,
			func(r *labkit.Round) error { return pack(d)(r.Path) }, pack(after),
			turn.Scanned(d, func(path string) (turn.Store[V], error) { return blob.Open[V](path) }))),
	}, nil
}

// rewrites is the turn of a keyed store that is made and filled, opened and
// replaced, and read.
func rewrites[V any, S interface{ Close() error }](d, after *turn.Data[V], create func(path string) (S, error), put func(S) error,
	edit func(path string) (S, error), replace func(S) error, open func(path string) (turn.Store[V], error)) measure {
	return turn.Rewrite(d, after, turn.Filled(len(d.Keys), create, put),
		func(path string) error { return turn.With(edit, path, replace) }, turn.Scanned(d, open))
}

// RewriteComparisons sets each way against saving a blob, the three of the shelf
// against each other, and the blob against itself.
func RewriteComparisons() []labkit.Comparison {
	var list []labkit.Comparison
	add := func(role labkit.Role, label, a, b string) {
		list = append(list, labkit.Comparison{Role: role, Label: label, A: a, B: b, Metrics: []string{labkit.Replace.Name}})
	}
	for _, name := range []string{ShelfDelete, ShelfClear, ShelfOver, BoltAgain, SQLiteAgain, PackAgain} {
		add(labkit.Headline, "everything anew", BlobAgain, name)
	}
	add(labkit.Part, "writing over the keys", ShelfOver, ShelfDelete)
	add(labkit.Part, "clearing at once", ShelfClear, ShelfDelete)
	return append(list, labkit.ControlOf(BlobAgain, labkit.Replace.Name))
}
