package live

import (
	"errors"
	"iter"
	"sync"

	"github.com/gofrs/flock"

	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/blob"
	"shelflab/labkit/shelf"
)

// Shelf is a shelf that one process has open.
func Shelf(class labkit.Durability) System {
	options := shelf.Options{Durability: shelf.Durability(class)}
	return System{
		Name: ShelfName, Kind: turn.KindKeyed, Pair: turn.PairOurs, Durability: class,
		What: "one shelf, open in one process; Get and Update by any goroutine",
		Fill: func(path string, items []Entry) error {
			return turn.With(func(path string) (*shelf.Shelf[Item], error) { return shelf.Open[Item](path, options) }, path,
				func(s *shelf.Shelf[Item]) error { return s.PutAll(turn.Each(items)) })
		},
		Open: func(path string) (Store, error) { return shelf.Open[Item](path, options) },
		Read: func(path string) (Store, error) {
			return shelf.Open[Item](path, shelf.Options{Mode: shelf.ReadOnly})
		},
		Refused: func(err error) bool { return errors.Is(err, shelf.ErrLocked) },
	}
}

// Blob is one file that a process holds in memory and saves anew at each change.
// Several processes load it for each get, and load, change and save it behind a
// lock of their own for each update.
func Blob(class labkit.Durability) System {
	options := blob.Options{Durability: blob.Durability(class)}
	save := func(path string, all map[string]Item) error { return blob.Save(path, all, options) }
	return System{
		Name: BlobName, Kind: turn.KindSnapshot, Pair: turn.PairOurs, Durability: class,
		What: "a map in memory behind a lock, saved as one blob at each update; processes load the blob for each get and change it behind a file lock",
		Fill: func(path string, items []Entry) error {
			all := map[string]Item{}
			for _, e := range items {
				all[e.Key] = e.Value
			}
			return save(path, all)
		},
		Open: func(path string) (Store, error) {
			all, err := blob.Load[map[string]Item](path)
			return &inMemory{path: path, all: all, save: save}, err
		},
		Share: func(path string) (Store, error) {
			return &snapshots{path: path, lock: flock.New(LockName(path)),
				get: func(key string) (v Item, err error) {
					all, err := blob.Load[map[string]Item](path)
					if err != nil {
						return v, err
					}
					return all[key], nil
				},
				update: func(key string, change func(*Item) error) error {
					all, err := blob.Load[map[string]Item](path)
					if err != nil {
						return err
					}
					v := all[key]
					if err := change(&v); err != nil {
						return err
					}
					all[key] = v
					return save(path, all)
				}}, nil
		},
	}
}

// FreeBlob is Blob whose processes have no lock: each loads, changes and saves when
// it likes.
func FreeBlob(class labkit.Durability) System {
	s := Blob(class)
	share := s.Share
	s.Name, s.Pair = FreeBlobName, PairUnlocked
	s.What = "a blob that is loaded for each get, and loaded, changed and saved for each update, and nothing that keeps writers apart"
	s.Share = func(path string) (Store, error) {
		store, err := share(path)
		store.(*snapshots).lock = nil
		return store, err
	}
	s.Open = s.Share
	return s
}

// Indexed is an indexed blob that is opened for each get, and packed anew behind a
// lock for each update.
func Indexed(class labkit.Durability) System {
	options := blob.Options{Durability: blob.Durability(class)}
	share := func(path string) (Store, error) {
		return &snapshots{path: path, lock: flock.New(LockName(path)),
			get: func(key string) (v Item, err error) {
				err = turn.With(blob.Open[Item], path, func(b *blob.Indexed[Item]) (err error) {
					v, err = b.Get(key)
					return err
				})
				return v, err
			},
			update: func(key string, change func(*Item) error) error {
				return turn.With(blob.Open[Item], path, func(b *blob.Indexed[Item]) error {
					return blob.Pack(path, changed(b.All(), key, change), options)
				})
			}}, nil
	}
	return System{
		Name: IndexedName, Kind: turn.KindSnapshot, Pair: turn.PairOurs, Durability: class,
		What:  "an indexed blob, opened for each get, and packed anew behind a file lock at each update",
		Fill:  func(path string, items []Entry) error { return blob.Pack(path, turn.Each(items), options) },
		Open:  share,
		Share: share,
	}
}

// changed yields entries, of which that under key is changed.
func changed(list iter.Seq2[Entry, error], key string, change func(*Item) error) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for e, err := range list {
			if err == nil && e.Key == key {
				err = change(&e.Value)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// inMemory is a map that is saved whole.
type inMemory struct {
	path string
	save func(path string, all map[string]Item) error
	mu   sync.RWMutex
	all  map[string]Item
}

func (m *inMemory) Get(key string) (Item, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok := m.all[key]
	if !ok {
		return v, turn.ErrNotFound
	}
	return v, nil
}

func (m *inMemory) Update(key string, change func(*Item) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := m.all[key]
	if err := change(&v); err != nil {
		return err
	}
	m.all[key] = v
	return m.save(m.path, m.all)
}

func (m *inMemory) Close() error { return nil }

// snapshots are files that are replaced whole, so that readers need no lock, and
// writers take one.
type snapshots struct {
	path   string
	lock   *flock.Flock // nil: nothing keeps writers apart
	mu     sync.Mutex   // a file lock is the process's, not the goroutine's
	get    func(key string) (Item, error)
	update func(key string, change func(*Item) error) error
}

func (s *snapshots) Get(key string) (Item, error) { return s.get(key) }

func (s *snapshots) Update(key string, change func(*Item) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return s.update(key, change)
	}
	if err := s.lock.Lock(); err != nil {
		return err
	}
	return errors.Join(s.update(key, change), s.lock.Unlock())
}

func (s *snapshots) Close() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Close()
}

// locked is a store whose goroutines and processes take turns by a file lock:
// readers together, a writer alone.
type locked struct {
	Store
	mu   sync.RWMutex // of the goroutines: see snapshots
	path string
}

func (l *locked) Get(key string) (v Item, err error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	lock := flock.New(l.path) // each reader has a handle, and so a lock, of its own
	if err := lock.RLock(); err != nil {
		return v, err
	}
	v, err = l.Store.Get(key)
	return v, errors.Join(err, lock.Close())
}

func (l *locked) Update(key string, change func(*Item) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	lock := flock.New(l.path)
	if err := lock.Lock(); err != nil {
		return err
	}
	return errors.Join(l.Store.Update(key, change), lock.Close())
}

// LockName is the file whose lock is that of a store.
func LockName(path string) string { return path + ".lock" }
