package turn

import (
	"fmt"
	"io"
	"math/rand/v2"

	"shelflab/labkit"
)

var errNoChange = fmt.Errorf("%w: records are to be changed that have no Change", labkit.ErrPlan)

// Changer is a store that changes a record by its key: change works on the
// record, and what it leaves is kept when Update returns, by the class that the
// store was opened with. A key that is not there is an error.
type Changer[V any] interface {
	Update(key string, change func(*V) error) error
	io.Closer
}

// calls is how many updates of an open store are one sample: a store now and
// then does more than write what it was given.
const calls = 50

// changes are the updates of a turn: random keys, and what the records are then.
type changes[V any] struct {
	d      *Data[V]
	random *rand.Rand
	made   []string // keys, one for each change
}

func (d *Data[V]) changes(round int) (*changes[V], error) {
	if d.Change == nil {
		return nil, errNoChange
	}
	return &changes[V]{d: d, random: rand.New(rand.NewPCG(d.Seed, uint64(round+1)))}, nil
}

// next draws a key, whose record is changed then.
func (c *changes[V]) next() string {
	key := c.d.Keys[c.random.IntN(len(c.d.Keys))]
	c.made = append(c.made, key)
	return key
}

// sum is the checksum of all records after the changes.
func (c *changes[V]) sum() (uint64, error) {
	sum, changed := c.d.sum, map[string]V{}
	for _, key := range c.made {
		v, ok := changed[key]
		if !ok {
			v = c.d.all[key]
		}
		sum -= c.d.Sum(key, &v)
		if err := c.d.Change(&v); err != nil {
			return 0, err
		}
		sum += c.d.Sum(key, &v)
		changed[key] = v
	}
	return sum, nil
}

// changeKeyed changes records of the store that a turn has written, and reads all
// of them back.
func (d *Data[V]) changeKeyed(r *labkit.Round, edit func(path string) (Changer[V], error), open func(path string) (Store[V], error)) error {
	return d.change(r, func(c *changes[V]) error {
		return r.Time(labkit.Update, 1, func() error {
			return With(edit, r.Path, func(store Changer[V]) error { return store.Update(c.next(), d.Change) })
		})
	}, func(c *changes[V]) error {
		return With(edit, r.Path, func(store Changer[V]) error {
			// One comes first, untimed: a store that is open has been used.
			if err := store.Update(c.next(), d.Change); err != nil {
				return err
			}
			each := calls
			if _, rewrites := store.(Rewriter); rewrites {
				each = 1
			}
			return r.Mean(labkit.UpdateOpen, 1, each, func() error { return store.Update(c.next(), d.Change) })
		})
	}, Scanned(d, open))
}

// Rewriter marks a Changer that writes all records anew for each change, so that
// one call is a sample.
type Rewriter interface{ Rewrites() }

// changeSnapshot changes records of the snapshot that a turn has saved, and loads
// it once more.
func (d *Data[V]) changeSnapshot(r *labkit.Round, save func(path string, all map[string]V) error, load func(path string) (map[string]V, error)) error {
	one := func(c *changes[V], all map[string]V) error {
		key := c.next()
		v := all[key]
		if err := d.Change(&v); err != nil {
			return err
		}
		all[key] = v
		return save(r.Path, all)
	}
	return d.change(r, func(c *changes[V]) error {
		return r.Time(labkit.Update, 1, func() error {
			all, err := load(r.Path)
			if err != nil {
				return err
			}
			return one(c, all)
		})
	}, func(c *changes[V]) error {
		all, err := load(r.Path)
		if err != nil {
			return err
		}
		return r.Time(labkit.UpdateOpen, 1, func() error { return one(c, all) })
	}, Loaded(d, load))
}

// change takes the two ways to change a record that are asked for, and compares
// what read then sums up with what it should be. What no step before has read is
// compared here too.
func (d *Data[V]) change(r *labkit.Round, fresh, open func(*changes[V]) error, read func(path string) (uint64, error)) error {
	want := d.sum
	if d.wants(labkit.Update) || d.wants(labkit.UpdateOpen) {
		c, err := d.changes(r.Number)
		if err != nil {
			return err
		}
		if d.wants(labkit.Update) {
			if err := fresh(c); err != nil {
				return err
			}
		}
		if d.wants(labkit.UpdateOpen) {
			if err := open(c); err != nil {
				return err
			}
		}
		if want, err = c.sum(); err != nil {
			return err
		}
	} else if d.wants(labkit.Read) {
		return nil
	}
	sum, err := read(r.Path)
	if err != nil {
		return err
	}
	return r.Check("full read at the end", sum, want)
}
