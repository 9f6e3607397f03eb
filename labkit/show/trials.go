package show

import (
	"context"
	"fmt"
	"slices"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// SweepTrials has each arm take its trials at each of the sizes, a round each,
// under a progress bar, and displays what they have counted: see Trials. The
// cell's program is run again for each process that a trial starts, up to here.
// What stops it, and how, is as for Sweep.
func SweepTrials(plan labkit.Plan, sizes []int, arms func(n int) ([]labkit.Arm, error)) {
	overSizes(plan, sizes, arms, func(ctx context.Context, dir string, n int, list []labkit.Arm) {
		run := underBar("Trials", func(step func(labkit.Progress)) (*evidence.Run, error) {
			return evidence.MeasureTrials(ctx, dir, plan, n, list, nil, step)
		})
		Fail(evidence.WriteManifest(dir))
		Show(Trials(run))
	})
}

// Try has each arm take one turn at the plan's largest n, in this process and with
// others beside it, and keeps no evidence. What stops it, and how, is as for Sweep.
func Try(plan labkit.Plan, arms []labkit.Arm) {
	plan.Rounds = 1
	list := func(int) ([]labkit.Arm, error) { return arms, nil }
	overSizes(plan, []int{plan.Largest()}, list, func(ctx context.Context, dir string, n int, list []labkit.Arm) {
		underBar("Trying", func(step func(labkit.Progress)) (*evidence.Run, error) {
			return nil, evidence.Try(ctx, dir, plan, n, list, step)
		})
	})
}

// Trials returns what the trials at the largest n have counted: a row for each
// arm, and for each count how many trials had one or more, how large the share of
// such trials may be, and how many there were in all. A nil run, or one without
// trials, gives a table that says so.
func Trials(run *evidence.Run) Table {
	if run == nil || len(run.Tallies) == 0 {
		return Table{Title: "Trials", Notes: []string{"No trials have been made yet: run them first."}}
	}
	n := run.Largest()
	metrics := slices.DeleteFunc(slices.Clone(run.Metrics), func(m labkit.Metric) bool {
		return !slices.ContainsFunc(run.Tallies, func(o evidence.Tally) bool { return o.N == n && o.Metric == m.Name })
	})
	t := Table{Title: fmt.Sprintf("Trials at %s: kills that showed it, of how many", size(run, n)), Head: []string{"arm"}}
	for _, m := range metrics {
		t.Head = append(t.Head, m.Name+"\n"+m.Unit)
	}
	for _, arm := range run.Arms {
		row := []string{arm.Name + "\n" + arm.Pair}
		for _, m := range metrics {
			o, ok := run.Tally(arm.Name, n, m.Name)
			switch {
			case !ok:
				row = append(row, none)
			case m.Name == labkit.Acknowledged.Name:
				row = append(row, evidence.Count(o.Total))
			default:
				row = append(row, lines(fmt.Sprintf("%s of %s", evidence.Count(o.Hits), evidence.Count(o.Trials)), o.Share(), inAll(o, m)))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{fmt.Sprintf("Below each count: how large the share of such kills may be at %s, by the exact binomial bound (Clopper and Pearson).", evidence.Percent(labkit.WantedLevel))}
	var what []string
	for _, m := range metrics {
		what = append(what, m.Name+": "+m.What)
	}
	for _, text := range what {
		t.Notes = append(t.Notes, sentence(text)+".")
	}
	t.Notes = append(t.Notes, warnings(run)...)
	return t
}

// inAll is how many there were, where that is more than one for each trial.
func inAll(o evidence.Tally, m labkit.Metric) string {
	if o.Total <= o.Hits {
		return ""
	}
	return fmt.Sprintf("%s %s", evidence.Count(o.Total), m.Unit)
}
