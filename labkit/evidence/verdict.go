package evidence

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"shelflab/labkit"
)

// verdict states what the headline comparisons, and those of a price, show at
// the largest n that is there, a line for each, then a line a metric that says
// where the differences come from. Every sentence is computed.
func (r *Run) verdict() []string {
	n := r.Largest()
	lines := []string{}
	if c, ok := r.Control(n); ok && c.Shows() && r.Schema > 1 {
		lines = append(lines, c.String())
	}
	for _, c := range r.Comparisons {
		if c.Role != Headline && c.Role != labkit.Price {
			continue
		}
		var list claims
		for _, x := range r.Ratios {
			if x.N == n && x.Role == c.Role && x.Label == c.Label && x.A == c.A && x.B == c.B {
				m, _ := r.Metric(x.Metric)
				list.add(lower(r.deed(m))+": ", r.claim(x, m, false))
			}
		}
		if len(list.texts) > 0 {
			note := r.unequal(c.A, c.B)
			lines = append(lines, fmt.Sprintf("%s, n = %s, %s against %s: %s", upper(c.Label), Count(n), c.A, c.B, list.sentence(note)))
		}
	}
	for _, m := range r.Metrics {
		var list claims
		for _, x := range r.Ratios {
			if x.N == n && x.Role == Part && x.Metric == m.Name {
				// Each part compares arms of its own, so it names both, and says
				// for itself if they do not do the same work.
				c := r.claim(x, m, true)
				if note := r.unequal(x.A, x.B); note != "" {
					c.text += ", but " + note
				}
				list.add(x.Label+": ", c)
			}
		}
		if len(list.texts) > 0 {
			lines = append(lines, fmt.Sprintf("Where it comes from in %s, n = %s: %s", lower(r.deed(m)), Count(n), list.sentence("")))
		}
	}
	return lines
}

// claims are what one line of the verdict says, and at which levels.
type claims struct {
	texts       []string
	least, most float64 // of the intervals in the texts, 0 if there is none
}

func (c *claims) add(of string, claim claim) {
	c.texts = append(c.texts, of+claim.text)
	if c.most == 0 {
		c.least = claim.level
	} else if claim.level > 0 {
		c.least = min(c.least, claim.level)
	}
	c.most = max(c.most, claim.level)
}

// sentence ends the line: all series of a run have as many rounds, so their
// intervals share one level, unless the run was interrupted.
func (c claims) sentence(note string) string {
	text := strings.Join(c.texts, "; ") + "."
	switch {
	case c.most > c.least: // not more is claimed than the poorest of them reaches
		text += fmt.Sprintf(" Intervals at %s or more.", Percent(c.least))
	case c.most > 0:
		text += fmt.Sprintf(" Intervals at %s.", Percent(c.most))
	}
	if note != "" {
		text += " But " + note + "."
	}
	return text
}

// upper and lower change the first letter of a text.
func upper(text string) string { return first(text, unicode.ToUpper) }
func lower(text string) string { return first(text, unicode.ToLower) }

func first(text string, change func(rune) rune) string {
	letter, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(change(letter)) + text[size:]
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
	case labkit.ReadCold.Name:
		return "Full read from a cold page cache"
	case labkit.GetsCold.Name:
		return gets + " from a cold page cache"
	}
	return m.Name
}

// claim is what one ratio shows, without a full stop: who wins and by how much,
// or that nobody does, or that it cannot be told. both names the two arms, where
// the line that it stands in does not.
type claim struct {
	text  string
	level float64 // of the interval in the text, 0 if there is none
}

func (r *Run) claim(x Ratio, m labkit.Metric, both bool) claim {
	switch {
	case !x.HasInterval():
		return claim{text: fmt.Sprintf("no verdict after %s, at least 5 are needed (p50: %s)", rounds(x.Count), relation(x, m, both))}
	case !x.Differs():
		between := ""
		if both {
			between = fmt.Sprintf(" between %s and %s", x.A, x.B)
		}
		return claim{fmt.Sprintf("no difference seen%s (%s)", between, interval(x.Summary)), x.Level}
	}
	if x.P50 < 1 { // the loser was named first
		x = r.Turned(x)
	}
	return claim{fmt.Sprintf("%s (%s)", relation(x, m, both), interval(x.Summary)), x.Level}
}

// relation puts the p50 of a ratio into words.
func relation(x Ratio, m labkit.Metric, both bool) string {
	factor := Factor(x.P50)
	slight := factor == "1.00" && x.P50 > 1
	subject, does, other := x.A, fmt.Sprintf("is %s times as fast", factor), " as "+x.B
	switch {
	case m.Unit == "B" && slight:
		subject, does, other = x.B, "takes less than 1 % more space", " than "+x.A
	case m.Unit == "B":
		subject, does, other = x.B, fmt.Sprintf("takes %s times the space", factor), " of "+x.A
	case slight:
		does, other = "is less than 1 % faster", " than "+x.B
	}
	if !both {
		other = ""
	}
	return subject + " " + does + other
}

func interval(s labkit.Summary) string {
	return fmt.Sprintf("%s to %s", Factor(s.Lo), Factor(s.Hi))
}
