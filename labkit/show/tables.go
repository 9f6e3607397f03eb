package show

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Lead returns the lead table at n: a row for each arm, a column for each
// metric, the p50 with its interval below where the rounds reach one. No best
// is marked: what differs is said by the ratios, which are paired. The notes
// say what each column times, the rounds, the level and the durability, and
// list the run's warnings. Controls are left out: see Ratios. An arm without samples has dashes; a nil run or an n
// that was not measured gives a table that says so.
func Lead(run *evidence.Run, n int) Table {
	t := Table{Title: fmt.Sprintf("n = %s", evidence.Count(n))}
	if run == nil || !slices.Contains(run.Measured(), n) {
		t.Notes = []string{fmt.Sprintf("n = %s has not been measured: run the sweep first.", evidence.Count(n))}
		return t
	}
	t.Title = fmt.Sprintf("All arms at %s: p50 of %s", size(run, n), rounds(run.Plan.Rounds))
	metrics := measured(run, n)
	classes := durabilities(run)
	t.Head = []string{"arm"}
	for _, m := range metrics {
		t.Head = append(t.Head, m.Name+"\n"+headUnit(m))
	}
	if len(classes) > 1 {
		t.Head = append(t.Head, "durability\nsurvives a")
	}
	for _, arm := range labkit.Results(run.Arms) {
		row := []string{arm.Name + "\n" + describe(arm)}
		for _, m := range metrics {
			row = append(row, value(run, arm.Name, n, m))
		}
		if len(classes) > 1 {
			row = append(row, survives(arm.Durability))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, absent(run, n)...)
	t.Notes = append(t.Notes, intervalNote(run, n))
	if apart(run, n) {
		t.Notes = append(t.Notes, warmUpNote(run, n))
	}
	if len(classes) == 1 {
		t.Notes = append(t.Notes, fmt.Sprintf("Every arm's finished writes survive a %s.", survives(classes[0])))
	}
	var what []string
	for _, m := range metrics {
		what = append(what, m.Name+": "+m.What)
	}
	t.Notes = append(t.Notes, "What each column measures. "+strings.Join(what, ". ")+".")
	if note := clockNote(run, n); note != "" {
		t.Notes = append(t.Notes, note)
	}
	t.Notes = append(t.Notes, warnings(run)...)
	return t
}

// warmUpNote says how the turns at n were taken.
func warmUpNote(run *evidence.Run, n int) string {
	if !run.Plan.WarmsUp(n) {
		return fmt.Sprintf("Each round was taken in a process of its own. Above n = %s there is no warm-up: each turn is the first of its arm in that process.", evidence.Count(run.Plan.WarmUpTo))
	}
	return "Each round was taken in a process of its own, each turn in it after one of warm-up."
}

// apart tells whether each round at n had a process of its own.
func apart(run *evidence.Run, n int) bool {
	return slices.ContainsFunc(run.Series, func(s labkit.Series) bool {
		m, _ := run.Metric(s.Metric)
		return s.N == n && m.Group == labkit.Main && s.Apart
	})
}

// Ratios returns the paired ratios: a row for each comparison and metric, a
// column for each n, and in it how many times better the first arm is, with the
// interval below, or that no difference is seen. Where a metric is set against
// another it is how many times as much. Where an arm takes nothing, and so there
// is no ratio, the cell says so. What claims are judged by is left to Claims. A
// nil run, or one without comparisons, gives a table that says so.
func Ratios(run *evidence.Run) Table {
	t := Table{Title: "How many times better: ratios paired inside each round"}
	if run == nil {
		run = &evidence.Run{}
	}
	isClaim := func(x evidence.Ratio) bool { return x.Role.Claims() }
	zeros, ratios := slices.DeleteFunc(withoutRatio(run), isClaim), slices.DeleteFunc(slices.Clone(run.Ratios), isClaim)
	if len(ratios)+len(zeros) == 0 {
		t.Notes = []string{"No two arms have been compared yet: run the sweep first."}
		return t
	}
	ns := run.Measured()
	t.Head = []string{"comparison", "metric"}
	for _, n := range ns {
		t.Head = append(t.Head, "n = "+evidence.Count(n))
	}
	type key struct{ label, a, b, metric, against string }
	at := map[key]int{}
	against, own := false, []string{}
	cell := func(x evidence.Ratio, text string) {
		k := key{x.Label, x.A, x.B, x.Metric, x.Against}
		i, ok := at[k]
		if !ok {
			i = len(t.Rows)
			at[k] = i
			row := make([]string, 2+len(ns))
			row[0], row[1] = lines(fmt.Sprintf("%s over %s", x.A, x.B), part(x)), x.Metric
			if x.Against != "" {
				against = true
				row[1] += " over " + x.Against
				own = append(own, ownRounds(run, x))
			}
			if x.A == x.B {
				row[0] = lines(x.A, part(x))
			}
			for j := range ns {
				row[2+j] = none
			}
			t.Rows = append(t.Rows, row)
		}
		if j := slices.Index(ns, x.N); j >= 0 {
			t.Rows[i][2+j] = text
		}
	}
	for _, x := range ratios {
		if x.Against != "" {
			cell(x, times(x.Summary))
			continue
		}
		cell(x, factor(run, x.Summary))
	}
	for _, x := range zeros {
		cell(x, noRatio)
	}
	t.Notes = []string{
		"Above 1 the first arm is faster, or takes less; below 1 the second does. Each ratio is taken inside one round, so that what slows the machine down for a while slows both.",
		levelNote(run, ratios),
	}
	if against {
		t.Notes = append(t.Notes, "Where one metric stands over another, the ratio is how many times as much the first is, and neither is better.")
		t.Notes = append(t.Notes, slices.DeleteFunc(slices.Compact(own), func(note string) bool { return note == "" })...)
	}
	if len(zeros) > 0 {
		why := "one of the two takes nothing in a round, so there is no ratio."
		if slices.ContainsFunc(zeros, func(x evidence.Ratio) bool { return len(run.NotKeepingUp(x)) > 0 }) {
			why = "one of the two does not keep up with what it is offered, so its latency says only how long it was measured."
		}
		t.Notes = append(t.Notes, noRatio+": "+why)
	}
	return t
}

// ownRounds says of a ratio of two metrics that they were taken in different
// rounds, "" if they were not.
func ownRounds(run *evidence.Run, x evidence.Ratio) string {
	m, _ := run.Metric(x.Metric)
	against, _ := run.Metric(x.Against)
	note := evidence.OwnRounds(m, against)
	if note == "" {
		return ""
	}
	return fmt.Sprintf("%s and %s were %s.", sentence(m.Name), against.Name, note)
}

// noRatio stands where both sides were measured and one of them took nothing.
const noRatio = "no ratio"

// withoutRatio lists what was compared and has no ratio for that reason, each as
// a ratio without numbers. Evidence from before schema 3 does not speak of it.
func withoutRatio(run *evidence.Run) (list []evidence.Ratio) {
	if run.Schema < 3 {
		return nil
	}
	for _, n := range run.Measured() {
		for _, c := range run.Comparisons {
			for _, m := range c.Metrics {
				if c.Role != evidence.Growing && c.Role != labkit.Flat && run.NoRatio(c, n, m) != "" {
					list = append(list, evidence.Ratio{Role: c.Role, Label: c.Label, A: c.A, B: c.B, N: n, Metric: m, Against: c.Against})
				}
			}
		}
	}
	return list
}

func part(x evidence.Ratio) string {
	switch x.Role {
	case evidence.Part:
		return "part: " + x.Label
	case evidence.Control:
		return "control: the same arm, measured twice"
	}
	return x.Label
}

// factor is a ratio with its interval, in the words of the verdict.
func factor(run *evidence.Run, s labkit.Summary) string {
	p50, lo, hi := evidence.Factor(s.P50), evidence.Factor(s.Lo), evidence.Factor(s.Hi)
	switch {
	case !s.HasInterval():
		return p50 + "\ntoo few rounds"
	case run.Same(s):
		return p50 + "\nthe same"
	case run.Unclear(s):
		return lines(p50, span(lo, hi), "cannot be told")
	case !s.Differs():
		return lines(p50, span(lo, hi), "spans 1")
	}
	return lines(p50, interval(p50, lo, hi))
}

// levelNote says what the intervals of the ratios are.
func levelNote(run *evidence.Run, ratios []evidence.Ratio) string {
	level, fewest := 0.0, 0
	for _, x := range ratios {
		if x.HasInterval() && (level == 0 || x.Level < level) {
			level = x.Level
		}
		if fewest == 0 || x.Count < fewest {
			fewest = x.Count
		}
	}
	if level == 0 {
		return fmt.Sprintf("No intervals: %s, and an interval needs 5.", rounds(fewest))
	}
	return fmt.Sprintf("Below each ratio its interval at the %s level. W%s.", evidence.Percent(level), spanNote(run)[1:]) + chanceNote(ratios)
}

// spanNote says what it means that a ratio spans 1.
func spanNote(run *evidence.Run) string {
	if run == nil || run.Schema < 3 {
		return "where it spans 1, no difference is seen"
	}
	return "where it spans 1, no difference is seen, or it cannot be told whether there is one: if the ends are more than a factor of 2 apart"
}

// measured lists the metrics of the main rounds for which any arm has samples at
// n, in the run's order.
func measured(run *evidence.Run, n int) []labkit.Metric {
	return slices.DeleteFunc(slices.Clone(run.Metrics), func(m labkit.Metric) bool {
		return m.Group != labkit.Main || !slices.ContainsFunc(run.Summaries, func(s evidence.Summary) bool { return s.N == n && s.Metric == m.Name })
	})
}
