package evidence

import (
	"context"
	"fmt"
	"slices"

	"shelflab/labkit"
)

// MeasureMore measures what the rounds of Measure do not, at the plan's largest
// n: reads on a cold page cache, then what the arms take besides time, each turn
// in a process of its own, which is this program started again with args (nil
// for its own), see labkit.ChildTurn. Samples go to dir as they come, beside
// those of Measure, which comes first: it drops what was measured at that n.
// progress may be nil. Results and errors are those of Measure. What this system
// or the arms do not tell is in the run's Unmeasured.
func MeasureMore(ctx context.Context, dir string, plan labkit.Plan, arms []labkit.Arm, comparisons []Comparison, args []string, progress func(labkit.Progress)) (*Run, error) {
	groups := []labkit.Group{labkit.Cold, labkit.Resources}
	var run *Run
	for i, group := range groups {
		var err error
		run, err = MeasureGroup(ctx, dir, plan, plan.Largest(), group, arms, comparisons, args, func(p labkit.Progress) {
			if progress != nil {
				p.Done, p.Total = p.Done+i*p.Total, len(groups)*p.Total
				progress(p)
			}
		})
		if err != nil {
			return run, err
		}
	}
	return run, nil
}

// MeasureGroup measures one group of metrics, Cold or Resources, at any n of the
// plan, as MeasureMore does at the largest. What the run has of the other groups
// stays, and Measure need not have come before; if it comes after, it drops what
// was measured at that n.
func MeasureGroup(ctx context.Context, dir string, plan labkit.Plan, n int, group labkit.Group, arms []labkit.Arm, comparisons []Comparison, args []string, progress func(labkit.Progress)) (*Run, error) {
	if !slices.Contains(plan.N, n) {
		return nil, fmt.Errorf("%w: n = %d is not among its sizes %v", labkit.ErrPlan, n, plan.N)
	}
	measure := labkit.Lab.MeasureResources
	switch group {
	case labkit.Cold:
		measure = labkit.Lab.MeasureCold
	case labkit.Resources:
	default:
		return nil, fmt.Errorf("%w: there is no group %q to measure: give %q or %q", labkit.ErrPlan, group, labkit.Cold, labkit.Resources)
	}
	rec, err := Record(dir, plan, arms, comparisons)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	lab := labkit.Lab{
		Plan: plan, Dir: dir, Again: labkit.Again{Args: args, Unset: pipes}, Progress: progress,
		Keep: func(series []labkit.Series) error { return rec.KeepGroup(n, group, series, nil) },
	}
	err = rec.watched(n, group, func() error {
		series, without, err := measure(lab, ctx, n, labkit.Results(arms)) // the control is one of times
		if err != nil {
			return err
		}
		return rec.KeepGroup(n, group, series, without)
	})
	return rec.Run(), err
}
