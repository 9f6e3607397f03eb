package evidence

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
)

// verdict states where published claims are seen, then what the headline
// comparisons, and those of a price, show at the largest n that is there, a line
// for each, then a line a metric that says where the differences come from. Every
// sentence is computed.
func (r *Run) verdict() []string {
	n := r.Largest()
	lines := []string{}
	if c, ok := r.Control(n); ok && c.Shows() && r.Schema > 1 {
		lines = append(lines, c.String())
	}
	if n > 0 {
		lines = append(lines, r.claimLines(n)...)
	}
	for _, c := range r.Comparisons {
		if c.Role == Headline || c.Role == labkit.Price {
			lines = append(lines, r.headline(c, n)...)
		}
	}
	for _, m := range r.Metrics {
		var list claims
		for _, c := range r.Comparisons {
			if c.Role != Part || !slices.Contains(c.Metrics, m.Name) {
				continue
			}
			// Each part compares arms of its own, so it names both, and says
			// for itself if they do not do the same work.
			claim := r.claimOf(c, n, m, true)
			if note := r.unequal(c.A, c.B); note != "" && claim.text != "" {
				claim.text += ", but " + note
			}
			list.add(c.Label+": ", claim)
		}
		if len(list.texts) > 0 {
			lines = append(lines, fmt.Sprintf("Where it comes from in %s, %s: %s", lower(r.deed(m)), r.at(n), list.sentence("")))
		}
	}
	return slices.Concat(lines, r.onTheirOwn())
}

// onTheirOwn are the sentences that no table of winners has a place for, but for
// headlines.
func (r *Run) onTheirOwn() []string {
	return slices.Concat(r.crossingLines(), r.growthLines(), r.flatLines(), r.limitLines(), r.trialLines(), r.workerLines())
}

// Beyond are the sentences of the verdict that set no arm against another in one
// metric, and that a table of winners has no place for: of headlines Against
// another metric, of crossings, of growths, of what stays flat, of a limit on
// memory, of trials and of what several workers do.
func (r *Run) Beyond() []string {
	var lines []string
	for _, c := range r.Comparisons {
		if c.Role == Headline && c.Against != "" {
			lines = append(lines, r.headline(c, r.Largest())...)
		}
	}
	return slices.Concat(lines, r.onTheirOwn())
}

// headline is the line of a comparison, none if nothing of it was measured at n.
func (r *Run) headline(c Comparison, n int) []string {
	var list claims
	for _, name := range c.Metrics {
		m, _ := r.Metric(name)
		of := lower(r.deed(m)) + ": "
		if c.Against != "" { // the sentence names both metrics
			of = ""
		}
		list.add(of, r.claimOf(c, n, m, false))
	}
	if len(list.texts) == 0 {
		return nil
	}
	head := upper(c.Label) + ", " + r.at(n) + ", " + pair(c)
	if c.Label == "" && r.Schema > 2 {
		head = pair(c) + ", " + r.at(n)
	}
	note := r.unequal(c.A, c.B)
	if c.Role == labkit.Price && r.Schema > 3 { // it is what the price is of
		note = ""
	}
	return []string{head + ": " + list.sentence(note)}
}

// at says at which n.
func (r *Run) at(n int) string {
	text := "n = " + Count(n)
	if r.Plan.Counts != "" {
		text += " " + r.Plan.Counts
	}
	return text
}

// pair names the arms of a comparison.
func pair(c Comparison) string {
	if c.A == c.B && c.Against != "" {
		return c.A
	}
	return c.A + " against " + c.B
}

// growthLines say how arms grow, a line for each growth comparison: over all
// sizes and, where there are more than two, over the last step, which says more
// of what is to come.
func (r *Run) growthLines() []string {
	var lines []string
	of := r.index()
	for _, c := range r.Comparisons {
		if c.Role != Growing {
			continue
		}
		var list claims
		for _, name := range c.Metrics {
			m, _ := r.Metric(name)
			what := lower(r.deed(m))
			ns, samples := r.growing(of, c.A, name)
			if none := zeros(ns, samples); len(none) > 0 && len(ns) > 1 {
				list.add("", claim{text: fmt.Sprintf("%s has no exponent, since it takes nothing in a round at %s", what, sizes(none))})
				continue
			}
			var found []Growth
			for _, g := range r.Growths {
				if g.Arm == c.A && g.Metric == name {
					found = append(found, g)
				}
			}
			if len(found) == 0 {
				continue
			}
			whole := found[0]
			text := fmt.Sprintf("%s grows as n to the power of %s from n = %s to %s%s", what, whole.exponent(), Count(whole.From), r.counted(whole.To), whole.said())
			if last := found[len(found)-1]; len(found) > 1 {
				text += fmt.Sprintf("; from %s on to the power of %s%s", Count(last.From), last.exponent(), last.said())
			}
			list.add("", claim{text, whole.shownLevel()})
		}
		if len(list.texts) > 0 {
			head := c.A
			if c.Label != "" {
				head += ", " + c.Label
			}
			lines = append(lines, head+": "+list.sentence(""))
		}
	}
	return lines
}

// counted is a size with what it counts.
func (r *Run) counted(n int) string { return strings.TrimPrefix(r.at(n), "n = ") }

// vague is how far apart the ends of an exponent's interval may be for it to be
// called linear: with a tenth of a power more, what is ten times as large takes a
// quarter more, and with 0.3 twice as much.
const vague = 0.3

// Words says what an exponent means, as far as its interval tells.
func (g Growth) Words() string {
	switch {
	case !g.HasInterval():
		return "not known after " + rounds(g.Count)
	case g.Lo > 1:
		return "more than linear"
	case g.Hi < 1:
		return "less than linear"
	case g.Hi-g.Lo > vague:
		return "whether that is linear cannot be told, the interval is too wide"
	}
	return "linear as far as can be seen"
}

// said is Words behind an exponent that a sentence has just given.
func (g Growth) said() string {
	if !g.HasInterval() {
		return fmt.Sprintf(" (p50; no verdict after %s, at least 5 are needed)", rounds(g.Count))
	}
	return ": " + g.Words()
}

// exponent is the p50 with its interval, where the rounds reach one.
func (g Growth) exponent() string {
	if !g.HasInterval() {
		return Exponent(g.P50)
	}
	return fmt.Sprintf("%s (%s to %s)", Exponent(g.P50), Exponent(g.Lo), Exponent(g.Hi))
}

func (g Growth) shownLevel() float64 {
	if !g.HasInterval() {
		return 0
	}
	return g.Level
}

// claims are what one line of the verdict says, and at which levels.
type claims struct {
	texts       []string
	least, most float64 // of the intervals in the texts, 0 if there is none
}

// add adds what a claim says of something; a claim without a text is none.
func (c *claims) add(of string, claim claim) {
	if claim.text == "" {
		return
	}
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
