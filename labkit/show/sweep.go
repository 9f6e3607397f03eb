package show

import (
	"errors"
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Sweep measures the arms at each of the sizes by a plan, with a progress bar
// that is gone when it ends, and displays the lead table of each. Samples go to
// the run's folder after every turn. arms makes the arms for n records. No
// sizes is a note: the plan has no more.
//
// An interrupt, a kernel that is gone, or an arm that fails stops it; what was
// measured is kept and the run is marked incomplete. The cell then ends with
// exit code 1 and a box that says so.
func Sweep(plan labkit.Plan, sizes []int, comparisons []labkit.Comparison, arms func(n int) ([]labkit.Arm, error)) {
	if len(sizes) == 0 {
		Note("The plan lists no further size: nothing to measure in this cell.")
		return
	}
	dir, err := evidence.Dir(plan)
	Fail(err)
	ctx, stop := labkit.Context()
	defer stop()
	for _, n := range sizes {
		list, err := arms(n)
		Fail(err)
		bar := Progress("Sweep")
		run, err := evidence.Measure(ctx, dir, plan, n, list, comparisons, bar.Step)
		bar.End()
		if errors.Is(err, labkit.ErrInterrupted) || errors.Is(err, labkit.ErrOrphaned) {
			err = fmt.Errorf("%w: what was measured until then is kept and marked incomplete; run this cell again", err)
		}
		fail("The sweep stopped", err)
		table := Lead(run, n)
		table.Notes = nil // the lead table at the end has them once for all
		Show(table)
	}
}
