package show

import (
	"fmt"
	"slices"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// winners is the verdict at one look: a row for each comparison, a column for
// each metric, and in it the arm that is better at n and how many times, or
// that no difference is seen. It says what the verdict's sentences say, from
// the same ratios. Reads on a cold page cache are left to the sentences, and so
// is one metric against another, of which neither is better. Claims have a table
// of their own.
func winners(run *evidence.Run, n int) Table {
	ratios := shownAt(run, n)
	metrics := slices.DeleteFunc(slices.Clone(run.Metrics), func(m labkit.Metric) bool {
		return !slices.ContainsFunc(ratios, func(x evidence.Ratio) bool { return x.Metric == m.Name })
	})
	t := Table{
		Head:  []string{size(run, n)},
		Notes: []string{"Below each arm: how many times it is better" + atLevel(run, n) + "." + chanceNote(shownAt(run, n))},
	}
	for _, m := range metrics {
		better := "who is faster"
		if m.Unit == "B" || m.Group == labkit.Resources {
			better = "who takes less"
		}
		t.Head = append(t.Head, m.Name+"\n"+better)
	}
	type key struct{ label, a, b string }
	rowOf := map[key]int{}
	for _, x := range ratios {
		column := slices.IndexFunc(metrics, func(m labkit.Metric) bool { return m.Name == x.Metric })
		if column < 0 { // of a metric that the run does not know
			continue
		}
		k := key{x.Label, x.A, x.B}
		i, ok := rowOf[k]
		if !ok {
			i = len(t.Rows)
			rowOf[k] = i
			row := slices.Repeat([]string{none}, 1+len(metrics))
			row[0] = lines(fmt.Sprintf("%s or %s", x.A, x.B), part(x))
			t.Rows = append(t.Rows, row)
		}
		if x.Differs() && x.Hi < 1 { // the loser was named first
			x = run.Turned(x)
		}
		t.Rows[i][1+column] = winner(run, x)
	}
	return t
}

// atLevel says what the intervals are, "" if there are none.
func atLevel(run *evidence.Run, n int) string {
	level := 0.0
	for _, x := range run.Ratios {
		if x.N == n && x.HasInterval() && (level == 0 || x.Level < level) {
			level = x.Level
		}
	}
	if level == 0 {
		return ""
	}
	return fmt.Sprintf(", and the interval of that at the %s level", evidence.Percent(level))
}

// winner is the better arm of a ratio in which the better one, if there is one,
// stands first; how many times it is better, and the interval of that.
func winner(run *evidence.Run, x evidence.Ratio) string {
	s := x.Summary
	switch {
	case s.Count == 0 && len(run.NotKeepingUp(x)) > 0:
		return noRatio + "\na backlog"
	case s.Count == 0:
		return noRatio + "\na zero"
	case !s.HasInterval():
		return "no verdict\ntoo few rounds"
	case run.Same(s):
		return "the same\nin every round"
	case run.Unclear(s):
		return "cannot be told\n" + span(evidence.Factor(s.Lo), evidence.Factor(s.Hi))
	case !s.Differs():
		return "no difference seen\n" + span(evidence.Factor(s.Lo), evidence.Factor(s.Hi))
	}
	p50 := evidence.Factor(s.P50)
	times := p50 + "×"
	if within := interval(p50, evidence.Factor(s.Lo), evidence.Factor(s.Hi)); within != "" {
		times += ", " + within
	}
	return lines(x.A, times)
}

// shownAt are the ratios at n that the table of winners shows, and what has none
// because an arm takes nothing. What a control shows, the box says.
func shownAt(run *evidence.Run, n int) []evidence.Ratio {
	return slices.DeleteFunc(append(slices.Clone(run.Ratios), withoutRatio(run)...), func(x evidence.Ratio) bool {
		m, _ := run.Metric(x.Metric)
		aside := m.Group != labkit.Main && (run.Schema < 3 || m.Group != labkit.Resources)
		return x.N != n || x.Role == evidence.Control || x.Role.Claims() || x.Against != "" || aside
	})
}

// chanceNote warns of reading many ratios as if each stood alone.
func chanceNote(list []evidence.Ratio) string {
	expected, judged := evidence.ByChance(list)
	if judged < 2 {
		return ""
	}
	return fmt.Sprintf(" Each is judged by itself: of %d between equal arms about %s would differ by chance.", judged, evidence.Factor(expected))
}
