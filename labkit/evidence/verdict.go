package evidence

import (
	"fmt"
	"strings"

	"shelflab/labkit"
)

// verdict states what the headline comparisons show at the largest n that is
// there, then where the differences come from. Every sentence is computed.
func (r *Run) verdict() []string {
	n := r.Largest()
	if n == 0 {
		return []string{}
	}
	lines := []string{}
	for _, ratio := range r.Ratios {
		if ratio.N == n && ratio.Role == Headline {
			lines = append(lines, r.sentence(ratio))
		}
	}
	for _, m := range r.Metrics {
		if line := r.parts(n, m); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// deed says what is compared, for sentences: the metric as a noun.
func (r *Run) deed(m labkit.Metric) string {
	switch m.Name {
	case labkit.Write.Name:
		return "Write"
	case labkit.Read.Name:
		return "Full read"
	case labkit.Gets.Name:
		return fmt.Sprintf("%s random gets", Count(r.Plan.Keys))
	case labkit.Disk.Name:
		return "Disk"
	}
	return strings.ToUpper(m.Name[:1]) + m.Name[1:]
}

func (r *Run) sentence(x Ratio) string {
	m, _ := r.Metric(x.Metric)
	head := fmt.Sprintf("%s, n = %s, %s: ", r.deed(m), Count(x.N), x.Label)
	switch {
	case !x.HasInterval():
		return head + fmt.Sprintf("no verdict, %s reach only the %s level (p50 of the ratio %s to %s: %s); at least 5 are needed.",
			rounds(x.Count), Percent(x.Level), x.A, x.B, Factor(x.P50))
	case !x.Differs():
		return head + fmt.Sprintf("no difference seen between %s and %s (ratio %s, %s).", x.A, x.B, Factor(x.P50), interval(x.Summary))
	}
	winner, loser, s := x.A, x.B, x.Summary
	if x.P50 < 1 {
		winner, loser, s = x.B, x.A, inverse(x.Summary)
	}
	how := "times as fast as"
	if m.Unit == "B" {
		return head + fmt.Sprintf("%s takes %s times the space of %s (%s).", loser, Factor(s.P50), winner, interval(s))
	}
	return head + fmt.Sprintf("%s is %s %s %s (%s).", winner, Factor(s.P50), how, loser, interval(s))
}

// parts says whose part of the differences is how large in one metric, "" if
// no part comparison covers it.
func (r *Run) parts(n int, m labkit.Metric) string {
	var texts []string
	for _, x := range r.Ratios {
		if x.N != n || x.Role != Part || x.Metric != m.Name {
			continue
		}
		text := fmt.Sprintf("%s, %s against %s: %s times", x.Label, x.A, x.B, Factor(x.P50))
		switch {
		case !x.HasInterval():
			text += " (too few rounds to tell)"
		case !x.Differs():
			text = fmt.Sprintf("%s, %s against %s: no difference seen (%s)", x.Label, x.A, x.B, interval(x.Summary))
		default:
			text += " (" + interval(x.Summary) + ")"
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return ""
	}
	return fmt.Sprintf("Where it comes from in %s, n = %s: %s.", strings.ToLower(r.deed(m)), Count(n), strings.Join(texts, "; "))
}

// inverse turns a summary of ratios a/b into that of b/a. The median of the
// inverses is the inverse of the median only for an odd number of rounds; for
// an even one the difference is below the digits shown.
func inverse(s labkit.Summary) labkit.Summary {
	return labkit.Summary{Count: s.Count, P50: 1 / s.P50, Min: 1 / s.Max, Max: 1 / s.Min, Lo: 1 / s.Hi, Hi: 1 / s.Lo, Level: s.Level}
}

func interval(s labkit.Summary) string {
	return fmt.Sprintf("%s to %s at %s", Factor(s.Lo), Factor(s.Hi), Percent(s.Level))
}

func rounds(n int) string {
	if n == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", n)
}

func sizes(ns []int) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = Count(n)
	}
	if len(ns) == 1 {
		return "n = " + texts[0] + " is"
	}
	return "n = " + strings.Join(texts, ", ") + " are"
}
