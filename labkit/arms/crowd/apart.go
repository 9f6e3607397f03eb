package crowd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/arms/live"
	"shelflab/labkit/arms/mix"
	"shelflab/labkit/arms/turn"
)

// perTurn is how many operations a process carries out before it closes a store
// that only one may have open, so that another one gets its turn.
const perTurn = 10

// pause is how long, at most, a process waits before it tries again to open a store
// that another one has open.
const pause = 2 * time.Millisecond

// What the processes and the turn say to each other.
const (
	ready = "ready"
	start = "go"
)

// Apart are the arms of a part in which n processes use one store: as Closed, for
// a tenth of its operations, and with the store opened once a process, where a
// system allows that, or once for perTurn operations.
func Apart(plan labkit.Plan, options mix.Options, systems ...live.System) []labkit.Arm {
	o := load{options}
	o.Operations = max(o.Operations/10, 1)
	arms := make([]labkit.Arm, len(systems))
	for i, s := range systems {
		arms[i] = s.Arm()
		arms[i].Beside = func(ctx context.Context, b *labkit.Beside) error { return o.beside(ctx, b, plan.Seed, s) }
		arms[i].Measure = func(ctx context.Context, r *labkit.Round) error { return o.processes(ctx, r, s) }
	}
	return arms
}

// processes is a turn with r.N processes.
func (o load) processes(ctx context.Context, r *labkit.Round, s live.System) error {
	if r.Number < 0 { // the processes are new in each turn, so that nothing is warm
		return nil
	}
	if err := fill(s, r.Path, o.Items); err != nil {
		return err
	}
	count := o.Operations
	list := make([]*labkit.Process, r.N)
	for i := range list {
		from, to := share(i, r.N, count)
		p, err := r.Start(ctx, fmt.Sprintf("%d %d %d", from, to, count))
		if err != nil {
			return err
		}
		defer p.Close()
		list[i] = p
	}
	for _, p := range list {
		if err := p.Expect(ready); err != nil {
			return err
		}
	}
	d := &done{}
	err := r.Time(labkit.Throughput, count, func() error {
		for _, p := range list {
			if err := p.Say(start); err != nil {
				return err
			}
		}
		for _, p := range list {
			if err := heard(p, d); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, p := range list {
		if err := p.End(); err != nil {
			return err
		}
	}
	return turn.With(s.Open, r.Path, func(store live.Store) error {
		lost, err := o.judge(store, d)
		return errors.Join(err, o.count(r, count, lost, d))
	})
}

// share is the i-th of n parts of a number of operations.
func share(i, n, count int) (from, to int) { return i * count / n, (i + 1) * count / n }

// heard adds what a process says it has done.
func heard(p *labkit.Process, d *done) error {
	line, ok := p.Hear()
	var made, torn int64
	if _, err := fmt.Sscan(line, &made, &torn); err != nil || !ok {
		return errors.Join(p.End(), fmt.Errorf("%w: it says %q when it should be done", labkit.ErrChild, line))
	}
	d.made.Add(made)
	d.torn.Add(torn)
	return nil
}

// beside is what one of several processes does.
func (o load) beside(ctx context.Context, b *labkit.Beside, seed uint64, s live.System) error {
	var from, to, count int
	if _, err := fmt.Sscan(b.What, &from, &to, &count); err != nil {
		return err
	}
	mine := o.operations(count, seed, b.Number)[from:to]
	d := &done{}
	use := func() error { return inTurns(ctx, s, b.Path, mine, d) }
	if s.Share != nil {
		store, err := s.Share(b.Path)
		if err != nil {
			return err
		}
		defer store.Close()
		use = func() error {
			for _, op := range mine {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				d.one(store, op)
			}
			return nil
		}
	}
	if err := b.Say(ready); err != nil {
		return err
	}
	if _, err := b.Hear(); err != nil {
		return err
	}
	if err := use(); err != nil {
		return err
	}
	return b.Say(fmt.Sprint(d.made.Load(), d.torn.Load()))
}

// inTurns carries out operations on a store that only one process may have open.
func inTurns(ctx context.Context, s live.System, path string, list []operation, d *done) error {
	for some := range slices.Chunk(list, perTurn) {
		err := turn.With(func(path string) (live.Store, error) { return patient(ctx, s, path) }, path, func(store live.Store) error {
			for _, op := range some {
				d.one(store, op)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// patient opens a store, again and again while another process has it open.
func patient(ctx context.Context, s live.System, path string) (live.Store, error) {
	for {
		store, err := s.Open(path)
		if err == nil || !s.Refused(err) {
			return store, err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		time.Sleep(rand.N(pause))
	}
}
