package show

import (
	"context"
	"errors"
	"fmt"
	"strings"

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
//
// The cell's program is run again for each round: see evidence.Measure. In such
// a process Sweep takes the round's turns and ends the program, before anything
// is displayed. So what stands before it in the cell is run again too, and what
// stands behind it is not.
//
// At the plan's largest n more is measured than by the clock with everything in
// memory: see evidence.MeasureMore.
func Sweep(plan labkit.Plan, sizes []int, comparisons []labkit.Comparison, arms func(n int) ([]labkit.Arm, error)) {
	overSizes(plan, sizes, arms, func(ctx context.Context, dir string, n int, list []labkit.Arm) {
		run := inRounds(ctx, "Sweep", dir, plan, n, list, comparisons)
		if n == plan.Largest() {
			run = underBar("Cold reads, memory and bytes written", func(step func(labkit.Progress)) (*evidence.Run, error) {
				return evidence.MeasureMore(ctx, dir, plan, list, comparisons, nil, step)
			})
		}
		showLead(run, n)
	})
}

// SweepRounds is Sweep without what is measured besides at the largest n: only
// the rounds, by the clock.
func SweepRounds(plan labkit.Plan, sizes []int, comparisons []labkit.Comparison, arms func(n int) ([]labkit.Arm, error)) {
	overSizes(plan, sizes, arms, func(ctx context.Context, dir string, n int, list []labkit.Arm) {
		showLead(inRounds(ctx, "Sweep", dir, plan, n, list, comparisons), n)
	})
}

// SweepWithin is SweepRounds for sizes that may be more than the machine has, or than
// there is time for: what each will take is forecast from the smaller ones that have
// been measured, displayed, and given to fits, which returns nil, or an error that says
// why it is too much and what to do. Such a size is left out, and the run stays
// incomplete; the cell goes on. Of a size that nothing smaller foretells fits is not
// asked.
func SweepWithin(plan labkit.Plan, sizes []int, comparisons []labkit.Comparison, fits func(evidence.Forecast) error, arms func(n int) ([]labkit.Arm, error)) {
	overSizes(plan, sizes, arms, func(ctx context.Context, dir string, n int, list []labkit.Arm) {
		run, err := evidence.Load(dir, plan)
		if errors.Is(err, evidence.ErrNone) || errors.Is(err, evidence.ErrOtherPlan) { // the sweep puts it aside
			run, err = &evidence.Run{}, nil
		}
		Fail(err)
		if f, ok := run.Forecast(n); ok {
			said := ForecastText(f)
			if err := fits(f); err != nil {
				refused(said, err)
				return
			}
			Note("%s", said)
		}
		showLead(inRounds(ctx, "Sweep", dir, plan, n, list, comparisons), n)
	})
}

// ForecastText is what SweepWithin displays of a size before it is measured.
func ForecastText(f evidence.Forecast) string {
	return fmt.Sprintf("n = %s: about %s for all rounds, %s of memory, %s on disk, as forecast from n = %s.", evidence.Count(f.N),
		evidence.Quantity(f.Seconds, "s"), evidence.Quantity(f.Peak, "B"), evidence.Quantity(f.Disk, "B"), counts(f.From))
}

// refused displays why a size is not measured.
func refused(said string, err error) {
	box{tone: toneWarn, title: "Not measured", lines: append([]string{said}, strings.Split(err.Error(), "\n")...)}.show()
}

// SweepResources measures what the arms take besides time at each of the sizes:
// memory, allocations, collections of garbage and bytes written, each turn in a
// process of its own, which runs the cell's program again as Sweep says. What was
// measured at a size in rounds stays; rounds that are measured after it drop it.
// See Resources and Memory for what it leaves. Results and what stops it are
// those of Sweep, but no table is displayed.
func SweepResources(plan labkit.Plan, sizes []int, comparisons []labkit.Comparison, arms func(n int) ([]labkit.Arm, error)) {
	overSizes(plan, sizes, arms, func(ctx context.Context, dir string, n int, list []labkit.Arm) {
		underBar("Memory and collections of garbage", func(step func(labkit.Progress)) (*evidence.Run, error) {
			return evidence.MeasureGroup(ctx, dir, plan, n, labkit.Resources, list, comparisons, nil, step)
		})
	})
}

// inRounds measures the arms at n in rounds, under a bar with that title.
func inRounds(ctx context.Context, title, dir string, plan labkit.Plan, n int, list []labkit.Arm, comparisons []labkit.Comparison) *evidence.Run {
	return underBar(title, func(step func(labkit.Progress)) (*evidence.Run, error) {
		return evidence.Measure(ctx, dir, plan, n, list, comparisons, nil, step)
	})
}

// underBar measures with a progress bar, and ends the cell if that fails.
func underBar(title string, measure func(step func(labkit.Progress)) (*evidence.Run, error)) *evidence.Run {
	bar := Progress(title)
	run, err := measure(bar.Step)
	bar.End()
	stopped(err)
	return run
}

// NoSizes is what a sweep of no sizes displays.
const NoSizes = "The plan lists no further size: nothing to measure in this cell."

// overSizes calls measure for each of the sizes, unless this process was started
// as a child: it takes that turn and ends, if it is of this sweep.
func overSizes(plan labkit.Plan, sizes []int, arms func(n int) ([]labkit.Arm, error), measure func(ctx context.Context, dir string, n int, list []labkit.Arm)) {
	if turn, ok := labkit.ChildTurn(); ok {
		if turn.Of(plan, sizes...) {
			takeTurn(turn, arms)
		}
		return
	}
	if task, ok := labkit.ChildTask(); ok {
		if task.Of(plan, sizes...) {
			doTask(task, arms)
		}
		return
	}
	if len(sizes) == 0 {
		Note(NoSizes)
		return
	}
	dir, err := evidence.Dir(plan)
	Fail(err)
	ctx, stop := labkit.Context()
	defer stop()
	for _, n := range sizes {
		list, err := prepare(ctx, n, arms)
		stopped(err)
		measure(ctx, dir, n, list)
	}
}

// showLead displays the lead table without its notes: the one at the end has
// them once for all.
func showLead(run *evidence.Run, n int) {
	table := Lead(run, n)
	table.Notes = nil
	Show(table)
	warnDisturbed(run, n)
}

// prepare makes the arms for n records, unless ctx ends before: nothing is lost
// then, so it is not waited for.
func prepare(ctx context.Context, n int, arms func(n int) ([]labkit.Arm, error)) ([]labkit.Arm, error) {
	type prepared struct {
		list []labkit.Arm
		err  error
	}
	made := make(chan prepared, 1)
	go func() {
		list, err := arms(n)
		made <- prepared{list, err}
	}()
	select {
	case p := <-made:
		return p.list, p.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// stopped ends the cell if a measurement did not come to its end.
func stopped(err error) {
	if errors.Is(err, labkit.ErrInterrupted) || errors.Is(err, labkit.ErrOrphaned) {
		err = fmt.Errorf("%w: what was measured until then is kept and marked incomplete; run this cell again", err)
	}
	fail("The sweep stopped", err)
}

// takeTurn is all that a process does which was started as a child.
func takeTurn(turn labkit.Turn, arms func(n int) ([]labkit.Arm, error)) {
	ctx, stop := labkit.Context()
	defer stop()
	list, err := arms(turn.N)
	Fail(err)
	Fail(turn.Take(ctx, list))
	exit(0)
}

// doTask is all that a process does which was started beside a turn.
func doTask(task labkit.Task, arms func(n int) ([]labkit.Arm, error)) {
	ctx, stop := labkit.Context()
	defer stop()
	list, err := arms(task.N)
	Fail(err)
	Fail(task.Do(ctx, list))
	exit(0)
}

// SweepDurability measures the arms in both durability classes at the plan's
// smallest n, in a run of its own (evidence.DurabilityPlan), and displays what
// surviving a power loss costs each of them: see Prices. prices sets each
// arm against its twin. What stops it, and how, is as for Sweep.
func SweepDurability(plan labkit.Plan, prices []labkit.Comparison, arms func(n int) ([]labkit.Arm, error)) {
	SweepPrices(evidence.DurabilityPlan(plan), prices, arms)
}

// SweepPrices is SweepDurability by a plan as it is: a part's, of any size.
func SweepPrices(plan labkit.Plan, prices []labkit.Comparison, arms func(n int) ([]labkit.Arm, error)) {
	overSizes(plan, plan.N, arms, func(ctx context.Context, dir string, n int, list []labkit.Arm) {
		run := inRounds(ctx, "Durability", dir, plan, n, list, prices)
		Fail(evidence.WriteManifest(dir))
		for _, table := range Prices(run) {
			Show(table)
		}
	})
}
