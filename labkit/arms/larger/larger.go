// Package larger reads stores that are larger than the memory that the process may
// have: a shelf and an indexed blob, which are read piece by piece, and a blob, which
// is loaded whole. What each does under a plan's DataLimit is the result, and one that
// is left without memory is one too.
//
// The stores are there already: what writes them may hold all records, and what reads
// them must not. Their records are records.Each's, so that what is read can be checked
// without holding them.
//
// Goal: to see at which store a limit ends a program. Not a goal: to time anything.
package larger

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"runtime"

	"shelflab/labkit"
	"shelflab/labkit/arms/outline"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/blob"
	"shelflab/labkit/records"
	"shelflab/labkit/shelf"
)

// The files of the stores, in the folder that Arms is given.
const (
	ShelfFile   = "larger.shelf"
	IndexedFile = "larger.indexed"
	BlobFile    = "larger.blob"
)

// Source yields the records for shelf.PutAll and blob.Pack, and holds none of them.
func Source(seed uint64, n, note int) func(yield func(turn.Entry[records.Record], error) bool) {
	return func(yield func(turn.Entry[records.Record], error) bool) {
		for key, r := range records.Each(seed, n, note) {
			if !yield(turn.Entry[records.Record]{Key: key, Value: r}, nil) {
				return
			}
		}
	}
}

// Arms read the stores in dir, of n records with such notes: all of them, and the
// plan's number of random keys from fresh; the blob is loaded for all of them alone,
// which is what it would do for the keys. A store that holds anything else fails the
// run.
func Arms(plan labkit.Plan, dir string, n, note int) []labkit.Arm {
	want := func(round int) (r reading) { return expect(plan, n, note, round) }
	keyed := func(name, file string, open func(path string) (turn.Store[records.Record], error)) labkit.Arm {
		arm := outline.Arm(name, plan.Durability)
		arm.What += "; written before, and read here alone"
		arm.Measure = func(ctx context.Context, r *labkit.Round) error {
			return readKeyed(ctx, r, want(r.Number), filepath.Join(dir, file), open)
		}
		return arm
	}
	whole := outline.Arm(outline.BlobAll, plan.Durability)
	whole.What += "; written before, and loaded here alone"
	whole.Measure = func(_ context.Context, r *labkit.Round) error {
		return readWhole(r, want(r.Number), filepath.Join(dir, BlobFile))
	}
	return []labkit.Arm{
		keyed(outline.ShelfBulk, ShelfFile, func(path string) (turn.Store[records.Record], error) {
			return shelf.Open[records.Record](path, shelf.Options{Mode: shelf.ReadOnly})
		}),
		keyed(outline.BlobIndexed, IndexedFile, func(path string) (turn.Store[records.Record], error) {
			return blob.Open[records.Record](path)
		}),
		whole,
	}
}

// reading is what a round must read.
type reading struct {
	payload        int64
	sum, sumOfKeys uint64
	keys           []string // random, some perhaps twice
}

// expect goes through all records once to know their checksums.
func expect(plan labkit.Plan, n, note, round int) (e reading) {
	random := rand.New(rand.NewPCG(plan.Seed, uint64(round+1)))
	times := map[string]uint64{}
	for range plan.Keys {
		key := records.Key(random.IntN(n), n)
		e.keys = append(e.keys, key)
		times[key]++
	}
	for key, r := range records.Each(plan.Seed, n, note) {
		sum := records.Sum(key, &r)
		e.sum += sum
		e.sumOfKeys += times[key] * sum
		e.payload += int64(records.Payload(key, &r))
	}
	return e
}

func readKeyed(ctx context.Context, r *labkit.Round, want reading, path string, open func(path string) (turn.Store[records.Record], error)) error {
	r.Payload = want.payload
	var sum uint64
	err := r.Time(labkit.Read, r.N, func() error {
		sum = 0
		return turn.With(open, path, func(store turn.Store[records.Record]) error {
			for e, err := range store.All() {
				if err != nil {
					return err
				}
				sum += records.Sum(e.Key, &e.Value)
			}
			r.Held()
			return nil
		})
	})
	if err != nil {
		return err
	}
	if err := errors.Join(r.Check("full read", sum, want.sum), ctx.Err()); err != nil {
		return err
	}
	err = r.Time(labkit.Gets, len(want.keys), func() error {
		sum = 0
		return turn.With(open, path, func(store turn.Store[records.Record]) error {
			for _, key := range want.keys {
				v, err := store.Get(key)
				if err != nil {
					return err
				}
				sum += records.Sum(key, &v)
			}
			r.Held()
			return nil
		})
	})
	if err != nil {
		return err
	}
	return r.Check("gets", sum, want.sumOfKeys)
}

func readWhole(r *labkit.Round, want reading, path string) error {
	r.Payload = want.payload
	var sum uint64
	err := r.Time(labkit.Read, r.N, func() error {
		sum = 0
		all, err := blob.Load[map[string]records.Record](path)
		for key, v := range all {
			sum += records.Sum(key, &v)
		}
		r.Held()
		runtime.KeepAlive(all)
		return err
	})
	if err != nil {
		return err
	}
	return r.Check("full read", sum, want.sum)
}
