package labkit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrWrong says that an arm read something other than the records that were
// written: the run fails, and its times count for nothing.
var ErrWrong = errors.New("wrong result")

// Arm is one way of keeping the records, as the rounds measure it.
type Arm struct {
	Name string `json:"name"` // as tables show it: "shelf, bulk"
	Kind string `json:"kind"` // "keyed store" or "snapshot"
	Pair string `json:"pair"` // "ours" or "plain": which arms a headline ratio pairs
	What string `json:"what"` // one line: how it keeps the records
	// Durability is the class that the arm writes with, as it does, not as the
	// plan wishes.
	Durability Durability `json:"durability"`
	// Control marks an arm that is another one once more, so that what differs
	// between the two is the machine's noise. It is compared, by the role
	// Control, and left out of the results.
	Control bool `json:"control,omitempty"`
	// Unmeasured says why the arm cannot be measured on this machine, as the end
	// of a sentence: "there is no python3". It is listed then, takes no turn and
	// has no samples. "" is an arm that can.
	Unmeasured string `json:"unmeasured,omitempty"`
	// UpTo is the largest n that the arm is measured at, 0 for any. At a larger one
	// it takes no turn and has no samples, for the reason that Beyond gives as the
	// end of a sentence: "each record takes a file".
	UpTo   int    `json:"up_to,omitempty"`
	Beyond string `json:"beyond,omitempty"` // why, where UpTo is not 0
	// Measure takes one turn: it makes its store at r.Path, times what it does
	// with r.Time and compares what it read with r.Check.
	Measure func(ctx context.Context, r *Round) error `json:"-"`
	// Beside is what a process does that a turn has started by r.Start; nil where
	// turns start none.
	Beside func(ctx context.Context, b *Beside) error `json:"-"`
}

// Without says why the arm is not measured at n, as the end of a sentence; "" where
// it is.
func (a Arm) Without(n int) string {
	if a.Unmeasured == "" && a.UpTo > 0 && n > a.UpTo {
		return a.Beyond
	}
	return a.Unmeasured
}

// Progress says where a measurement is.
type Progress struct {
	N           int
	Round       int // from 1; 0 is the warm-up
	Rounds      int
	Arm         string
	Done, Total int // turns, the warm-up's included
}

// Lab measures arms by a plan.
type Lab struct {
	Plan Plan
	// Dir is where the arms make their stores. Each has a name of its own in
	// it, bench_<arm>_<n>, which is removed before the arm's turn; the last
	// round's stays.
	Dir string
	// Clock is the clock that samples are taken with; nil is Monotonic, which
	// other processes always use.
	Clock Clock
	// Timer is what MeasureTimer says of Clock; if it is the zero value,
	// Measure asks it.
	Timer Timer
	// Progress, if set, is called before every turn.
	Progress func(Progress)
	// Keep, if set, is called after every turn of a measured round with all
	// samples so far, so that an interrupted run leaves what it had.
	Keep func([]Series) error
	// Ended, if set, is told what each process of MeasureApart has taken, when it
	// has ended in good order.
	Ended func(RoundCost)
	// Again says how turns that need a process of their own start one.
	Again Again

	first int // the round to begin with: -1 is the warm-up
	take  func(ctx context.Context, arm Arm, r *Round) ([]Series, error)
}

// Measure runs all arms at n records: one round of warm-up, whose samples are
// dropped, then the plan's rounds. Within a round every arm takes one turn, in
// an order that the plan's seed shuffles anew each round. It returns the
// series, by arm and metric in the order of first appearance; together with an
// error when it did not finish: an arm's, Keep's, or the context's cause. Arms
// that are Unmeasured, or not at this n, are left out.
//
// All of it happens in this process, so the rounds do not tell how times vary
// from one process to the next: see MeasureApart.
func (l Lab) Measure(ctx context.Context, n int, arms []Arm) ([]Series, error) {
	if err := l.check(n, arms); err != nil {
		return nil, err
	}
	arms = measurable(arms, n)
	if l.take == nil {
		l.first, l.take = -1, l.turn
	}
	if l.Clock == nil {
		l.Clock = Monotonic
	}
	if l.Timer == (Timer{}) {
		l.Timer = MeasureTimer(l.Clock)
	}
	batches := make([]map[string]int, len(arms))
	for i := range batches {
		batches[i] = map[string]int{}
	}
	order := l.order(n, len(arms))
	g := gathering{Lab: l, n: n, total: len(arms) * (l.Plan.Rounds - l.first)}
	for number := l.first; number < l.Plan.Rounds; number++ {
		for place, at := range order() {
			arm := arms[at]
			if ctx.Err() != nil {
				return g.series, context.Cause(ctx)
			}
			g.begin(arm.Name, number+1)
			samples, err := l.take(ctx, arm, &Round{
				N: n, Number: number, clock: l.Clock, batches: batches[at], enough: l.Timer.enough(),
				plan: l.Plan.Fingerprint(), again: l.Again,
			})
			if errors.Is(err, errLost) {
				g.lose(arm.Name)
				continue
			}
			if err != nil {
				return g.series, g.failed(arm.Name, err)
			}
			if err := g.end(arm.Name, number, place+1, samples); err != nil {
				return g.series, err
			}
		}
	}
	return g.series, nil
}

// order draws, at each call, the order of the arms in the next round.
func (l Lab) order(n, arms int) func() []int {
	random := rand.New(rand.NewPCG(l.Plan.Seed, uint64(n)))
	return func() []int { return random.Perm(arms) }
}

// gathering is the samples of a measurement at n, turn by turn.
type gathering struct {
	Lab
	n           int
	series      []Series
	done, total int             // turns
	lost        map[string]bool // arms, by name: see errLost
}

// errLost says of a turn that it could not be taken, for a reason that is known
// and is a result: its arm has no samples then, of any round.
var errLost = errors.New("lost")

func (g *gathering) lose(arm string) {
	if g.lost == nil {
		g.lost = map[string]bool{}
	}
	g.done, g.lost[arm] = g.done+1, true
	g.series = slices.DeleteFunc(slices.Clone(g.series), func(s Series) bool { return s.Arm == arm })
}

// begin says that a turn begins in a round, from 1.
func (g *gathering) begin(arm string, round int) {
	if g.Progress != nil {
		g.Progress(Progress{g.n, round, g.Plan.Rounds, arm, g.done, g.total})
	}
}

// end adds the samples of a turn that has ended, unless it was of the warm-up.
func (g *gathering) end(arm string, number, place int, samples []Series) error {
	g.done++
	if number < 0 || g.lost[arm] {
		return nil
	}
	series, err := merge(g.series, arm, number, place, samples)
	if err != nil {
		return g.failed(arm, err)
	}
	g.series = series
	if g.Keep != nil {
		return g.Keep(series)
	}
	return nil
}

// failed is an arm's error.
func (g *gathering) failed(arm string, err error) error {
	return fmt.Errorf("%s, n = %d: %w", arm, g.n, err)
}

func (l Lab) check(n int, arms []Arm) error {
	if err := l.Plan.Validate(); err != nil {
		return err
	}
	if n < 1 || n > MaxRecords {
		return fmt.Errorf("%w: n = %d: give 1 to %d records", ErrPlan, n, MaxRecords)
	}
	seen := map[string]bool{}
	for _, arm := range arms {
		if arm.Name == "" || arm.Measure == nil && arm.Unmeasured == "" {
			return fmt.Errorf("%w: arm %q has no name or no Measure", ErrPlan, arm.Name)
		}
		// Not every file system tells capitals from small letters, and the
		// stores of two arms must not be the same one.
		store := strings.ToLower(StoreName(arm.Name, n))
		if seen[store] {
			return fmt.Errorf("%w: two arms are called %q, or so alike that their stores would be one", ErrPlan, arm.Name)
		}
		seen[store] = true
		if arm.UpTo < 0 || arm.UpTo > 0 && arm.Beyond == "" {
			return fmt.Errorf("%w: arm %q is measured up to n = %d and does not say why", ErrPlan, arm.Name, arm.UpTo)
		}
	}
	if len(arms) == 0 {
		return fmt.Errorf("%w: there is no arm to measure", ErrPlan)
	}
	return nil
}

// measurable leaves out the arms that are not measured here, or not at n.
func measurable(arms []Arm, n int) []Arm {
	return slices.DeleteFunc(slices.Clone(arms), func(a Arm) bool { return a.Without(n) != "" })
}

// turn gives arm its turn r and returns its samples in the order taken.
func (l Lab) turn(ctx context.Context, arm Arm, r *Round) ([]Series, error) {
	if why := arm.Without(r.N); why != "" { // another process thought otherwise
		return nil, fmt.Errorf("%w: it cannot be measured: %s", ErrChild, why)
	}
	r.Path = filepath.Join(l.Dir, StoreName(arm.Name, r.N))
	r.arm = arm.Name
	if err := os.RemoveAll(r.Path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(l.Dir, 0o755); err != nil {
		return nil, err
	}
	if err := arm.Measure(ctx, r); err != nil {
		switch cause := context.Cause(ctx); {
		case cause == nil:
			return nil, err
		case errors.Is(err, ErrWrong): // worth knowing even now
			return nil, errors.Join(cause, err)
		default:
			return nil, cause
		}
	}
	return r.samples, nil
}

// StoreName is the name of an arm's store in the folder of a run.
func StoreName(arm string, n int) string {
	return fmt.Sprintf("bench_%s_%d", Slug(strings.ReplaceAll(arm, ", ", " ")), n)
}

// merge returns series with one turn's samples of an arm added, which was at
// that place in its round. It copies, so that what Keep was given before does
// not change under it. Samples pair up with those of other arms by their round,
// so an arm that measures other metrics, or other work, in one round than in the
// next is ErrSamples: series is then returned as it was.
func merge(series []Series, arm string, number, place int, turn []Series) ([]Series, error) {
	out := slices.Clone(series)
	for _, s := range turn {
		s.Arm, s.Turns = arm, Turns{place}
		at := slices.IndexFunc(out, func(o Series) bool { return o.Arm == arm && o.Metric == s.Metric })
		if at < 0 {
			out = append(out, s)
			continue
		}
		if out[at].Work != s.Work {
			return series, fmt.Errorf("%w: %s did work of %d in round %d, but %d in the rounds before", ErrSamples,
				s.Metric, s.Work, number+1, out[at].Work)
		}
		if out[at].Payload != s.Payload {
			return series, fmt.Errorf("%w: %s was of %d bytes of records in round %d, but of %d in the rounds before", ErrSamples,
				s.Metric, s.Payload, number+1, out[at].Payload)
		}
		if out[at].Batch != s.Batch {
			return series, fmt.Errorf("%w: %s was called %d times in round %d, but %d in the rounds before", ErrSamples,
				s.Metric, max(s.Batch, 1), number+1, max(out[at].Batch, 1))
		}
		out[at].Samples = append(slices.Clip(out[at].Samples), s.Samples...)
		out[at].Turns = append(slices.Clip(out[at].Turns), place)
	}
	for _, s := range out {
		if s.Arm == arm && len(s.Samples) != number+1 {
			return series, fmt.Errorf("%w: %s was measured in %d of %d rounds", ErrSamples, s.Metric, len(s.Samples), number+1)
		}
	}
	return out, nil
}

// TimeLeft estimates what remains from what has passed: 0 before the first turn
// is over, since nothing is known yet.
func (p Progress) TimeLeft(passed time.Duration) time.Duration {
	if p.Done == 0 {
		return 0
	}
	return passed / time.Duration(p.Done) * time.Duration(p.Total-p.Done)
}
