package turn

import (
	"context"
	"slices"

	"shelflab/labkit"
)

// Changed returns d with every record changed once, as d.Change does. Records
// without a Change are labkit.ErrPlan.
func (d *Data[V]) Changed() (*Data[V], error) {
	if d.Change == nil {
		return nil, errNoChange
	}
	after := *d
	after.Values = slices.Clone(d.Values)
	for i := range after.Values {
		if err := d.Change(&after.Values[i]); err != nil {
			return nil, err
		}
	}
	return New(&after)
}

// Total is the checksum of all records: what Sum adds up to.
func (d *Data[V]) Total() uint64 { return d.sum }

// Map returns the records under their keys. It must not be changed.
func (d *Data[V]) Map() map[string]V { return d.all }

// Rewrite is one turn of a store that is written with d and then has all of its
// records replaced, by replace with those of after, which has as many. read
// returns what d.Sum adds up to over what is there then.
func Rewrite[V any](d, after *Data[V], write func(r *labkit.Round) error, replace func(path string) error, read func(path string) (uint64, error)) func(context.Context, *labkit.Round) error {
	return func(ctx context.Context, r *labkit.Round) error {
		return steps(ctx,
			func() error { return d.write(r, write) },
			func() error {
				return r.Time(labkit.Replace, len(d.Keys), func() error { return replace(r.Path) })
			},
			func() error {
				sum, err := read(r.Path)
				if err != nil {
					return err
				}
				return r.Check("full read of the new records", sum, after.sum)
			})
	}
}

// Scanned is the read of a keyed store for Rewrite.
func Scanned[V any](d *Data[V], open func(path string) (Store[V], error)) func(path string) (uint64, error) {
	return func(path string) (sum uint64, err error) {
		err = With(open, path, func(store Store[V]) error {
			sum, err = d.scan(store)
			return err
		})
		return sum, err
	}
}

// Loaded is the read of a snapshot for Rewrite.
func Loaded[V any](d *Data[V], load func(path string) (map[string]V, error)) func(path string) (uint64, error) {
	return func(path string) (uint64, error) {
		all, err := load(path)
		return d.sumAll(all), err
	}
}
