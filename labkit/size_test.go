package labkit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
)

// An arm that a plan's sizes outgrow takes no turn there, and says why.
func TestArmUpToItsSize(t *testing.T) {
	arm := apartArm("tells")[0]
	arm.UpTo, arm.Beyond = 10, "it is too small"
	for n, want := range map[int]string{9: "", 10: "", 11: "it is too small"} {
		if got := arm.Without(n); got != want {
			t.Errorf("n = %d: %q, want %q", n, got, want)
		}
	}
	lab := labkit.Lab{Plan: plan(1), Dir: t.TempDir()}
	for _, measure := range []func() ([]labkit.Series, error){
		func() ([]labkit.Series, error) { return lab.Measure(t.Context(), 11, []labkit.Arm{arm}) },
		func() ([]labkit.Series, error) { return lab.MeasureApart(t.Context(), 11, []labkit.Arm{arm}) },
	} {
		if series, err := measure(); err != nil || len(series) > 0 {
			t.Errorf("above its size: %+v, %v", series, err)
		}
	}
	arm.Unmeasured = "there is none"
	if got := arm.Without(11); got != "there is none" {
		t.Errorf("what cannot be measured at all says %q", got)
	}
	for _, bad := range []labkit.Arm{{Name: "a", Measure: arm.Measure, UpTo: -1, Beyond: "x"}, {Name: "a", Measure: arm.Measure, UpTo: 1}} {
		if _, err := lab.Measure(t.Context(), 1, []labkit.Arm{bad}); !errors.Is(err, labkit.ErrPlan) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// Above the plan's size for it there is no warm-up, and each process tells what it
// has taken.
func TestWarmUpTo(t *testing.T) {
	p := plan(2)
	p.WarmUpTo = 9
	for n, turns := range map[int]float64{9: 2, 10: 1} {
		var costs []labkit.RoundCost
		var last labkit.Progress
		lab := labkit.Lab{
			Plan: p, Dir: t.TempDir(),
			Ended: func(c labkit.RoundCost) { costs = append(costs, c) }, Progress: func(p labkit.Progress) { last = p },
		}
		series, err := lab.MeasureApart(t.Context(), n, apartArm("tells"))
		if err != nil || len(series) != 2 {
			t.Fatal(err, series)
		}
		if want := []float64{turns, turns}; !slices.Equal(series[1].Samples, want) || last.Total != 2*int(turns) {
			t.Errorf("n = %d: turns %v of %d in all, want %v", n, series[1].Samples, last.Total, want)
		}
		if len(costs) != 2 {
			t.Fatalf("n = %d: costs %+v", n, costs)
		}
		for i, c := range costs {
			if c.N != n || c.Round != i+1 || c.WarmUp != p.WarmsUp(n) || !(c.Before > 0) || !(c.Turns > 0) || c.Peak < mebi {
				t.Errorf("n = %d: %+v", n, c)
			}
		}
	}
	p.N = []int{9}
	if text := p.String(); strings.Contains(text, "no warm-up") {
		t.Errorf("a plan of small sizes speaks of it: %s", text)
	}
	if p.N = []int{9, 20}; !strings.Contains(p.String(), "no warm-up above n = 9") {
		t.Error(p)
	}
	if p.DataLimit = 5; !strings.Contains(p.String(), "at most 5 bytes more of memory of its own") {
		t.Error(p)
	}
	for _, bad := range []func(p *labkit.Plan){func(p *labkit.Plan) { p.WarmUpTo = -1 }, func(p *labkit.Plan) { p.DataLimit = -1 }} {
		p := plan(1)
		if bad(&p); !errors.Is(p.Validate(), labkit.ErrPlan) {
			t.Errorf("%+v is taken", p)
		}
	}
}
