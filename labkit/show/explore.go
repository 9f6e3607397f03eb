package show

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Explore puts controls before the reader, measures what they say, and measures
// anew whenever one is moved: what runs is stopped then. plan is a pointer to a
// struct as labkit.Params describes that is or embeds a labkit.Plan; each control
// changes one of its parameters. arms makes the arms for n records under the
// changed plan; comparisons of arms that it does not make are left out. draw is
// called whenever a round is complete and when all are.
//
// The panel has buttons to stop, to measure again, to save what was measured as
// the evidence of the run's folder, and to end the cell. While it is open the
// kernel is busy. So it ends by itself, too: when the page is closed or does not
// answer any more, a minute after the first measurement if nobody has touched
// it, as when all cells are run, and after half an hour without a touch. What it
// leaves in the notebook is the last drawing, and the settings as text.
//
// Where there is no front end, as under `lab run`, or none that answers, Explore
// measures once with the plan as it is, at all its sizes, draws, leaves that as
// evidence, and returns.
//
// Each round is measured in a process of its own, see evidence.Measure; drawing
// happens while the next one starts and warms up.
func Explore[T any](plan *T, controls []Control, comparisons []labkit.Comparison, arms func(plan *T, n int) ([]labkit.Arm, error), draw func(*Live, *evidence.Run) error) {
	base := labkit.PlanOf(plan)
	if base == nil {
		Fail(fmt.Errorf("%w: %T is not and embeds no labkit.Plan", labkit.ErrPlan, plan))
		return
	}
	if turn, ok := labkit.ChildTurn(); ok {
		if turn.Of(*base, base.N...) {
			takeTurn(turn, func(n int) ([]labkit.Arm, error) { return arms(plan, n) })
		}
		return
	}
	controls, values, err := started(plan, controls)
	Fail(err)
	dir, err := evidence.Dir(*base)
	Fail(err)
	ctx, stop := labkit.Context()
	defer stop()
	x := &explorer[T]{plan: plan, dir: dir, controls: controls, comparisons: comparisons, arms: arms, draw: draw}
	if hasFrontEnd() {
		x.interactive(ctx, values)
		return
	}
	x.once(ctx, whyNoPage)
}

// hasFrontEnd tells whether a page may be at the other end. A kernel that runs
// without a server, as for a batch, does not know its id.
func hasFrontEnd() bool {
	return gonbui.IsNotebook && os.Getenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV) != ""
}

type explorer[T any] struct {
	plan        *T     // as the cell has it
	dir         string // of the run
	controls    []Control
	comparisons []labkit.Comparison
	arms        func(*T, int) ([]labkit.Arm, error)
	draw        func(*Live, *evidence.Run) error
}

// once measures the plan as it is.
func (x *explorer[T]) once(ctx context.Context, why string) {
	values := map[string]string{}
	for _, p := range labkit.ListParams(x.plan) {
		values[p.Name] = p.Value
	}
	settings(x.controls, values, why).show()
	bar := Progress("Explore")
	run, err := x.measure(ctx, x.plan, x.dir, bar.Step)
	bar.End()
	stopped(err)
	Fail(x.draw(&Live{Dir: x.dir}, run))
	Fail(evidence.WriteManifest(x.dir))
}

// changed is the plan with the values of the controls.
func (x *explorer[T]) changed(values map[string]string) (*T, error) {
	plan := *x.plan
	err := labkit.SetParams(&plan, values)
	return &plan, err
}

// measure measures a plan at all its sizes. The processes that take the rounds
// find it in their environment.
func (x *explorer[T]) measure(ctx context.Context, plan *T, dir string, step func(labkit.Progress)) (*evidence.Run, error) {
	values := map[string]string{}
	for _, p := range labkit.ListParams(plan) {
		values[p.Name] = p.Value
	}
	text, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	if err := os.Setenv(labkit.ParamsVariable, string(text)); err != nil {
		return nil, err
	}
	base := *labkit.PlanOf(plan)
	var run *evidence.Run
	for _, n := range base.N {
		list, err := prepare(ctx, n, func(n int) ([]labkit.Arm, error) { return x.arms(plan, n) })
		if err != nil {
			return run, err
		}
		noArgs := []string{} // flags of the cell would change the plan again
		if run, err = evidence.Measure(ctx, dir, base, n, list, among(x.comparisons, list), noArgs, step); err != nil {
			return run, err
		}
	}
	return run, nil
}

// among are the comparisons of arms that are there.
func among(all []labkit.Comparison, arms []labkit.Arm) []labkit.Comparison {
	there := func(name string) bool {
		return slices.ContainsFunc(arms, func(a labkit.Arm) bool { return a.Name == name })
	}
	return slices.DeleteFunc(slices.Clone(all), func(c labkit.Comparison) bool { return !there(c.A) || !there(c.B) })
}

// soFar is what a run has on disk while it is measured, nil if that is nothing.
func soFar(dir string) *evidence.Run {
	if dir == "" {
		return nil
	}
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	if err != nil || run.Largest() == 0 {
		return nil
	}
	return run
}

// cancelled tells whether a measurement was stopped rather than failed.
func cancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, labkit.ErrInterrupted) || errors.Is(err, labkit.ErrOrphaned)
}
