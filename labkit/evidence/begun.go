package evidence

import (
	"fmt"
	"slices"
	"time"

	"shelflab/labkit"
)

// Begun says when the measuring of a size began: that of the oldest that is kept of
// it.
type Begun struct {
	N  int       `json:"n"`  // records, as in the plan
	At time.Time `json:"at"` // UTC, to the second
}

// begins notes when the measuring of n began, of which nothing older is left, and
// moves the run's beginning to that of its oldest size: a run that was measured
// anew from its first size to its last began when that did.
func (r *Run) begins(n int, at time.Time) {
	if at.After(r.Updated) { // the clock was set back since
		at = r.Updated
	}
	r.Begun = slices.DeleteFunc(slices.Clone(r.Begun), func(b Begun) bool { return b.N == n })
	r.Begun = append(r.Begun, Begun{n, at})
	slices.SortFunc(r.Begun, func(a, b Begun) int { return a.N - b.N })
	first := slices.MinFunc(r.Begun, func(a, b Begun) int { return a.At.Compare(b.At) }).At
	untold := func(size int) bool { // an older lab has measured it
		return !slices.ContainsFunc(r.Begun, func(b Begun) bool { return b.N == size })
	}
	if slices.ContainsFunc(r.Measured(), untold) && r.Started.Before(first) {
		return
	}
	r.Started = first
}

// begunFaults says where the beginnings of the sizes do not hang together.
func (r *Run) begunFaults() []string {
	for i, b := range r.Begun {
		if r.Schema < 4 || !slices.Contains(r.Plan.N, b.N) || i > 0 && b.N <= r.Begun[i-1].N || b.At.Before(r.Started) || b.At.After(r.Updated) {
			return []string{fmt.Sprintf("begun[%d]: n = %d at %s: no size of the plan in ascending order, not from when the run began to its last sample, or schema %d knows none",
				i, b.N, b.At.Format(time.RFC3339), r.Schema)}
		}
	}
	return nil
}

// has tells whether a run has any samples of n.
func (r *Run) has(n int) bool {
	return slices.ContainsFunc(r.Series, func(s labkit.Series) bool { return s.N == n })
}
