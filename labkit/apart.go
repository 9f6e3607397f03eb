package labkit

import (
	"context"
	"fmt"
	"time"
)

// RoundCost is what the process of one round has taken, with all that it does
// beside its samples: what tells how long more rounds will take, and how much
// memory.
type RoundCost struct {
	N      int     `json:"n"`                 // records in the stores
	Round  int     `json:"round"`             // from 1
	WarmUp bool    `json:"warm_up,omitempty"` // each turn came after one of warm-up
	Before float64 `json:"before"`            // seconds until the first turn: starting, and making the records
	Turns  float64 `json:"turns"`             // seconds from then to its end
	Peak   int64   `json:"peak"`              // bytes, the most that was resident
}

// MeasureApart is Measure with a process of its own for each round, which is
// this program started again: see ChildTurn. In it the arms come in the order
// that the plan's seed gives the round, and each takes a turn of warm-up, whose
// samples are dropped, and right after it the turn that counts: what another arm
// has left in memory matters less then. Where the plan does not warm up n there is
// only the turn that counts. So the rounds hold what varies from one
// process to the next, as they do not where one process measures them all.
// Series say that they are Apart.
//
// Results and errors are those of Measure. An arm's error is the child's: its
// text, and those of this package's errors that it wraps. What is ErrChild went
// wrong outside of the arms. arms are those that the child has under the same
// names; only their names are used here.
func (l Lab) MeasureApart(ctx context.Context, n int, arms []Arm) ([]Series, error) {
	if _, ok := ChildTurn(); ok {
		return nil, errNoGrandchild
	}
	if err := l.check(n, arms); err != nil {
		return nil, err
	}
	if arms = measurable(arms, n); len(arms) == 0 {
		return nil, nil
	}
	if l.Timer == (Timer{}) {
		l.Timer = MeasureTimer(Monotonic)
	}
	order := l.order(n, len(arms))
	once := !l.Plan.WarmsUp(n)
	g := gathering{Lab: l, n: n, total: 2 * len(arms) * l.Plan.Rounds}
	if once {
		g.total /= 2
	}
	for number := range l.Plan.Rounds {
		if ctx.Err() != nil {
			return g.series, context.Cause(ctx)
		}
		turn := Turn{Plan: l.Plan.Fingerprint(), N: n, Number: number, Dir: l.Dir, Timer: l.Timer, Once: once, Batches: batches(g.series)}
		for _, at := range order() {
			turn.Arms = append(turn.Arms, arms[at].Name)
		}
		if err := g.round(ctx, turn); err != nil {
			return g.series, err
		}
	}
	return g.series, nil
}

// round has a child take the turns of a round.
func (g *gathering) round(ctx context.Context, turn Turn) error {
	at := "" // the arm whose turn it is
	var refused error
	cost := RoundCost{N: turn.N, Round: turn.Number + 1, WarmUp: !turn.Once}
	start := Monotonic()
	var began time.Duration // when the first turn did
	peak, err := g.child(ctx, turn, func(r report) error {
		switch r.Event {
		case begins:
			if at = r.Arm; began == 0 {
				began = Monotonic()
			}
			g.begin(r.Arm, turn.Number+1)
		case ends:
			for i := range r.Series {
				r.Series[i].Apart = true
			}
			at = ""
			refused = g.end(r.Arm, r.Number, r.Place, r.Series)
		}
		return refused
	})
	switch {
	case refused != nil:
		return refused
	case err == nil && g.Ended != nil:
		cost.Before, cost.Turns, cost.Peak = (began - start).Seconds(), (Monotonic() - began).Seconds(), peak
		g.Ended(cost)
		return nil
	case err == nil, ctx.Err() != nil:
		return err
	case at == "":
		return fmt.Errorf("n = %d, round %d: %w", g.n, turn.Number+1, err)
	}
	return g.failed(at, err)
}

// batches is what the first round has found, by arm and metric.
func batches(series []Series) map[string]map[string]int {
	of := map[string]map[string]int{}
	for _, s := range series {
		if of[s.Arm] == nil {
			of[s.Arm] = map[string]int{}
		}
		of[s.Arm][s.Metric] = max(s.Batch, 1)
	}
	return of
}
