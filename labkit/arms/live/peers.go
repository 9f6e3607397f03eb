package live

import (
	"errors"
	"strings"

	"github.com/dgraph-io/badger/v4"

	"shelflab/labkit"
	"shelflab/labkit/arms/bolt"
	"shelflab/labkit/arms/files"
	"shelflab/labkit/arms/hold"
	"shelflab/labkit/arms/sqlite"
	"shelflab/labkit/arms/turn"
)

// Bolt is a bbolt file that one process has open.
func Bolt(class labkit.Durability) System {
	return System{
		Name: bolt.Name, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class,
		What: "one bbolt file, open in one process; a transaction for each get and each update",
		Fill: func(path string, items []Entry) error {
			return turn.With(func(path string) (*bolt.Store[Item], error) { return bolt.Create[Item](path, class) }, path,
				func(s *bolt.Store[Item]) error { return s.PutAll(turn.Each(items)) })
		},
		Open:    func(path string) (Store, error) { return bolt.Edit[Item](path, class) },
		Read:    func(path string) (Store, error) { return bolt.Open[Item](path) },
		Refused: func(err error) bool { return errors.Is(err, bolt.ErrBusy) },
	}
}

// Hold is a badgerhold that one process has open.
func Hold(class labkit.Durability) System {
	open := func(path string) (Store, error) {
		s, err := hold.Open[Item](path, class)
		return holding{s}, err
	}
	return System{
		Name: hold.Name, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class,
		What: "one badgerhold, open in one process; an update that has met another one is tried again",
		Fill: func(path string, items []Entry) error {
			return turn.With(func(path string) (*hold.Store[Item], error) { return hold.Open[Item](path, class) }, path,
				func(s *hold.Store[Item]) error {
					for _, e := range items {
						if err := s.Put(e.Key, e.Value); err != nil {
							return err
						}
					}
					return nil
				})
		},
		Open:    open,
		Refused: func(err error) bool { return strings.Contains(err.Error(), "Cannot acquire directory lock") },
	}
}

// holding tries an update again that has met another one.
type holding struct{ *hold.Store[Item] }

func (h holding) Update(key string, change func(*Item) error) error {
	for {
		if err := h.Store.Update(key, change); !errors.Is(err, badger.ErrConflict) {
			return err
		}
	}
}

// SQLite is an SQLite file with a rollback journal, as it is by default.
func SQLite(class labkit.Durability) System {
	return sqliteSystem(class, SQLiteName, "rollback journal", sqlite.Shared{})
}

// WAL is an SQLite file with a write-ahead log.
func WAL(class labkit.Durability) System {
	return sqliteSystem(class, WALName, "write-ahead log", sqlite.Shared{WAL: true})
}

func sqliteSystem(class labkit.Durability, name, journal string, how sqlite.Shared) System {
	open := func(path string) (Store, error) { return sqlite.Share[Item](path, class, how) }
	return System{
		Name: name, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class,
		What: "one SQLite file, " + journal + ", up to four connections a core, each of which waits while the file is busy",
		Fill: func(path string, items []Entry) error {
			return turn.With(func(path string) (*sqlite.Store[Item], error) { return sqlite.Create[Item](path, class) }, path,
				func(s *sqlite.Store[Item]) error { return s.PutAll(turn.Each(items)) })
		},
		Open: open, Share: open,
		Read: func(path string) (Store, error) { return sqlite.Open[Item](path) },
	}
}

// Files is one file a key as it is often done, with nothing that keeps two writers
// apart, or a reader from seeing a half-written file.
func Files(class labkit.Durability) System {
	open := func(path string) (Store, error) { return files.Edit[Item](path, class) }
	return System{
		Name: FilesName, Kind: turn.KindKeyed, Pair: PairUnlocked, Durability: class,
		What: "a file for each record, written in place, and nothing that keeps readers and writers apart",
		Fill: fillFiles(class), Open: open, Share: open,
	}
}

// Locked is one file a key behind a file lock.
func Locked(class labkit.Durability) System {
	open := func(path string) (Store, error) {
		s, err := files.Edit[Item](path, class)
		return &locked{Store: s, path: LockName(path)}, err
	}
	return System{
		Name: LockedName, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class,
		What: "a file for each record, written in place, behind a file lock: readers together, a writer alone",
		Fill: fillFiles(class), Open: open, Share: open,
	}
}

func fillFiles(class labkit.Durability) func(path string, items []Entry) error {
	return func(path string, items []Entry) error {
		s, err := files.Create[Item](path, class)
		if err != nil {
			return err
		}
		for _, e := range items {
			if err := s.Put(e.Key, e.Value); err != nil {
				return err
			}
		}
		return nil
	}
}

// All lists the systems whose readers and writers are kept apart.
func All(class labkit.Durability) []System {
	return []System{
		Shelf(class), Blob(class), Indexed(class), Bolt(class), SQLite(class), WAL(class), Hold(class), Locked(class),
	}
}

// Unlocked lists systems whose writers nothing keeps apart: what goes wrong
// there shows that it would be seen elsewhere.
func Unlocked(class labkit.Durability) []System { return []System{FreeBlob(class), Files(class)} }
