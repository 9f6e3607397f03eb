package evidence

import (
	"context"
	"fmt"
	"slices"

	"shelflab/labkit"
)

// pipes are the environment variables through which a cell's program reaches the
// notebook. A child that had them would display what the cell displays, again.
var pipes = []string{"GONB_PIPE", "GONB_PIPE_BACK"}

// Measure runs arms at n records by a plan and keeps the samples in dir as
// they come: the sweep of a notebook cell, and of `lab measure`. Each round is
// taken in a process of its own, which is this program started again with args
// (nil for its own): see labkit.ChildTurn, for which the caller looks first.
// progress may be nil. It returns the run as it stands on disk, together with an
// error if the measurement did not finish; what was measured until then is kept,
// and the run is marked incomplete.
func Measure(ctx context.Context, dir string, plan labkit.Plan, n int, arms []labkit.Arm, comparisons []Comparison, args []string, progress func(labkit.Progress)) (*Run, error) {
	if !slices.Contains(plan.N, n) { // said now, not when the first round has been measured
		return nil, fmt.Errorf("%w: n = %d is not among its sizes %v", labkit.ErrPlan, n, plan.N)
	}
	rec, err := Record(dir, plan, arms, comparisons)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	var costs []labkit.RoundCost
	lab := labkit.Lab{
		Plan: plan, Dir: dir, Progress: progress, Timer: rec.Run().Environment.Timer,
		Again: labkit.Again{Args: args, Unset: pipes},
		Keep:  func(series []labkit.Series) error { return rec.Keep(n, series) },
		Ended: func(cost labkit.RoundCost) { costs = append(costs, cost) },
	}
	err = rec.watched(n, labkit.Main, func() error {
		if _, err := lab.MeasureApart(ctx, n, arms); err != nil {
			return err
		}
		return rec.KeepCosts(n, costs)
	})
	return rec.Run(), err
}
