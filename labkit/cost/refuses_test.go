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
