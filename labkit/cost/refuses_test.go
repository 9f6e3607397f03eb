package cost_test

import (
	"errors"
	"shelflab/labkit"
	"shelflab/labkit/cost"
	"strings"
	"testing"
)

func TestModelRefuses(t *testing.T) {
	good := measured("keyed", labkit.ProcessCrash, keyed)
	bad := cost.Cycle{Point: exact(keyed[cost.Write], 100, 120), K: -1}
	zero := cost.Cycle{Point: cost.Point{Size: cost.Of(100, 120), Rounds: []float64{0}}}
	for name, list := range map[string][]cost.Measured{
		"an arm twice":       {good, good},
		"keys below 0":       {{ID: good.ID, Cycles: []cost.Cycle{bad}}},
		"a cycle of nothing": {{ID: good.ID, HeldCycles: []cost.Cycle{zero}}},
		"a held-out zero":    {{ID: good.ID, HeldPoints: map[cost.Operation][]cost.Point{cost.Write: {zero.Point}}}},
	} {
		if _, err := cost.New(list); !errors.Is(err, cost.ErrPoints) || !strings.Contains(err.Error(), "keyed") {
			t.Errorf("%s: %v, want ErrPoints", name, err)
		}
	}
	if m, err := cost.New(nil); err != nil || len(m.Arms) != 0 {
		t.Errorf("no arms: %+v, %v", m, err)
	}
	if got := (cost.ID{Name: "blob", Class: labkit.PowerLoss}).String(); got != "blob (power-loss)" {
		t.Errorf("%q", got)
	}
}

// A store whose gets have no formula is no snapshot: it is not ranked as one that
// loads everything.
func TestKeyedWithoutGets(t *testing.T) {
	id := cost.ID{Name: "store"}
	points := func() (list []cost.Point) {
		for _, n := range []int{100, 1000, 10_000} {
			list = append(list, cost.Point{Size: cost.Of(n, 100), Rounds: []float64{1, 1, 1, 1, 1}})
		}
		return list
	}
	m, err := cost.New([]cost.Measured{{ID: id, Points: map[cost.Operation][]cost.Point{
		cost.Write: points(), cost.Load: points(), cost.Open: points(), cost.Get: points()[:1],
	}}})
	if err != nil {
		t.Fatal(err)
	}
	arm, _ := m.Arm(id)
	if _, err := arm.Cycle(cost.Of(1000, 100), 5); !errors.Is(err, cost.ErrLacks) {
		t.Errorf("a cycle: %v", err)
	}
	if _, err := arm.Day(cost.Day{N: 1000, Record: 100, Gets: 5}); !errors.Is(err, cost.ErrLacks) {
		t.Errorf("a day: %v", err)
	}
}
