package arms

import (
	"context"
	"errors"
	"iter"
	"runtime"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

// keyed is what is read a key at a time, as a turn uses it.
type keyed[V any] interface {
	get(key string) (V, error)
	all() iter.Seq2[entry[V], error]
	Close() error
}

// keyedTurn is one turn of a store that is written by write, from nothing to a
// closed store, and opened to be read a key at a time.
func keyedTurn[V any](d *Data[V], write func(r *labkit.Round) error, open func(path string) (keyed[V], error)) func(context.Context, *labkit.Round) error {
	return func(ctx context.Context, r *labkit.Round) error {
		n, keys := len(d.Keys), d.picked(r.Number)
		r.Payload = d.payload
		if err := r.Time(labkit.Write, n, func() error { return write(r) }); err != nil {
			return err
		}
		if err := size(r); err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}

		var sum uint64
		err := r.Time(labkit.Read, n, func() error {
			return with(open, r.Path, func(store keyed[V]) error {
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
		if err := r.Check("full read", sum, d.sum); err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}

		err = r.Time(labkit.Gets, len(keys), func() error {
			return with(open, r.Path, func(store keyed[V]) (err error) {
				sum, err = d.fetch(store, keys)
				r.Held()
				return err
			})
		})
		if err != nil {
			return err
		}
		if err := r.Check("gets", sum, d.sumOf(keys)); err != nil {
			return err
		}
		return with(open, r.Path, func(store keyed[V]) error {
			// The keys of the round before come first, untimed: a store that is
			// open has been used.
			if _, err := d.fetch(store, d.picked(r.Number-1)); err != nil {
				return err
			}
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
}

// snapshotTurn is one turn of a snapshot: save, size, load, load-all-then-get.
func snapshotTurn[V any](d *Data[V], save func(path string, all map[string]V) error, load func(path string) (map[string]V, error)) func(context.Context, *labkit.Round) error {
	return func(ctx context.Context, r *labkit.Round) error {
		n, keys := len(d.Keys), d.picked(r.Number)
		r.Payload = d.payload
		if err := r.Time(labkit.Write, n, func() error { return save(r.Path, d.all) }); err != nil {
			return err
		}
		if err := size(r); err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}

		var sum uint64
		err := r.Time(labkit.Read, n, func() error {
			sum = 0 // it may be asked for twice: see Time
			all, err := load(r.Path)
			for key, v := range all {
				sum += d.Sum(key, &v)
			}
			r.Held()
			runtime.KeepAlive(all)
			return err
		})
		if err != nil {
			return err
		}
		if err := r.Check("full read", sum, d.sum); err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}

		err = r.Time(labkit.Gets, len(keys), func() error {
			sum = 0
			all, err := load(r.Path)
			for _, key := range keys {
				v := all[key]
				sum += d.Sum(key, &v)
			}
			r.Held()
			runtime.KeepAlive(all)
			return err
		})
		if err != nil {
			return err
		}
		return r.Check("gets", sum, d.sumOf(keys))
	}
}

// with opens a store, uses it and closes it, whatever happens in between.
func with[V any](open func(string) (keyed[V], error), path string, use func(keyed[V]) error) error {
	store, err := open(path)
	if err != nil {
		return err
	}
	err = use(store)
	return errors.Join(err, store.Close())
}

func (d *Data[V]) scan(store keyed[V]) (sum uint64, err error) {
	for e, err := range store.all() {
		if err != nil {
			return 0, err
		}
		sum += d.Sum(e.Key, &e.Value)
	}
	return sum, nil
}

func (d *Data[V]) fetch(store keyed[V], keys []string) (sum uint64, err error) {
	for _, key := range keys {
		v, err := store.get(key)
		if err != nil {
			return 0, err
		}
		sum += d.Sum(key, &v)
	}
	return sum, nil
}

func size(r *labkit.Round) error {
	bytes, err := whole.Allocated(r.Path)
	if err != nil {
		return err
	}
	return r.Size(labkit.Disk, bytes)
}
