package crowd

import (
	"context"
	"errors"
	"math"
	"os"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/arms/live"
	"shelflab/labkit/arms/mix"
	"shelflab/labkit/arms/turn"
)

// warm is the part of its operations that a turn of warm-up carries out.
const warm = 10

// fewer is how many of n operations a turn carries out.
func fewer(n int, r *labkit.Round) int {
	if r.Number < 0 {
		return max(n/warm, 1)
	}
	return n
}

// Closed are the arms of a part in which n goroutines use one store in a closed
// loop: labkit.Throughput, and what was lost and torn. Only systems that one
// process can have open for all of them take part.
func Closed(plan labkit.Plan, options mix.Options, systems ...live.System) []labkit.Arm {
	o := load{options}
	return o.arms(systems, func(ctx context.Context, r *labkit.Round, store live.Store) (int, *done, error) {
		list := o.operations(fewer(o.Operations, r), plan.Seed, r.Number)
		d := &done{}
		err := r.Time(labkit.Throughput, len(list), func() error {
			work(ctx, r.N, len(list), func(i int) { d.one(store, list[i]) })
			return ctx.Err()
		})
		return len(list), d, err
	})
}

// Open are the arms of a part in which n goroutines use one store in an open
// loop at a rate, in operations a second: labkit.Latency50 and Latency99, how far
// they are behind in the end, and what was lost and torn.
func Open(plan labkit.Plan, options mix.Options, rate float64, systems ...live.System) []labkit.Arm {
	o := load{options}
	return o.arms(systems, func(ctx context.Context, r *labkit.Round, store live.Store) (int, *done, error) {
		n := fewer(int(math.Ceil(rate*float64(o.Millis)/1000)), r)
		list, moments := o.operations(n, plan.Seed, r.Number), arrivals(n, rate, plan.Seed, r.Number)
		d := &done{}
		took := openLoop(ctx, wall{time.Now()}, moments, r.N, func(i int) { d.one(store, list[i]) })
		if ctx.Err() != nil {
			return 0, nil, ctx.Err()
		}
		behind := time.Duration(0)
		for i, x := range took {
			behind = max(behind, moments[i]+x-moments[n-1])
		}
		return n, d, errors.Join(
			r.LapTold(labkit.Latency50, n, percentile(took, 0.50).Seconds()),
			r.LapTold(labkit.Latency99, n, percentile(took, 0.99).Seconds()),
			r.LapTold(labkit.Behind, n, behind.Seconds()))
	})
}

// arms are those of systems, of which use carries out n operations.
func (o load) arms(systems []live.System, use func(ctx context.Context, r *labkit.Round, store live.Store) (n int, d *done, err error)) []labkit.Arm {
	list := make([]labkit.Arm, len(systems))
	for i, s := range systems {
		list[i] = s.Arm()
		list[i].Measure = func(ctx context.Context, r *labkit.Round) error {
			if err := fill(s, r.Path, o.Items); err != nil {
				return err
			}
			return turn.With(s.Open, r.Path, func(store live.Store) error {
				n, d, err := use(ctx, r, store)
				if err != nil {
					return err
				}
				lost, err := o.judge(store, d)
				return errors.Join(err, o.count(r, n, lost, d))
			})
		}
	}
	return list
}

// fill makes a system's store, and forgets the lock of one that was there.
func fill(s live.System, path string, items int) error {
	if err := os.RemoveAll(live.LockName(path)); err != nil {
		return err
	}
	return s.Fill(path, live.Entries(items, 0))
}
