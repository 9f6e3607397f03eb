package kill_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/kill"
)

var plan = labkit.Plan{Name: "kills", N: []int{200}, Rounds: 3, Keys: 1, Seed: 1}

// The test binary is the writer that is killed, too.
func TestMain(m *testing.M) {
	task, ok := labkit.ChildTask()
	if !ok {
		os.Exit(m.Run())
	}
	ctx, stop := labkit.Context()
	defer stop()
	if err := task.Do(ctx, kill.Arms(plan, kill.Subjects(plan.Durability)...)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// trials returns what an arm's trials have counted, by metric.
func trials(t *testing.T, series []labkit.Series, arm string) map[string][]float64 {
	t.Helper()
	of := map[string][]float64{}
	for _, s := range series {
		if s.Arm == arm {
			of[s.Metric] = s.Samples
		}
	}
	if len(of["acknowledged"]) != plan.Rounds || slices.Min(of["acknowledged"]) < 1 {
		t.Errorf("%s: acknowledged %v", arm, of["acknowledged"])
	}
	return of
}

// What must not lose or tear does neither, and the trial sees what must not be
// done: a loss where items wait in memory, a tear where a file is overwritten.
func TestTrials(t *testing.T) {
	plan := plan
	plan.Rounds = 3
	arms := kill.Arms(plan, kill.Subjects(plan.Durability)...)
	series, err := labkit.Lab{Plan: plan, Dir: t.TempDir()}.MeasureTrials(t.Context(), plan.N[0], arms)
	if err != nil {
		t.Fatal(err)
	}
	for _, arm := range arms {
		got := trials(t, series, arm.Name)
		t.Log(arm.Name, got)
		switch {
		case arm.Name == "one file a key": // may be caught between emptying a file and filling it
		case arm.Pair != kill.PairUnsafe && (slices.Max(got["lost"]) > 0 || slices.Max(got["torn"]) > 0):
			t.Errorf("%s: lost %v, torn %v", arm.Name, got["lost"], got["torn"])
		case arm.Name == "log, buffered" && slices.Max(got["lost"]) == 0:
			t.Errorf("%s has lost nothing", arm.Name)
		}
		if _, whole := got["partial"]; whole != slices.Contains([]string{"shelf, PutAll", "blob, Save", "indexed blob, Pack", "gob, in place"}, arm.Name) {
			t.Errorf("%s counts %v", arm.Name, got)
		}
		if arm.Kind == "snapshot" && arm.Pair == "ours" && slices.Max(got["partial"]) > 0 {
			t.Errorf("%s: partial %v", arm.Name, got["partial"])
		}
	}
}
