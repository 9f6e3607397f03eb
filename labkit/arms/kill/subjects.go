package kill

import (
	"errors"
	"io"

	"shelflab/labkit"
	"shelflab/labkit/arms/bolt"
	"shelflab/labkit/arms/files"
	"shelflab/labkit/arms/live"
	"shelflab/labkit/arms/sqlite"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/blob"
	"shelflab/labkit/shelf"
)

// Subjects are the safe ways of writing and, last, the unsafe ones, which show that
// a trial can see a loss and a tear.
func Subjects(class labkit.Durability) []Subject {
	return []Subject{
		Put(class), PutAll(class), Bolt(class), SQLite(class), Save(class), Pack(class), Files(class),
		InPlace(class), Buffered(class),
	}
}

func subject(name, kind, pair string, class labkit.Durability, what string) Subject {
	return Subject{Arm: labkit.Arm{Name: name, Kind: kind, Pair: pair, Durability: class, What: what}}
}

// item is what the i-th write of n items is of.
func item(i, n int) (key string, v live.Item) { return live.Key(i % n), live.NewItem(i) }

// reader is a store that has been opened to look into it.
type reader interface {
	Get(key string) (live.Item, error)
	io.Closer
}

// opened is what Look returns of a store.
func opened[S reader](store S, err error) (Get, Close, error) {
	if err != nil {
		return nil, nil, err
	}
	return store.Get, store.Close, nil
}

func shelfSubject(s Subject, class labkit.Durability, write func(s *shelf.Shelf[live.Item], n int) func(i int) error) Subject {
	options := shelf.Options{Durability: shelf.Durability(class)}
	s.Writer = func(path string, n int) (func(i int) error, error) {
		store, err := shelf.Open[live.Item](path, options)
		if err != nil {
			return nil, err
		}
		return write(store, n), store.PutAll(turn.Each(live.Entries(n, 0)))
	}
	s.Look = func(path string) (Get, Close, error) {
		return opened(shelf.Open[live.Item](path, options))
	}
	return s
}

// Put is a shelf, an item at a time.
func Put(class labkit.Durability) Subject {
	return shelfSubject(subject("shelf, Put", turn.KindKeyed, turn.PairOurs, class, "a shelf; Put replaces one item after the other"), class,
		func(s *shelf.Shelf[live.Item], n int) func(i int) error {
			return func(i int) error { return s.Put(item(i, n)) }
		})
}

// PutAll is a shelf, all items at once, in batches that are atomic each.
func PutAll(class labkit.Durability) Subject {
	s := subject("shelf, PutAll", turn.KindKeyed, turn.PairOurs, class, "a shelf; PutAll replaces all items, in batches that are atomic each")
	s.Whole = true
	return shelfSubject(s, class, func(s *shelf.Shelf[live.Item], n int) func(i int) error {
		return func(i int) error { return s.PutAll(turn.Each(live.Entries(n, i))) }
	})
}

// Bolt is bbolt, a transaction for each item.
func Bolt(class labkit.Durability) Subject {
	s := subject(bolt.Name, turn.KindKeyed, turn.PairPeer, class, "bbolt; a transaction replaces one item after the other")
	s.Writer = func(path string, n int) (func(i int) error, error) {
		store, err := bolt.Create[live.Item](path, class)
		if err != nil {
			return nil, err
		}
		return func(i int) error { return store.PutAll(turn.Each([]live.Entry{entry(i, n)})) }, store.PutAll(turn.Each(live.Entries(n, 0)))
	}
	s.Look = func(path string) (Get, Close, error) {
		return opened(bolt.Edit[live.Item](path, class)) // recovers, as a program would that goes on
	}
	return s
}

// SQLite is SQLite, a transaction for each item.
func SQLite(class labkit.Durability) Subject {
	s := subject(sqlite.Name, turn.KindKeyed, turn.PairPeer, class, "SQLite, rollback journal; a transaction replaces one item after the other")
	s.Writer = func(path string, n int) (func(i int) error, error) {
		store, err := sqlite.Create[live.Item](path, class)
		if err != nil {
			return nil, err
		}
		return func(i int) error { return store.PutAll(turn.Each([]live.Entry{entry(i, n)})) }, store.PutAll(turn.Each(live.Entries(n, 0)))
	}
	s.Look = func(path string) (Get, Close, error) {
		return opened(sqlite.Edit[live.Item](path, class))
	}
	return s
}

func entry(i, n int) live.Entry {
	key, v := item(i, n)
	return live.Entry{Key: key, Value: v}
}

// Files is one file a key, written in place as that peer does it.
func Files(class labkit.Durability) Subject {
	s := subject(files.Name, turn.KindKeyed, turn.PairPeer, class, "a file for each item, one after the other written in place")
	s.Writer = func(path string, n int) (func(i int) error, error) {
		store, err := files.Create[live.Item](path, class)
		if err != nil {
			return nil, err
		}
		for _, e := range live.Entries(n, 0) {
			err = errors.Join(err, store.Put(e.Key, e.Value))
		}
		return func(i int) error { return store.Put(item(i, n)) }, err
	}
	s.Look = func(path string) (Get, Close, error) {
		return opened(files.Open[live.Item](path))
	}
	return s
}

// mapped is all items in a map, as a snapshot is written.
func mapped(n, version int) map[string]live.Item {
	all := make(map[string]live.Item, n)
	for _, e := range live.Entries(n, version) {
		all[e.Key] = e.Value
	}
	return all
}

// get reads an item of a map.
func get(all map[string]live.Item) Get {
	return func(key string) (live.Item, error) {
		v, ok := all[key]
		if !ok {
			return v, turn.ErrNotFound
		}
		return v, nil
	}
}

func nothing() error { return nil }

// Save is a blob, saved whole: a temporary file takes the place of the old one.
func Save(class labkit.Durability) Subject {
	options := blob.Options{Durability: blob.Durability(class)}
	s := subject("blob, Save", turn.KindSnapshot, turn.PairOurs, class, "a blob; Save replaces the file by a temporary one and a rename")
	s.Whole = true
	s.Writer = func(path string, n int) (func(i int) error, error) {
		write := func(i int) error { return blob.Save(path, mapped(n, i), options) }
		return write, write(0)
	}
	s.Look = func(path string) (Get, Close, error) {
		all, err := blob.Load[map[string]live.Item](path)
		return get(all), nothing, err
	}
	return s
}

// Pack is an indexed blob, packed anew likewise.
func Pack(class labkit.Durability) Subject {
	options := blob.Options{Durability: blob.Durability(class)}
	s := subject("indexed blob, Pack", turn.KindSnapshot, turn.PairOurs, class, "an indexed blob; Pack replaces the file by a temporary one and a rename")
	s.Whole = true
	s.Writer = func(path string, n int) (func(i int) error, error) {
		write := func(i int) error { return blob.Pack(path, turn.Each(live.Entries(n, i)), options) }
		return write, write(0)
	}
	s.Look = func(path string) (Get, Close, error) {
		return opened(blob.Open[live.Item](path))
	}
	return s
}
