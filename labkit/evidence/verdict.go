package evidence

import (
	"fmt"
	"strings"

	"shelflab/labkit"
)

// verdict states what the headline comparisons show at the largest n that is
// there, then where the differences come from. Every sentence is computed.
func (r *Run) verdict(of map[place]labkit.Series) []string {
	n := r.Largest()
	lines := []string{}
	for _, x := range r.Ratios {
		if x.N == n && x.Role == Headline {
			m, _ := r.Metric(x.Metric)
			lines = append(lines, fmt.Sprintf("%s, n = %s, %s: %s.", r.deed(m), Count(n), x.Label, r.claim(of, x, m)))
		}
	}
	for _, m := range r.Metrics {
		var parts []string
		for _, x := range r.Ratios {
			if x.N == n && x.Role == Part && x.Metric == m.Name {
				parts = append(parts, x.Label+": "+r.claim(of, x, m))
			}
		}
		if len(parts) > 0 {
			lines = append(lines, fmt.Sprintf("Where it comes from in %s, n = %s: %s.", strings.ToLower(r.deed(m)), Count(n), strings.Join(parts, "; ")))
		}
	}
	return lines
}

// deed says what is compared, for sentences: the metric as a noun.
func (r *Run) deed(m labkit.Metric) string {
	gets := Count(r.Plan.Keys) + " random gets"
	switch m.Name {
	case labkit.Write.Name:
		return "Write"
	case labkit.Put.Name:
		return "Write into an open store"
	case labkit.Read.Name:
		return "Full read"
	case labkit.Scan.Name:
		return "Full read of an open store"
	case labkit.Gets.Name:
		return gets
	case labkit.GetsOpen.Name:
		return gets + " from an open store"
	case labkit.Disk.Name:
		return "Disk"
	}
	return m.Name
}

// claim says what a ratio shows, without a full stop: who wins and by how much,
// or that nobody does, or that it cannot be told.
func (r *Run) claim(of map[place]labkit.Series, x Ratio, m labkit.Metric) string {
	text := ""
	switch {
	case !x.HasInterval():
		text = fmt.Sprintf("no verdict between %s and %s, at least 5 rounds are needed (p50 of the ratio after %s: %s)",
			x.A, x.B, rounds(x.Count), relation(x, m))
	case !x.Differs():
		text = fmt.Sprintf("no difference seen between %s and %s (p50 of the ratio %s, %s)", x.A, x.B, Factor(x.P50), interval(x.Summary))
	default:
		if x.P50 < 1 { // the loser was named first
			// The median of the inverses is the inverse of the median only for
			// an odd number of rounds, so it is taken of the samples.
			turned := Comparison{Role: x.Role, Label: x.Label, A: x.B, B: x.A}
			if y, ok, err := r.ratio(of, turned, x.N, x.Metric); ok && err == nil {
				x = y
			}
		}
		text = fmt.Sprintf("%s (%s)", relation(x, m), interval(x.Summary))
	}
	if note := r.unequal(x.A, x.B); note != "" {
		text += ", but " + note
	}
	return text
}

// relation puts the p50 of a ratio into words.
func relation(x Ratio, m labkit.Metric) string {
	factor := Factor(x.P50)
	switch slight := factor == "1.00" && x.P50 > 1; {
	case m.Unit == "B" && slight:
		return fmt.Sprintf("%s takes less than 1 %% more space than %s", x.B, x.A)
	case m.Unit == "B":
		return fmt.Sprintf("%s takes %s times the space of %s", x.B, factor, x.A)
	case slight:
		return fmt.Sprintf("%s is less than 1 %% faster than %s", x.A, x.B)
	}
	return fmt.Sprintf("%s is %s times as fast as %s", x.A, factor, x.B)
}

func interval(s labkit.Summary) string {
	return fmt.Sprintf("%s to %s at %s", Factor(s.Lo), Factor(s.Hi), Percent(s.Level))
}
