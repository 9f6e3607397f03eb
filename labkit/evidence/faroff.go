package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
)

const (
	// farTimes is how many times the p50 of its series a sample takes, or the p50
	// takes it, that is called far off.
	farTimes = 2
	// farNamed is how many of those a sentence names.
	farNamed = 3
)

// FarOff is a sample that is far from the p50 of its series. It is not dropped: it
// counts like all others.
type FarOff struct {
	Arm    string
	N      int // records in the store
	Metric string
	Round  int     // from 1
	Took   float64 // seconds
	Times  float64 // of the p50 of its series
}

// distance is how far off it is, whichever way.
func (f FarOff) distance() float64 { return max(f.Times, 1/f.Times) }

// FarOff lists the timed samples that took more than twice the p50 of their
// series, or less than half of it, the farthest first, and says of how many.
func (r *Run) FarOff() (list []FarOff, of int) {
	for _, s := range r.Series {
		m, _ := r.Metric(s.Metric)
		if s.Unit != "s" || m.Group == labkit.Resources || m.Counted() {
			continue
		}
		p50 := labkit.P50(s.Samples)
		of += len(s.Samples)
		for i, x := range s.Samples {
			if f := (FarOff{s.Arm, s.N, s.Metric, i + 1, x, x / p50}); f.distance() > farTimes {
				list = append(list, f)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b FarOff) int { return cmp.Compare(b.distance(), a.distance()) })
	return list, of
}

// Outlying says in a sentence how many samples are far off, and names the farthest;
// "" where nothing was timed.
func (r *Run) Outlying() string {
	list, of := r.FarOff()
	what := fmt.Sprintf("more than twice the p50 of %s series, or less than half of it", verb(max(1, len(list)), "its", "their"))
	switch {
	case of == 0:
		return ""
	case len(list) == 0:
		return fmt.Sprintf("Far off: none of %s samples took %s.", Count(of), what)
	}
	var named []string
	for _, f := range list[:min(farNamed, len(list))] {
		named = append(named, fmt.Sprintf("%s, n = %s, %s, round %d: %s, %s times the p50", f.Arm, Count(f.N), f.Metric, f.Round, Quantity(f.Took, "s"), Factor(f.Times)))
	}
	return fmt.Sprintf("Far off: %s of %s samples took %s; %s like all others. The farthest: %s.",
		Count(len(list)), Count(of), what, verb(len(list), "it counts", "they count"), strings.Join(named, "; "))
}
