package evidence

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
)

// Outcome is what a run shows of a published claim in one pair of arms.
type Outcome string

// The outcomes, in the order in which sentences name them.
const (
	Holds        Outcome = "holds"
	Reversed     Outcome = "reversed"           // the other arm is the better one
	NoDifference Outcome = "no difference seen" // or hardly one
	CannotBeTold Outcome = "cannot be told"     // by so many rounds
	NotMeasured  Outcome = "not measured"
)

var outcomes = []Outcome{Holds, Reversed, NoDifference, CannotBeTold, NotMeasured}

// Finding is what a run shows of one claim in one pair of arms at one n.
type Finding struct {
	Comparison         // with the Claim; Label names the pair
	N          int     // records in the stores
	Outcome    Outcome // one of those above
	// Times is how many times better A is than B, or where the claim is Reversed
	// B than A, paired inside each round. Its Count is 0 where there is no ratio.
	Times labkit.Summary
	Why   string // there is no ratio, or no interval: the end of a sentence
}

// Findings are what the run shows at n of each comparison of a claim, in their
// order. An n that was not measured gives findings that say so.
func (r *Run) Findings(n int) []Finding {
	var list []Finding
	of := r.index()
	for _, c := range r.Comparisons {
		if c.Role.Claims() {
			list = append(list, r.finding(of, c, n))
		}
	}
	return list
}

func (r *Run) finding(of map[place]labkit.Series, c Comparison, n int) Finding {
	f := Finding{Comparison: c, N: n, Outcome: NotMeasured}
	for _, name := range []string{c.A, c.B} {
		if arm, _ := r.arm(name); arm.Without(n) != "" {
			f.Why = arm.Without(n)
			return f
		}
	}
	over, under := r.paired(of, c, n, c.Metrics[0])
	if c.Against != "" { // A is to take less of the one than B of the other
		over, under = under, over
	}
	if len(over) == 0 {
		f.Why = "there are no samples of both at " + r.at(n)
		return f
	}
	f.Outcome = CannotBeTold
	if f.Why = r.NoRatio(c, n, c.Metrics[0]); f.Why != "" {
		return f
	}
	times, err := labkit.PairedRatio(over, under)
	if err != nil { // not of samples without faults
		f.Why = err.Error()
		return f
	}
	f.Times = times
	switch {
	case !times.HasInterval():
		f.Why = fmt.Sprintf("%s reach no interval, at least 5 are needed", rounds(times.Count))
	case times.Unclear():
	case !times.Differs():
		f.Outcome = NoDifference
	case times.Lo > 1:
		f.Outcome = Holds
	default:
		f.Outcome = Reversed
		if turned, err := labkit.PairedRatio(under, over); err == nil { // not of zeros, see above
			f.Times = turned
		}
	}
	return f
}

// ByClaim puts findings of one claim together, in the order in which the claims
// come first.
func ByClaim(list []Finding) [][]Finding {
	var groups [][]Finding
	for _, f := range list {
		at := slices.IndexFunc(groups, func(g []Finding) bool { return g[0].Claim == f.Claim })
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], f)
	}
	return groups
}

// claimLines say of each claim where it is seen and where not, at n and then at
// the other sizes, a line a claim, and which arms are missing.
func (r *Run) claimLines(n int) []string {
	var lines []string
	all := r.Findings(n)
	for _, list := range ByClaim(all) {
		lines = append(lines, r.claimLine(list, n))
	}
	var whys []string
	absent := map[string][]string{} // arms by the reason
	for _, f := range all {
		for _, name := range []string{f.A, f.B} {
			arm, _ := r.arm(name)
			if arm.Unmeasured == "" || slices.Contains(absent[arm.Unmeasured], name) {
				continue
			}
			if absent[arm.Unmeasured] == nil {
				whys = append(whys, arm.Unmeasured)
			}
			absent[arm.Unmeasured] = append(absent[arm.Unmeasured], name)
		}
	}
	for _, why := range whys {
		lines = append(lines, fmt.Sprintf("Not measured: %s: %s.", strings.Join(absent[why], " and "), why))
	}
	return lines
}

func (r *Run) claimLine(list []Finding, n int) string {
	line := fmt.Sprintf("%s, %s: %s.", list[0].Claim, r.at(n), conclusion(list))
	var details claims
	for _, f := range list {
		if f.Outcome == NotMeasured {
			continue
		}
		m, _ := r.Metric(f.Metrics[0])
		claim := r.claimOf(f.Comparison, n, m, true)
		if note := r.unequal(f.A, f.B); note != "" && claim.text != "" {
			claim.text += ", but " + note
		}
		details.add(f.Label+": ", claim)
	}
	if len(details.texts) > 0 {
		line += " " + upper(details.sentence(""))
	}
	for _, other := range r.Measured() {
		if other == n {
			continue
		}
		of := r.index()
		var otherwise []Finding
		for _, f := range list {
			if there := r.finding(of, f.Comparison, other); there.Outcome != f.Outcome {
				otherwise = append(otherwise, there)
			}
		}
		if len(otherwise) > 0 {
			line += fmt.Sprintf(" Otherwise at %s: %s.", r.at(other), outcomesOf(otherwise, plainWords))
		}
	}
	return line
}

// conclusion says where a claim is seen, and then, of other pairs of arms, where
// it carries over to. It carries over only if it is seen at all.
func conclusion(list []Finding) string {
	var made, others []Finding
	seen := false
	for _, f := range list {
		if f.Role == labkit.Claim {
			made = append(made, f)
			seen = seen || f.Outcome == Holds
		} else {
			others = append(others, f)
		}
	}
	words := plainWords
	if seen {
		words = carryWords
	}
	texts := []string{outcomesOf(made, plainWords), outcomesOf(others, words)}
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "; ")
}

// What an outcome is called before the pairs that have it.
var (
	plainWords = map[Outcome]string{
		Holds: "holds in %s", Reversed: "is reversed in %s", NoDifference: "no difference seen in %s",
		CannotBeTold: "cannot be told in %s", NotMeasured: "not measured in %s",
	}
	carryWords = map[Outcome]string{
		Holds: "carries over to %s", Reversed: "does not carry over to %s, where it is reversed",
		NoDifference: "does not carry over to %s, where no difference is seen",
		CannotBeTold: "whether it carries over to %s cannot be told", NotMeasured: "not measured in %s",
	}
)

// outcomesOf names the pairs by their outcomes, "" if there are none.
func outcomesOf(list []Finding, words map[Outcome]string) string {
	var texts []string
	for _, outcome := range outcomes {
		var labels []string
		for _, f := range list {
			if f.Outcome == outcome {
				labels = append(labels, f.Label)
			}
		}
		if len(labels) > 0 {
			texts = append(texts, fmt.Sprintf(words[outcome], andList(labels)))
		}
	}
	return strings.Join(texts, "; ")
}
