package evidence

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
)

// Flat says how many times as much one record costs an arm at a large n as at a
// small one, in a metric: 1 is flat. Rounds are paired by their number, though the
// two sizes were not measured together: what slows the machine down between them
// is in it.
type Flat struct {
	Arm    string `json:"arm"`    // its name
	Metric string `json:"metric"` // its name
	From   int    `json:"from"`   // the small n
	To     int    `json:"to"`     // the large n
	// Count of the rounds; p50, min, max, lo, hi of the ratios, without a unit;
	// and level.
	labkit.Summary
}

const (
	// FlatFrom is the least n that a record's cost is judged from: below it the
	// fixed costs of a store are most of what a record costs.
	FlatFrom = 8000
	// FlatWithin is how many times as much a record may cost at the large n for an
	// arm to count as flat.
	FlatWithin = 1.5
)

// flats are those that the comparisons ask for, of arms that were measured at two
// sizes, of which the smaller is FlatFrom at least, or the smallest there is where
// all but one are below it.
func (r *Run) flats(of map[place]labkit.Series) ([]Flat, error) {
	var list []Flat
	for _, c := range r.Comparisons {
		if c.Role != labkit.Flat {
			continue
		}
		for _, metric := range c.Metrics {
			ns, samples := r.growing(of, c.A, metric)
			last := len(ns) - 1
			first := slices.IndexFunc(ns, func(n int) bool { return n >= FlatFrom })
			if first < 0 || first == last {
				first = 0
			}
			if last < 1 || len(zeros([]int{ns[first]}, samples[first:first+1])) > 0 {
				continue
			}
			each := func(i int) []float64 {
				of := make([]float64, len(samples[i]))
				for round, x := range samples[i] {
					of[round] = x / float64(ns[i])
				}
				return of
			}
			sum, err := labkit.PairedRatio(each(last), each(first))
			if err != nil {
				return nil, fmt.Errorf("%s, a record of %s: %w", c.A, metric, err)
			}
			list = append(list, Flat{c.A, metric, ns[first], ns[last], sum})
		}
	}
	return list, nil
}

// Words says whether an arm stays flat, as far as the interval tells.
func (f Flat) Words() string {
	switch {
	case !f.HasInterval():
		return "not known after " + rounds(f.Count)
	case f.Hi <= FlatWithin:
		return "stays flat"
	case f.Lo > FlatWithin:
		return "does not stay flat"
	}
	return "cannot be told"
}

// flatLines say who stays flat, a line for each metric and pair of sizes.
func (r *Run) flatLines() []string {
	type key struct {
		metric   string
		from, to int
	}
	var order []key
	of := map[key][]Flat{}
	for _, f := range r.Flats {
		k := key{f.Metric, f.From, f.To}
		if of[k] == nil {
			order = append(order, k)
		}
		of[k] = append(of[k], f)
	}
	var lines []string
	for _, k := range order {
		m, _ := r.Metric(k.metric)
		var texts []string
		var level float64
		for _, words := range []string{"stays flat", "does not stay flat", "cannot be told", ""} {
			var arms []string
			for _, f := range of[k] {
				if f.Words() != words && (words != "" || f.HasInterval()) {
					continue
				}
				factor := r.factor(f.P50)
				if f.HasInterval() {
					factor += fmt.Sprintf(" (%s)", r.interval(f.Summary))
					level = f.Level
				}
				arms = append(arms, f.Arm+" "+factor)
			}
			if len(arms) == 0 {
				continue
			}
			switch words {
			case "":
				words = fmt.Sprintf("no verdict after %s, at least 5 are needed", rounds(of[k][0].Count))
			case "cannot be told":
				words = "whether it stays flat cannot be told"
			}
			texts = append(texts, words+": "+strings.Join(arms, ", "))
		}
		line := fmt.Sprintf("One record of %s at n = %s against one at %s, in times of its cost, flat up to %s: %s.",
			lower(r.deed(m)), r.counted(k.to), Count(k.from), r.factor(FlatWithin), strings.Join(texts, "; "))
		if level > 0 {
			line += fmt.Sprintf(" Intervals at %s.", Percent(level))
		}
		lines = append(lines, line)
	}
	return lines
}
