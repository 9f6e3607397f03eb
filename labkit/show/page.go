package show

import (
	"fmt"
	"strings"

	"shelflab/labkit/evidence"
)

// Winners returns the verdict at one look, at the largest n: a row for each
// comparison, a column for each metric, and in it the arm that is better and how
// many times, with the interval, or that no difference is seen. The notes list
// the run's warnings. A nil run, or one in which nothing was compared, gives a
// table that says so.
//
// Sentences that no such table holds, of one metric against another and of
// growths, stand in Beyond.
func Winners(run *evidence.Run) Table {
	if run == nil || run.Largest() == 0 {
		return Table{Title: "Verdict", Notes: []string{"Nothing measured yet: run the sweep first."}}
	}
	t := winners(run, run.Largest())
	t.Title = "Verdict"
	if !run.Complete {
		t.Title = "Verdict of an incomplete run"
	}
	if len(t.Rows) == 0 && len(run.Beyond()) > 0 {
		t = Table{Title: t.Title, Notes: []string{fmt.Sprintf("No two arms were compared at n = %s.", evidence.Count(run.Largest()))}}
	} else if len(t.Rows) == 0 {
		t = Table{Title: t.Title, Notes: []string{fmt.Sprintf("Nothing was compared at n = %s.", evidence.Count(run.Largest()))}}
	}
	t.Notes = append(t.Notes, warnings(run)...)
	return t
}

// Beyond returns the sentences of the verdict that Winners cannot show, a row
// for each: how much a metric of an arm is of another, and how arms grow with n.
// A nil run, or one without them, gives a table without rows.
func Beyond(run *evidence.Run) Table {
	t := Table{}
	if run == nil {
		return t
	}
	for _, line := range run.Beyond() {
		t.Rows = append(t.Rows, leadAndRest(line))
	}
	return t
}

// leadAndRest are what a sentence says and of what, as a row.
func leadAndRest(line string) []string {
	of, says, _ := strings.Cut(line, ": ")
	of = strings.ReplaceAll(of, "n = ", "n\u00a0=\u00a0") // no line breaks in it
	return []string{of, says}
}

// Head returns the verdict as the head of a page has it, as HTML: Claims, Winners
// and Beyond of the run, then of each of its parts under its name. Evidence from
// before schema 3 is shown without parts.
func Head(run *evidence.Run, parts ...*evidence.Run) string {
	var b strings.Builder
	add := func(run *evidence.Run, name string) {
		if run != nil && len(run.Findings(run.Largest())) > 0 {
			b.WriteString(Claims(run, run.Largest()).HTML())
		}
		t := Winners(run)
		if name != "" {
			t.Title = name + ". " + t.Title
		}
		beyond := Beyond(run)
		if len(beyond.Rows) > 0 && len(t.Rows) == 0 {
			beyond.Title, beyond.Notes = t.Title, warnings(run)
			b.WriteString(beyond.HTML())
			return
		}
		b.WriteString(t.HTML())
		if len(beyond.Rows) > 0 {
			b.WriteString(beyond.HTML())
		}
	}
	add(run, "")
	if run == nil || run.Schema < 3 {
		parts = nil
	}
	if t := Cheapest(modelOf(run, parts)); len(t.Rows) > 0 {
		b.WriteString(t.HTML())
	}
	for _, part := range parts {
		add(part, partName(part, run))
	}
	return b.String()
}

// VerdictHTML returns what Verdict displays, so that it can be looked for in a
// page.
func VerdictHTML(run *evidence.Run, parts ...*evidence.Run) string {
	return verdictOf(run, parts...).html()
}
