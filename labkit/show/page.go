package show

import (
	"fmt"
	"html"
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
// and Beyond of the run, and which store is the cheapest where its parts tell.
func Head(run *evidence.Run, parts ...*evidence.Run) string {
	verdict := headOf(run)
	if t := Cheapest(modelOf(run, known(run, parts))); len(t.Rows) > 0 {
		verdict += t.HTML()
	}
	return verdict
}

// HeadParts returns the verdict of each part as Head has the run's, folded under
// its name: a notebook may have ten.
func HeadParts(run *evidence.Run, parts ...*evidence.Run) string {
	var b strings.Builder
	for _, part := range known(run, parts) {
		fmt.Fprintf(&b, "<details><summary>%s</summary>%s</details>\n", html.EscapeString(partName(part, run)), headOf(part))
	}
	return b.String()
}

// known are the parts that a page shows: none beside evidence from before schema
// 3, which knew none.
func known(run *evidence.Run, parts []*evidence.Run) []*evidence.Run {
	if run == nil || run.Schema < 3 {
		return nil
	}
	return parts
}

func headOf(run *evidence.Run) string {
	var b strings.Builder
	if run != nil && len(run.Findings(run.Largest())) > 0 {
		b.WriteString(Claims(run, run.Largest()).HTML())
	}
	t, beyond := Winners(run), Beyond(run)
	if len(beyond.Rows) > 0 && len(t.Rows) == 0 {
		beyond.Title, beyond.Notes = t.Title, warnings(run)
		b.WriteString(beyond.HTML())
		return b.String()
	}
	b.WriteString(t.HTML())
	if len(beyond.Rows) > 0 {
		b.WriteString(beyond.HTML())
	}
	return b.String()
}

// VerdictHTML returns what Verdict displays, so that it can be looked for in a
// page.
func VerdictHTML(run *evidence.Run, parts ...*evidence.Run) string {
	return verdictOf(run, parts...).html()
}
