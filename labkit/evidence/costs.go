package evidence

import (
	"fmt"
	"math"
	"slices"

	"shelflab/labkit"
)

// KeepCosts replaces what the run has of what the rounds at n have taken.
func (rec *Recorder) KeepCosts(n int, costs []labkit.RoundCost) error {
	if slices.ContainsFunc(costs, func(c labkit.RoundCost) bool { return c.N != n }) {
		return fmt.Errorf("%w: costs of another size than n = %d", ErrFormat, n)
	}
	run := *rec.run
	run.Costs = append(slices.DeleteFunc(list(run.Costs), func(c labkit.RoundCost) bool { return c.N == n }), costs...)
	slices.SortStableFunc(run.Costs, func(a, b labkit.RoundCost) int { return a.N - b.N })
	return rec.write(run)
}

// costFaults says which costs cannot be.
func (r *Run) costFaults() []string {
	if len(r.Costs) == 0 {
		return nil
	}
	if r.Schema < 4 || len(r.Costs) > len(r.Plan.N)*r.Plan.Rounds {
		return []string{fmt.Sprintf("%d costs: more than there are rounds, or schema %d knows none", len(r.Costs), r.Schema)}
	}
	type at struct{ n, round int }
	seen := map[at]bool{}
	var list []string
	for i, c := range r.Costs {
		here := at{c.N, c.Round}
		bad := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) || x < 0 }
		if seen[here] || !slices.Contains(r.Plan.N, c.N) || c.Round < 1 || c.Round > r.Plan.Rounds || bad(c.Before) || bad(c.Turns) || c.Peak < 0 {
			list = append(list, fmt.Sprintf("costs[%d] (n = %d, round %d): no such round, there twice, or not an amount", i, c.N, c.Round))
		}
		seen[here] = true
	}
	return list
}

// Forecast is what the rounds of a size that is not measured yet will take, on
// straight lines through the medians at the two largest sizes that are: an
// extrapolation, which shows no cliff. Nothing is forecast to take less than at the
// largest size measured.
type Forecast struct {
	N       int     // records
	From    []int   // the sizes that it is extrapolated from, one or two, ascending
	Seconds float64 // of all rounds
	Peak    float64 // bytes, the most that the process of a round has resident
	Disk    float64 // bytes that the stores of one round take together
}

// Upto is the run as it was when the largest size that it had measured was n: what
// was forecast then can be forecast again.
func (r *Run) Upto(n int) *Run {
	then := *r
	then.Series = slices.DeleteFunc(list(r.Series), func(s labkit.Series) bool { return s.N > n })
	then.Summaries = slices.DeleteFunc(list(r.Summaries), func(s Summary) bool { return s.N > n })
	then.Costs = slices.DeleteFunc(list(r.Costs), func(c labkit.RoundCost) bool { return c.N > n })
	return &then
}

// Forecast extrapolates to n from the sizes below it that have all their rounds. ok
// is false where there is none.
func (r *Run) Forecast(n int) (f Forecast, ok bool) {
	var points []Forecast // of one round
	for _, size := range r.Measured() {
		var before, turns, peak []float64
		for _, c := range r.Costs {
			if c.N != size {
				continue
			}
			passes := 1.0
			if c.WarmUp {
				passes = 2
			}
			before, turns, peak = append(before, c.Before), append(turns, c.Turns/passes), append(peak, float64(c.Peak))
		}
		if size >= n || len(turns) < r.Plan.Rounds {
			continue
		}
		passes := 1.0
		if r.Plan.WarmsUp(n) {
			passes = 2
		}
		point := Forecast{N: size, Seconds: labkit.P50(before) + passes*labkit.P50(turns), Peak: labkit.P50(peak)}
		for _, arm := range r.Arms {
			if arm.Without(n) != "" {
				continue // though its time counts: that of a turn alone is not known
			}
			if s, ok := r.Summary(arm.Name, size, labkit.Disk.Name); ok {
				point.Disk += s.P50
			}
		}
		points = append(points, point)
	}
	if len(points) == 0 {
		return Forecast{}, false
	}
	points = points[max(0, len(points)-2):]
	large, small := points[len(points)-1], Forecast{} // one size alone: in proportion
	if len(points) > 1 {
		small = points[0]
	}
	line := func(of func(Forecast) float64) float64 {
		slope := (of(large) - of(small)) / float64(large.N-small.N)
		return of(large) + max(0, slope)*float64(n-large.N)
	}
	f = Forecast{
		N:       n,
		Seconds: float64(r.Plan.Rounds) * line(func(p Forecast) float64 { return p.Seconds }),
		Peak:    line(func(p Forecast) float64 { return p.Peak }),
		Disk:    line(func(p Forecast) float64 { return p.Disk }),
	}
	for _, p := range points {
		f.From = append(f.From, p.N)
	}
	return f, true
}
