package cost_test

import (
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/cost"
)

// Where cycles were measured it is known by how much a ratio is off; beyond them
// both formulas may be off.
func TestRatioBeyondTheCycles(t *testing.T) {
	arms := []cost.Measured{measured("keyed", labkit.ProcessCrash, keyed), measured("snapshot", labkit.ProcessCrash, snapshot)}
	for i := range arms { // formulas with an error
		for j := range arms[i].Points[cost.Write][0].Rounds {
			arms[i].Points[cost.Write][0].Rounds[j] *= 1.5
		}
	}
	said := model(t, arms...)
	for i := range arms { // cycles without one
		for _, n := range []int{1000, 10_000} {
			for _, k := range []int{1, 100} {
				s := cost.Of(n, 120)
				b, err := said.Arms[i].Cycle(s, k)
				if err != nil {
					t.Fatal(err)
				}
				c := cost.Cycle{Point: cost.Point{Size: s, Rounds: []float64{b.Cost, b.Cost, b.Cost, b.Cost, b.Cost}}, K: k}
				arms[i].Cycles = append(arms[i].Cycles, c)
			}
		}
	}
	m := model(t, arms...)
	for n, exact := range map[int]bool{900: false, 1000: true, 3000: true, 10_000: true, 11_000: false} {
		list, err := m.RankCycle(cost.Of(n, 120), 10, labkit.ProcessCrash)
		if err != nil || len(list) != 2 {
			t.Fatal(list, err)
		}
		if width := list[1].Ratio.Width(); (width < 1.001) != exact {
			t.Errorf("n = %d: the ratio may be off by %v, no error at all: want %t", n, width, exact)
		}
	}
}
