package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// check refuses a run that has nothing to draw. Controls are not drawn: they are
// another arm once more.
func check(run *evidence.Run) error {
	if run == nil || run.Largest() == 0 || len(labkit.Results(run.Arms)) == 0 {
		return fmt.Errorf("%w, so there is nothing to draw: run the sweep first", evidence.ErrNone)
	}
	return nil
}

// noSamples is the error for a metric that no arm has measured.
func noSamples(m labkit.Metric) error {
	return fmt.Errorf("%w of %q: run the sweep with an arm that measures it", evidence.ErrNone, m.Name)
}

// lookup returns what was measured of an arm's metric at n. A summary that no
// measurement can give (NaN, infinite, negative), as in a foreign file, counts
// as missing.
func lookup(run *evidence.Run, arm string, n int, m labkit.Metric) (labkit.Summary, bool) {
	s, ok := run.Summary(arm, n, m.Name)
	for _, x := range []float64{s.P50, s.Lo, s.Hi} {
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			return labkit.Summary{}, false
		}
	}
	return s.Summary, ok
}

func hasAt(run *evidence.Run, n int, m labkit.Metric) bool {
	return slices.ContainsFunc(labkit.Results(run.Arms), func(a labkit.Arm) bool {
		_, ok := lookup(run, a.Name, n, m)
		return ok
	})
}

func has(run *evidence.Run, m labkit.Metric) bool {
	return slices.ContainsFunc(run.Measured(), func(n int) bool { return hasAt(run, n, m) })
}

// rounds says how many rounds the p50 is of.
func rounds(plan labkit.Plan) string {
	if plan.Rounds == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%s rounds", evidence.Count(plan.Rounds))
}

// counts lists sizes: "500, 2,000, 8,000" or, where there are many, the ends.
func counts(ns []int) string {
	if len(ns) > 4 {
		return fmt.Sprintf("%s to %s", evidence.Count(ns[0]), evidence.Count(ns[len(ns)-1]))
	}
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = evidence.Count(n)
	}
	return strings.Join(texts, ", ")
}

// counted is what n counts, behind a size, where that is no records.
func counted(plan labkit.Plan) string {
	if plan.Counts == "" {
		return ""
	}
	return " " + plan.Counts
}

// incomplete says which sizes of the plan lack rounds, "" if none does.
func incomplete(run *evidence.Run) string {
	if missing := run.Missing(); len(missing) > 0 {
		return fmt.Sprintf("Incomplete: n = %s not measured to the last round.", counts(missing))
	}
	return ""
}

// whiskers says what the intervals at the points or bars mean, or why there are
// none.
func whiskers(list []labkit.Summary) string {
	level, most := 0.0, 0
	for _, s := range list {
		most = max(most, s.Count)
		if s.HasInterval() && (level == 0 || s.Level < level) {
			level = s.Level
		}
	}
	if level == 0 {
		return fmt.Sprintf("No whiskers: an interval needs 5 rounds, these are %d.", most)
	}
	return fmt.Sprintf("Whiskers: where the median lies, at the %s level.", evidence.Percent(level))
}

// better says which way is good.
func better(m labkit.Metric) string {
	if m.Higher {
		return "Higher is better."
	}
	return "Less is better."
}

// join puts sentences together, leaving out empty ones.
func join(sentences ...string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// deed is the metric as a title says it.
func deed(m labkit.Metric) string {
	switch m.Name {
	case labkit.Write.Name:
		return "Write"
	case labkit.Read.Name:
		return "Full read"
	case labkit.Update.Name:
		return "One changed record"
	case labkit.UpdateOpen.Name:
		return "One changed record of an open store"
	case labkit.Replace.Name:
		return "All records replaced"
	case "":
		return "?"
	}
	return strings.ToUpper(m.Name[:1]) + m.Name[1:]
}
