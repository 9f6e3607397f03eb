package show

import (
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Changes returns what differs between an old run and a new one, a table for
// each metric and n in the order of the list: a row for each arm, with both p50s
// and their intervals, and how the new p50 compares, or '~' where no difference
// is seen. What only one run has, what is not compared and what sets the runs
// apart stands in the notes of the last table.
func Changes(c evidence.Changes) []Table {
	var list []Table
	for i, x := range c.List {
		if before := i - 1; before < 0 || c.List[before].Metric != x.Metric || c.List[before].N != x.N {
			unit := headUnit(labkit.Metric{Unit: x.Unit})
			list = append(list, Table{
				Title: fmt.Sprintf("%s, n = %s", x.Metric, evidence.Count(x.N)),
				Head:  []string{"arm", "old p50 (interval)\n" + unit, "new p50 (interval)\n" + unit, "new over old", "p"},
			})
		}
		t := &list[len(list)-1]
		t.Rows = append(t.Rows, changeRow(x))
	}
	if len(list) == 0 {
		list = []Table{{Title: "Nothing to compare"}}
	}
	last := &list[len(list)-1]
	last.Notes = append(last.Notes, changesNote(c))
	for _, group := range []struct {
		title string
		lines []string
	}{{"Not compared", c.Unlike}, {"Only in the old run", c.OnlyOld}, {"Only in the new run", c.OnlyNew}} {
		if len(group.lines) > 0 {
			last.Notes = append(last.Notes, fmt.Sprintf("%s: %s.", group.title, some(group.lines)))
		}
	}
	for _, w := range c.Warnings {
		last.Notes = append(last.Notes, "⚠ "+w.Text+" "+w.Remedy)
	}
	return list
}

func changeRow(x evidence.Change) []string {
	ratio := "~"
	switch {
	case x.Differs && x.Ratio == 0:
		ratio = none
	case x.Differs:
		ratio = fmt.Sprintf("%s× %s", evidence.Factor(x.Ratio), direction(x))
	}
	return []string{x.Arm, withInterval(x.Old, x.Unit), withInterval(x.New, x.Unit), ratio, lines(evidence.Factor(x.P), x.Note)}
}

// withInterval is a p50 with its interval on one line.
func withInterval(s labkit.Summary, unit string) string {
	number := func(v float64) string { return amount(v, labkit.Metric{Unit: unit}) }
	if s.HasInterval() {
		if within := interval(number(s.P50), number(s.Lo), number(s.Hi)); within != "" {
			return fmt.Sprintf("%s (%s)", number(s.P50), within)
		}
	}
	return number(s.P50)
}

// direction says whether a change is for the better.
func direction(x evidence.Change) string {
	if x.Worse() > 0 {
		return "worse"
	}
	return "better"
}

// changesNote says how the comparison is to be read.
func changesNote(c evidence.Changes) string {
	differ, with, inside, level, chance := 0, 0, 0, 1.0, 0.0
	for _, x := range c.List {
		if x.Differs {
			differ++
		}
		if x.Old.HasInterval() {
			with++
			level = min(level, x.Old.Level)
			chance += x.Old.Holding(x.New.Count)
			if x.Old.Lo <= x.New.P50 && x.New.P50 <= x.Old.Hi {
				inside++
			}
		}
	}
	note := fmt.Sprintf("%d of %d comparisons differ at p ≤ %s (Mann-Whitney U test); '~': no difference seen. Between equals up to one of twenty differs by chance: %.0f of %d.",
		differ, len(c.List), evidence.Factor(evidence.Alpha), evidence.Alpha*float64(len(c.List)), len(c.List))
	if with > 0 {
		note += fmt.Sprintf(" Of %d old intervals, at the %s level or more, %d hold the new p50; between equals %.0f would, by chance.", with, evidence.Percent(level), inside, chance)
	}
	return note
}

// some joins lines, the first of them if there are many.
func some(lines []string) string {
	const most = 6
	text := ""
	for i, line := range lines {
		switch {
		case i == most:
			return fmt.Sprintf("%s and %d more", text, len(lines)-most)
		case i > 0:
			text += "; "
		}
		text += line
	}
	return text
}
