package evidence

import (
	"context"
	"fmt"

	"shelflab/labkit"
)

// pipes are the environment variables through which a cell's program reaches the
// notebook. A child that had them would display what the cell displays, again.
var pipes = []string{"GONB_PIPE", "GONB_PIPE_BACK"}

// MeasureMore measures what the rounds of Measure do not, at the plan's largest
// n: reads on a cold page cache, then what the arms take besides time, each turn
// in a process of its own, which is this program started again with args (nil
// for its own), see labkit.ChildTurn. Samples go to dir as they come, beside
// those of Measure, which comes first: it drops what was measured at that n.
// progress may be nil. Results and errors are those of Measure. What this system
// or the arms do not tell is in the run's Unmeasured.
func MeasureMore(ctx context.Context, dir string, plan labkit.Plan, arms []labkit.Arm, comparisons []Comparison, args []string, progress func(labkit.Progress)) (*Run, error) {
	rec, err := Record(dir, plan, arms, comparisons)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	n := plan.Largest()
	lab := labkit.Lab{Plan: plan, Dir: dir, Again: labkit.Again{Args: args, Unset: pipes}}
	groups := []struct {
		name    labkit.Group
		measure func(labkit.Lab, context.Context, int, []labkit.Arm) ([]labkit.Series, []labkit.Unmeasured, error)
	}{{labkit.Cold, labkit.Lab.MeasureCold}, {labkit.Resources, labkit.Lab.MeasureResources}}
	for i, group := range groups {
		lab.Progress = func(p labkit.Progress) {
			if progress != nil {
				p.Done, p.Total = p.Done+i*p.Total, len(groups)*p.Total
				progress(p)
			}
		}
		lab.Keep = func(series []labkit.Series) error { return rec.KeepGroup(n, group.name, series, nil) }
		series, without, err := group.measure(lab, ctx, n, labkit.Results(arms)) // the control is one of times
		if err != nil {
			return rec.Run(), err
		}
		if err := rec.KeepGroup(n, group.name, series, without); err != nil {
			return rec.Run(), err
		}
	}
	return rec.Run(), nil
}

// durabilitySuffix is what the name of the run of both classes ends with.
const durabilitySuffix = "_durability"

// DurabilityPlan is the plan of the run that sets the two durability classes
// side by side: a run of its own, so that no table of the plan's run compares
// arms that do unequal work. It is the plan at its smallest n, under a name of
// its own; its Durability says nothing of its arms.
func DurabilityPlan(plan labkit.Plan) labkit.Plan {
	if len(plan.N) > 0 {
		plan.N = plan.N[:1:1]
	}
	plan.Name = labkit.Slug(fmt.Sprintf("%.180s%s", plan.Name, durabilitySuffix))
	return plan
}
