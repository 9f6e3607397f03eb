package show

import (
	"slices"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func samplePlan() labkit.Plan {
	return labkit.Plan{Name: "sample", N: []int{500, 8000}, Rounds: 5, Keys: 200, Seed: 1}
}

func sampleArms() []labkit.Arm {
	return []labkit.Arm{
		{Name: "shelf, assign", Kind: "keyed store", Pair: "ours"},
		{Name: "shelf, bulk", Kind: "keyed store", Pair: "ours"},
		{Name: "blob", Kind: "snapshot", Pair: "ours"},
		{Name: "blob, one core", Kind: "snapshot", Pair: "ours"},
		{Name: "plain shelf", Kind: "keyed store", Pair: "plain"},
		{Name: "plain gob", Kind: "snapshot", Pair: "plain"},
	}
}

func sampleComparisons() []evidence.Comparison {
	all := []string{"write", "read", "gets", "disk"}
	return []evidence.Comparison{
		{Role: evidence.Headline, Label: "ours", A: "blob", B: "shelf, bulk", Metrics: all},
		{Role: evidence.Headline, Label: "plain", A: "plain gob", B: "plain shelf", Metrics: all},
		{Role: evidence.Part, Label: "the cores", A: "blob", B: "blob, one core", Metrics: []string{"write"}},
	}
}

// made is the evidence of numbers that nobody measured, each with a noise of
// its own that repeats from run to run. change may alter or drop (nil) a
// series. What comes from this machine is left out.
func made(t testing.TB, plan labkit.Plan, arms []labkit.Arm, change func(labkit.Series) *labkit.Series) *evidence.Run {
	t.Helper()
	run := record(t, t.TempDir(), plan, arms, change)
	run.Updated = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	run.Environment.Timer = labkit.Timer{Cost: 45e-9, Grain: 25e-9}
	run.Warnings = slices.DeleteFunc(run.Warnings, func(w evidence.Warning) bool {
		return slices.Contains([]evidence.Kind{evidence.KindBusy, evidence.KindTmpfs, evidence.KindFull, evidence.KindShort}, w.Kind)
	})
	return run
}

// record is made, kept in dir as a measurement would keep it.
func record(t testing.TB, dir string, plan labkit.Plan, arms []labkit.Arm, change func(labkit.Series) *labkit.Series) *evidence.Run {
	t.Helper()
	rec, err := evidence.Record(dir, plan, arms, sampleComparisons())
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	perRecord := []float64{10e-6, 2.5e-6, 0.5e-6, 0.8e-6, 16e-6, 1.4e-6} // seconds to write one
	for _, n := range plan.N {
		var series []labkit.Series
		for i, arm := range arms {
			for j, m := range labkit.Metrics() {
				if m == labkit.GetsOpen && arm.Kind == "snapshot" {
					continue
				}
				s := labkit.Series{Arm: arm.Name, N: n, Metric: m.Name, Unit: m.RawUnit()}
				switch {
				case m.Rate():
					s.Work = n
				case m.Unit == "s":
					s.Work = plan.Keys
				}
				for round := range plan.Rounds {
					noise := 1 + 0.02*float64((round*7+i*3+j*5+n/500)%11-5)
					v := perRecord[i%len(perRecord)] * float64(n) * noise / float64(1+j/2)
					if m.Unit == "B" {
						v = float64(4096 * (30 + i + round%2) * n / 1000)
					}
					s.Samples = append(s.Samples, v)
				}
				if change != nil {
					changed := change(s)
					if changed == nil {
						continue
					}
					s = *changed
				}
				series = append(series, s)
			}
		}
		if len(series) > 0 {
			if err := rec.Keep(n, series); err != nil {
				t.Fatal(err)
			}
		}
	}
	return rec.Run()
}
