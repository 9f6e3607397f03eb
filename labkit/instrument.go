package labkit

import (
	"context"
	"slices"
)

// instrument takes the clock's place in a turn: it is given the operations that
// the arm has timed, and takes samples of another kind. The arm does not know.
type instrument interface {
	// operation runs op, which Time was to measure as m.
	operation(r *Round, m Metric, work int, op func() error) error
	// size is given a size that the arm has told.
	size(r *Round, m Metric, bytes int64) error
	// held is called inside an operation: see Round.Held.
	held()
}

// Held says, inside an operation, that its result is there or its store still
// open: what the program holds in memory is looked at here, where that is
// measured, and nothing happens in a turn that is timed.
func (r *Round) Held() {
	if r.instrument != nil {
		r.instrument.held()
	}
}

// Unmeasured says that an arm's metric has no samples at n, and why.
type Unmeasured struct {
	Arm    string `json:"arm"`    // its name
	N      int    `json:"n"`      // records in the store
	Metric string `json:"metric"` // its name
	Why    string `json:"why"`    // the end of a sentence: "this system does not tell"
}

// without notes that m is not measured, once a turn.
func (r *Round) without(m Metric, why string) {
	if !slices.ContainsFunc(r.unmeasured, func(u Unmeasured) bool { return u.Metric == m.Name }) {
		r.unmeasured = append(r.unmeasured, Unmeasured{N: r.N, Metric: m.Name, Why: why})
	}
}

// special is Measure with turns of another kind, from the round first on and
// without controls, whose noise Measure has told. An arm's metric that could not
// be measured in every round has no samples at all.
func (l Lab) special(ctx context.Context, n, first int, arms []Arm, take func(ctx context.Context, arm Arm, r *Round) ([]Series, error)) ([]Series, []Unmeasured, error) {
	var without []Unmeasured
	lacks := func(arm, metric string) bool {
		return slices.ContainsFunc(without, func(u Unmeasured) bool { return u.Arm == arm && u.Metric == metric })
	}
	drop := func(series []Series) []Series {
		return slices.DeleteFunc(slices.Clone(series), func(s Series) bool { return lacks(s.Arm, s.Metric) })
	}
	l.first = first
	l.take = func(ctx context.Context, arm Arm, r *Round) ([]Series, error) {
		samples, err := take(ctx, arm, r)
		for _, u := range r.unmeasured {
			if r.Number >= 0 && !lacks(arm.Name, u.Metric) {
				u.Arm = arm.Name
				without = append(without, u)
			}
		}
		return samples, err
	}
	if keep := l.Keep; keep != nil {
		l.Keep = func(series []Series) error { return keep(drop(series)) }
	}
	series, err := l.Measure(ctx, n, slices.DeleteFunc(slices.Clone(arms), func(a Arm) bool { return a.Control }))
	return drop(series), without, err
}
