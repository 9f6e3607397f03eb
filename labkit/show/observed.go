package show

import (
	"errors"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Observed displays a table of what a cell has found out beside the samples, and
// keeps it with the evidence of the plan, so that whoever gets the page can check it:
// see evidence.Observe. Where nothing was measured by the plan yet a note says that
// it is not kept.
func Observed(plan labkit.Plan, t Table) {
	Show(t)
	dir, err := evidence.Dir(plan)
	if err == nil {
		err = evidence.Observe(dir, plan, evidence.Observation{Title: t.Title, Head: t.Head, Rows: t.Rows, Notes: t.Notes})
	}
	if errors.Is(err, evidence.ErrNone) || errors.Is(err, evidence.ErrOtherPlan) {
		Note("This is not kept, since nothing was measured yet that it could be kept with: run the sweep first, then this cell again.")
		return
	}
	Fail(err)
	Fail(evidence.WriteManifest(dir))
}

// ObservedTable is the table of an observation that was kept.
func ObservedTable(o evidence.Observation) Table {
	return Table{Title: o.Title, Head: o.Head, Rows: o.Rows, Notes: o.Notes}
}
