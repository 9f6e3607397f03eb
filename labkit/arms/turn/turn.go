package turn

import (
	"context"
	"errors"
	"io"
	"iter"
	"runtime"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

// The kinds of arms, and the pairs that a headline sets against each other.
const (
	KindKeyed    = "keyed store"
	KindSnapshot = "snapshot"
	PairOurs     = "ours"
	PairPlain    = "plain"
	PairPeer     = "peer" // what other programs use
)

// ErrNotFound is what a store without an error of its own returns for a key that
// it does not hold.
var ErrNotFound = errors.New("key not found")

// Store is what is read a key at a time, as a turn uses it: a shelf.Shelf and a
// blob.Indexed are one as they are.
type Store[V any] interface {
	Get(key string) (V, error)
	All() iter.Seq2[Entry[V], error] // every record
	Close() error
}

// steps takes the steps of a turn, one after the other, until one fails or ctx
// ends.
func steps(ctx context.Context, list ...func() error) error {
	for _, step := range list {
		if err := errors.Join(step(), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// Keyed is one turn of a store that is written by write, from nothing to a
// closed store, opened by open to be read a key at a time, and by edit to be
// changed a key at a time.
func Keyed[V any](d *Data[V], write func(r *labkit.Round) error, open func(path string) (Store[V], error), edit func(path string) (Changer[V], error)) func(context.Context, *labkit.Round) error {
	if d.wants(labkit.Cycle) {
		return d.cycle(write, func(path string, keys []string) (sum uint64, err error) {
			err = With(open, path, func(store Store[V]) (err error) {
				sum, err = d.fetch(store, keys)
				return err
			})
			return sum, err
		})
	}
	return func(ctx context.Context, r *labkit.Round) error {
		t := keyed[V]{d, r, open}
		return steps(ctx,
			func() error { return d.write(r, write) },
			t.read, t.gets, t.opening, t.getsOpen,
			func() error { return d.changeKeyed(r, edit, open) })
	}
}

// keyed is a turn of a keyed store that has been written.
type keyed[V any] struct {
	d    *Data[V]
	r    *labkit.Round
	open func(path string) (Store[V], error)
}

func (t keyed[V]) read() error {
	d, r, n := t.d, t.r, len(t.d.Keys)
	if !d.wants(labkit.Read) {
		return nil
	}
	var sum uint64
	err := r.Time(labkit.Read, n, func() error {
		return With(t.open, r.Path, func(store Store[V]) error {
			return r.Lap(labkit.Scan, n, func() (err error) {
				sum, err = d.scan(store)
				r.Held()
				return err
			})
		})
	})
	if err != nil {
		return err
	}
	return r.Check("full read", sum, d.sum)
}

func (t keyed[V]) gets() error {
	d, r, keys := t.d, t.r, t.d.Picked(t.r.Number)
	if !d.wants(labkit.Gets) {
		return nil
	}
	var sum uint64
	err := r.Time(labkit.Gets, len(keys), func() error {
		return With(t.open, r.Path, func(store Store[V]) (err error) {
			sum, err = d.fetch(store, keys)
			r.Held()
			return err
		})
	})
	if err != nil {
		return err
	}
	return r.Check("gets", sum, d.sumOf(keys))
}

// opening is an opening and a closing alone.
func (t keyed[V]) opening() error {
	if !t.d.wants(labkit.Open) {
		return nil
	}
	return t.r.Repeat(labkit.Open, 1, func() error {
		return With(t.open, t.r.Path, func(Store[V]) error { return nil })
	})
}

func (t keyed[V]) getsOpen() error {
	d, r, keys := t.d, t.r, t.d.Picked(t.r.Number)
	if !d.wants(labkit.GetsOpen) {
		return nil
	}
	return With(t.open, r.Path, func(store Store[V]) error {
		// The keys of the round before come first, untimed: a store that is
		// open has been used.
		if _, err := d.fetch(store, d.Picked(r.Number-1)); err != nil {
			return err
		}
		var sum uint64
		err := r.Repeat(labkit.GetsOpen, len(keys), func() (err error) {
			sum, err = d.fetch(store, keys)
			return err
		})
		if err != nil {
			return err
		}
		return r.Check("gets, store open", sum, d.sumOf(keys))
	})
}

// write is how every turn begins: all records written, and what they take on disk.
func (d *Data[V]) write(r *labkit.Round, write func(r *labkit.Round) error) error {
	r.Payload = d.payload
	if err := r.Time(labkit.Write, len(d.Keys), func() error { return write(r) }); err != nil {
		return err
	}
	return Size(r)
}

// Snapshot is one turn of a snapshot: save, size, load, load-all-then-get, and
// the same once more with a record changed in between.
func Snapshot[V any](d *Data[V], save func(path string, all map[string]V) error, load func(path string) (map[string]V, error)) func(context.Context, *labkit.Round) error {
	if d.wants(labkit.Cycle) {
		write := func(r *labkit.Round) error { return save(r.Path, d.all) }
		return d.cycle(write, func(path string, keys []string) (uint64, error) {
			all, err := load(path)
			sum := d.pick(all, keys)
			runtime.KeepAlive(all)
			return sum, err
		})
	}
	return func(ctx context.Context, r *labkit.Round) error {
		t := snapshot[V]{d, r, save, load}
		return steps(ctx,
			func() error { return d.write(r, func(r *labkit.Round) error { return save(r.Path, d.all) }) },
			t.read, t.gets,
			func() error { return d.changeSnapshot(r, save, load) })
	}
}

// snapshot is a turn of a snapshot that has been written.
type snapshot[V any] struct {
	d    *Data[V]
	r    *labkit.Round
	save func(path string, all map[string]V) error
	load func(path string) (map[string]V, error)
}

func (t snapshot[V]) read() error {
	d, r := t.d, t.r
	if !d.wants(labkit.Read) {
		return nil
	}
	var sum uint64
	err := r.Time(labkit.Read, len(d.Keys), func() error {
		all, err := t.load(r.Path)
		sum = d.sumAll(all) // anew: it may be asked for twice, see Time
		r.Held()
		runtime.KeepAlive(all)
		return err
	})
	if err != nil {
		return err
	}
	return r.Check("full read", sum, d.sum)
}

func (t snapshot[V]) gets() error {
	d, r, keys := t.d, t.r, t.d.Picked(t.r.Number)
	if !d.wants(labkit.Gets) {
		return nil
	}
	var sum uint64
	err := r.Time(labkit.Gets, len(keys), func() error {
		all, err := t.load(r.Path)
		sum = d.pick(all, keys)
		r.Held()
		runtime.KeepAlive(all)
		return err
	})
	if err != nil {
		return err
	}
	return r.Check("gets", sum, d.sumOf(keys))
}

// cycle is the whole turn where labkit.Cycle is asked for: write all, then fetch
// the round's keys from what lies there. fetch returns the checksum of what it found.
func (d *Data[V]) cycle(write func(r *labkit.Round) error, fetch func(path string, keys []string) (uint64, error)) func(context.Context, *labkit.Round) error {
	return func(ctx context.Context, r *labkit.Round) error {
		r.Payload = d.payload
		keys := d.Picked(r.Number)
		var sum uint64
		err := r.Time(labkit.Cycle, len(keys), func() (err error) {
			if err = write(r); err == nil {
				sum, err = fetch(r.Path, keys)
			}
			return err
		})
		if err != nil {
			return err
		}
		return errors.Join(r.Check("cycle", sum, d.sumOf(keys)), Size(r), ctx.Err())
	}
}

// Filled is the write of a keyed store of n records: it is created, filled by
// put, which is a lap of its own, and closed.
func Filled[S io.Closer](n int, create func(path string) (S, error), put func(store S) error) func(r *labkit.Round) error {
	return func(r *labkit.Round) error {
		return With(create, r.Path, func(store S) error {
			defer r.Held()
			return r.Lap(labkit.Put, n, func() error { return put(store) })
		})
	}
}

// With opens a store, uses it and closes it, whatever happens in between.
func With[S io.Closer](open func(path string) (S, error), path string, use func(S) error) error {
	store, err := open(path)
	if err != nil {
		return err
	}
	err = use(store)
	return errors.Join(err, store.Close())
}

func (d *Data[V]) scan(store Store[V]) (sum uint64, err error) {
	for e, err := range store.All() {
		if err != nil {
			return 0, err
		}
		sum += d.Sum(e.Key, &e.Value)
	}
	return sum, nil
}

func (d *Data[V]) sumAll(all map[string]V) (sum uint64) {
	for key, v := range all {
		sum += d.Sum(key, &v)
	}
	return sum
}

// pick is fetch for a snapshot that is loaded.
func (d *Data[V]) pick(all map[string]V, keys []string) (sum uint64) {
	for _, key := range keys {
		v := all[key]
		sum += d.Sum(key, &v)
	}
	return sum
}

func (d *Data[V]) fetch(store Store[V], keys []string) (sum uint64, err error) {
	for _, key := range keys {
		v, err := store.Get(key)
		if err != nil {
			return 0, err
		}
		sum += d.Sum(key, &v)
	}
	return sum, nil
}

// Size records what the store at r.Path takes on disk.
func Size(r *labkit.Round) error {
	bytes, err := whole.Allocated(r.Path)
	if err != nil {
		return err
	}
	return r.Size(labkit.Disk, bytes)
}
