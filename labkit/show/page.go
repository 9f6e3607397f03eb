package show

import (
	"fmt"

	"shelflab/labkit/evidence"
)

// Winners returns the verdict at one look, at the largest n: a row for each
// comparison, a column for each metric, and in it the arm that is better and how
// many times, with the interval, or that no difference is seen. The notes list
// the run's warnings. A nil run, or one in which nothing was compared, gives a
// table that says so.
func Winners(run *evidence.Run) Table {
	if run == nil || run.Largest() == 0 {
		return Table{Title: "Verdict", Notes: []string{"Nothing measured yet: run the sweep first."}}
	}
	t := winners(run, run.Largest())
	t.Title = "Verdict"
	if !run.Complete {
		t.Title = "Verdict of an incomplete run"
	}
	if len(t.Rows) == 0 {
		t = Table{Title: t.Title, Notes: []string{fmt.Sprintf("Nothing was compared at n = %s.", evidence.Count(run.Largest()))}}
	}
	t.Notes = append(t.Notes, warnings(run)...)
	return t
}

// VerdictHTML returns what Verdict displays, so that it can be looked for in a
// page.
func VerdictHTML(run *evidence.Run) string { return verdictOf(run).html() }
