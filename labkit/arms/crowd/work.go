// Package crowd measures several workers on one store: goroutines of one process,
// or processes. What they do is a mix of gets and updates; how fast all of them
// are together, how long an operation takes from the moment at which it was asked
// for, and whether every update is there afterwards.
package crowd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"shelflab/labkit"
	"shelflab/labkit/arms/live"
	"shelflab/labkit/arms/mix"
)

// load is what workers are asked for.
type load struct{ mix.Options }

// operation is one that a worker carries out.
type operation struct {
	key    string
	update bool
}

// operations are n of a mix, the same for every arm: as many of them are updates as
// the mix says, in an order and of keys that the seed and the round draw.
func (o load) operations(n int, seed uint64, round int) []operation {
	random := rand.New(rand.NewPCG(seed, uint64(round+1)))
	list := make([]operation, n)
	for i := range list {
		list[i] = operation{live.Key(random.IntN(o.Items)), i < o.updates(n)}
	}
	random.Shuffle(n, func(i, j int) { list[i].update, list[j].update = list[j].update, list[i].update })
	return list
}

// updates is how many of n operations are updates.
func (o load) updates(n int) int { return (n*o.Updates + 50) / 100 }

// done is what workers have done.
type done struct {
	made atomic.Int64 // updates, without those that have failed
	torn atomic.Int64 // reads that gave what nobody has written, or an error
}

// one carries out an operation. What fails counts, and does not end the work: a
// store that cannot do it with so many workers has shown just that.
func (d *done) one(store live.Store, op operation) {
	if op.update {
		whole := true
		err := store.Update(op.key, func(item *live.Item) error {
			whole = item.Whole()
			return item.Change()
		})
		if err == nil {
			d.made.Add(1)
		}
		if err != nil || !whole {
			d.torn.Add(1)
		}
		return
	}
	if item, err := store.Get(op.key); err != nil || !item.Whole() {
		d.torn.Add(1)
	}
}

// work has workers carry out operations, each beginning its next when the last is
// done, until there are no more or ctx ends.
func work(ctx context.Context, workers int, count int, one func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= count {
					return
				}
				one(i)
			}
		})
	}
	all.Wait()
}

// judge counts, of a store that nobody uses any more, how many of the updates that
// were made are not in it, and adds what cannot be read to what is torn.
func (o load) judge(store live.Store, d *done) (lost int, err error) {
	there := 0
	for i := range o.Items {
		item, err := store.Get(live.Key(i))
		if err != nil || !item.Whole() {
			d.torn.Add(1)
			continue
		}
		there += item.Version
	}
	if lost = int(d.made.Load()) - there; lost < 0 {
		return 0, fmt.Errorf("%w: %d updates are there, but only %d were made", labkit.ErrWrong, there, d.made.Load())
	}
	return lost, nil
}

// count records what workers have lost and torn of n operations. The last look
// at every item is a read, too.
func (o load) count(r *labkit.Round, n, lost int, d *done) error {
	return errors.Join(
		r.Count(labkit.LostUpdates, max(o.updates(n), 1), lost),
		r.Count(labkit.TornReads, n+o.Items, int(d.torn.Load())))
}
