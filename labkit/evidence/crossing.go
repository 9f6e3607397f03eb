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
	if err != nil { // not of samples without faults
		return claim{}
	}
	x := crossed.At
	if !x.HasInterval() || r.alike(better[0]) || r.alike(better[len(better)-1]) { // equal counts as better there
		return r.throughout(c, m, ns, better)
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
	below, above := c.A, c.B
	if crossed.Gains > 0 {
		below, above = c.B, c.A
	}
	return claim{fmt.Sprintf("%s %s up to n = %s (%s to %s), %s above", below, r.excels(m), at(x.P50), at(x.Lo), at(x.Hi), above), x.Level}
}

// alike tells whether two arms have taken the same in every round.
func (r *Run) alike(ratios []float64) bool {
	s, err := labkit.Summarize(ratios)
	return err == nil && r.Same(s)
}

// excels says what the better of two arms does in a metric.
func (r *Run) excels(m labkit.Metric) string {
	if _, ok := r.wordsOf(m); ok {
		return "takes less"
	}
	return "is faster"
}

// throughout says of two arms of which no crossing is known who is better at each
// size, as far as the paired interval there tells. better is that of
// labkit.Crossing.
func (r *Run) throughout(c Comparison, m labkit.Metric, ns []int, better [][]float64) claim {
	var first, second, same, untold []int // sizes
	level := 1.0
	for i, ratios := range better {
		s, err := labkit.Summarize(ratios)
		if err != nil {
			return claim{}
		}
		if !s.HasInterval() {
			return claim{text: fmt.Sprintf("no verdict after %s, at least 5 are needed", rounds(s.Count))}
		}
		level = min(level, s.Level)
		switch {
		case r.Same(s):
			same = append(same, ns[i])
		case !s.Differs():
			untold = append(untold, ns[i])
		case s.P50 > 1:
			first = append(first, ns[i])
		default:
			second = append(second, ns[i])
		}
	}
	span := fmt.Sprintf("from n = %s to %s", Count(ns[0]), r.counted(ns[len(ns)-1]))
	always := func(arm string, better [][]float64) claim {
		times := func(ratios []float64) string {
			s, _ := labkit.Summarize(ratios) // it was without an error above
			return fmt.Sprintf("%s times (%s)", r.factor(s.P50), r.interval(s))
		}
		return claim{fmt.Sprintf("%s %s at every size %s, %s at the smallest and %s at the largest",
			arm, r.excels(m), span, times(better[0]), times(better[len(better)-1])), level}
	}
	var texts []string
	switch {
	case len(first) == len(ns):
		return always(c.A, better)
	case len(second) == len(ns):
		return always(c.B, inverses(better))
	case len(same) == len(ns):
		return claim{text: "both take the same at every size " + span + ", in every round"}
	case len(first) > 0 && len(second) > 0:
		texts = append(texts, "where they change places cannot be told "+span)
	default:
		texts = append(texts, "whether they change places cannot be told "+span)
	}
	for _, at := range []struct {
		ns   []int
		what string
	}{
		{first, c.A + " " + r.excels(m)}, {second, c.B + " " + r.excels(m)},
		{same, "both take the same"}, {untold, "which of them " + r.excels(m) + " cannot be told"},
	} {
		if len(at.ns) > 0 {
			texts = append(texts, at.what+" at "+sizes(at.ns))
		}
	}
	return claim{texts[0] + ": " + strings.Join(texts[1:], ", "), level}
}

func inverses(better [][]float64) [][]float64 {
	list := make([][]float64, len(better))
	for i, ratios := range better {
		for _, x := range ratios {
			list[i] = append(list[i], 1/x)
		}
	}
	return list
}
