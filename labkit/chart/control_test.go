package chart

import (
	"strings"
	"testing"

	"shelflab/labkit"
)

// A control is another arm once more, and would only be drawn over it.
func TestControlsAreNotDrawn(t *testing.T) {
	with := usual()
	with.arms = append(with.arms, labkit.Arm{Name: "blob, again", Kind: "snapshot", Pair: "ours", Control: true})
	value := with.value
	with.value = func(arm labkit.Arm, m labkit.Metric, n, round int) (float64, bool) {
		if arm.Control {
			arm.Name = "blob"
		}
		return value(arm, m, n, round)
	}
	charts, err := All(with.run(t))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := All(usual().run(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(charts) != len(plain) {
		t.Fatalf("%d charts, want %d", len(charts), len(plain))
	}
	for i, c := range charts {
		if c.Alt != plain[i].Alt || strings.Contains(string(c.SVG), "again") {
			t.Errorf("%s draws the control: %s", c.Name, c.Alt)
		}
	}
	alone := usual()
	alone.arms = []labkit.Arm{{Name: "blob", Control: true}}
	if _, err := All(alone.run(t)); err == nil {
		t.Error("a control alone is drawn")
	}
}
