package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"shelflab/labkit"
)

// crossingLines say from which n on the other of two arms is better, a line for
// each comparison that asks.
func (r *Run) crossingLines() []string {
	var lines []string
	of := r.index()
	for _, c := range r.Comparisons {
		if c.Role != labkit.Crosses {
			continue
		}
		var list claims
		for _, name := range c.Metrics {
			m, _ := r.Metric(name)
			list.add(lower(r.deed(m))+": ", r.crossing(of, c, m))
		}
		if len(list.texts) > 0 {
			lines = append(lines, upper(c.Label)+", "+pair(c)+": "+list.sentence(r.unequal(c.A, c.B)))
		}
	}
	return lines
}

// crossing is what the sizes show of two arms in a metric; without a text if both
// were measured at fewer than two.
func (r *Run) crossing(of map[place]labkit.Series, c Comparison, m labkit.Metric) claim {
	var ns []int
	var better [][]float64
	count := r.Plan.Rounds
	for _, n := range r.Measured() {
		over, under := r.paired(of, c, n, m.Name)
		if len(over) == 0 {
			continue
		}
		if slices.Contains(over, 0) || slices.Contains(under, 0) {
			return claim{text: "no crossing, since one of the two takes nothing in a round at " + r.at(n)}
		}
		ratios := make([]float64, len(over))
		for i := range over {
			ratios[i] = over[i] / under[i]
		}
		ns, better, count = append(ns, n), append(better, ratios), min(count, len(ratios))
	}
	for i := range better {
		better[i] = better[i][:count]
	}
	if len(ns) < 2 {
		return claim{}
	}
	crossed, err := labkit.Crossing(ns, better)
	least, err2 := labkit.Summarize(better[0])
	most, err3 := labkit.Summarize(better[len(better)-1])
	if err != nil || err2 != nil || err3 != nil { // not of samples without faults
		return claim{}
	}
	if !least.HasInterval() {
		return claim{text: fmt.Sprintf("no verdict after %s, at least 5 are needed", rounds(count))}
	}
	does := "is faster"
	if _, ok := r.wordsOf(m); ok {
		does = "takes less"
	}
	at := func(n float64) string {
		switch {
		case n == 0:
			return "below " + Count(ns[0])
		case math.IsInf(n, 1):
			return "beyond " + Count(ns[len(ns)-1])
		}
		return Count(int(n))
	}
	span := fmt.Sprintf("from n = %s to %s", Count(ns[0]), r.counted(ns[len(ns)-1]))
	switch x := crossed.At; {
	case x.Count > 0:
		below, above := c.A, c.B
		if crossed.Gains > 0 {
			below, above = c.B, c.A
		}
		return claim{fmt.Sprintf("%s %s up to n = %s (%s to %s), %s above", below, does, at(x.P50), at(x.Lo), at(x.Hi), above), x.Level}
	case crossed.First == count:
		return claim{fmt.Sprintf("%s %s at every size %s, %s times at the smallest and %s times at the largest",
			c.A, does, span, r.factor(least.P50), r.factor(most.P50)), least.Level}
	case crossed.Second == count:
		return claim{fmt.Sprintf("%s %s at every size %s, %s times at the smallest and %s times at the largest",
			c.B, does, span, r.factor(1/least.P50), r.factor(1/most.P50)), least.Level}
	}
	var kinds []string
	for _, kind := range []struct {
		count int
		what  string
	}{
		{crossed.First, c.A + " " + does + " throughout"},
		{crossed.Second, c.B + " " + does + " throughout"},
		{crossed.Loses, c.A + " " + does + " at small n only"},
		{crossed.Gains, c.B + " " + does + " at small n only"},
		{crossed.Often, "they change places more than once"},
	} {
		if kind.count > 0 {
			kinds = append(kinds, fmt.Sprintf("in %d of %s %s", kind.count, rounds(count), kind.what))
		}
	}
	return claim{text: fmt.Sprintf("where they change places cannot be told %s: %s", span, strings.Join(kinds, ", "))}
}
