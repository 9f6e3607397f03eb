package show

import (
	"context"
	"errors"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// SweepWorkers is SweepRounds over all sizes of a plan whose n counts workers on one
// store. Instead of a table for each size it displays one for each of metrics, over
// n, and in the end the ratios.
func SweepWorkers(plan labkit.Plan, comparisons []labkit.Comparison, arms func(n int) ([]labkit.Arm, error), metrics ...labkit.Metric) {
	overSizes(plan, plan.N, arms, func(ctx context.Context, dir string, n int, list []labkit.Arm) {
		run := inRounds(ctx, "Workers", dir, plan, n, list, comparisons)
		warnDisturbed(run, n)
		if n < plan.Largest() {
			return
		}
		for _, m := range metrics {
			Show(ByN(run, m))
		}
	})
}

// OfferedRate is the rate, in operations a second, that the arms of a part are
// offered: given, or where that is 0 half of what an arm of a run typically does,
// see evidence.Run.HalfOfTypical. A run in which nothing was measured yet ends the
// cell, and says so.
func OfferedRate(run *evidence.Run, given int) int {
	if given > 0 {
		return given
	}
	if run == nil || run.HalfOfTypical() < 1 {
		fail("No rate", errors.New("the throughput has not been measured, from which the offered rate is taken: run that cell first, or give a rate"))
		return 1
	}
	return run.HalfOfTypical()
}
