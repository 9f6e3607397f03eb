package chart

import (
	"math"
	"math/rand/v2"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// madeUp is what the tests draw: numbers that nobody measured.
type madeUp struct {
	plan  labkit.Plan
	arms  []labkit.Arm
	value func(arm labkit.Arm, m labkit.Metric, n, round int) (float64, bool) // in the metric's unit
}

func usual() madeUp {
	arms := []labkit.Arm{
		{Name: "shelf, assign", Kind: "keyed store", Pair: "ours"},
		{Name: "shelf, bulk", Kind: "keyed store", Pair: "ours"},
		{Name: "blob", Kind: "snapshot", Pair: "ours"},
		{Name: "blob, one core", Kind: "snapshot", Pair: "ours"},
		{Name: "plain shelf", Kind: "keyed store", Pair: "plain"},
		{Name: "plain gob", Kind: "snapshot", Pair: "plain"},
	}
	writes := map[string]float64{"shelf, assign": 100e3, "shelf, bulk": 400e3, "blob": 2e6, "blob, one core": 1.2e6, "plain shelf": 60e3, "plain gob": 700e3}
	gets := map[string]float64{"shelf, assign": 2e-3, "shelf, bulk": 2e-3, "blob": 4e-3, "blob, one core": 6e-3, "plain shelf": 20e-3, "plain gob": 8e-3}
	disk := map[string]float64{"shelf, assign": 1.9e6, "shelf, bulk": 1.6e6, "blob": 0.9e6, "blob, one core": 0.9e6, "plain shelf": 2.1e6, "plain gob": 1.1e6}
	random := rand.New(rand.NewPCG(1, 2))
	return madeUp{
		plan: labkit.Plan{Name: "sample", N: []int{500, 2000, 8000}, Rounds: 5, Keys: 200, Seed: 1},
		arms: arms,
		value: func(arm labkit.Arm, m labkit.Metric, n, round int) (float64, bool) {
			noise := 1 + 0.15*(random.Float64()-0.4)
			size := float64(n) / 8000
			switch {
			case m.Rate():
				v := writes[arm.Name] * math.Pow(size, 0.25)
				if m.Name == "read" || m.Name == "scan" {
					v *= 1.7
				}
				return v * noise, true
			case m.Unit == "B":
				return math.Round(disk[arm.Name]*size*noise/4096) * 4096, true
			case m.Name == "gets open":
				return gets[arm.Name] / 3 * noise, arm.Kind == "keyed store"
			}
			return gets[arm.Name] * (0.4 + 0.6*size) * noise, true
		},
	}
}

// run computes the evidence as a measurement would.
func (s madeUp) run(t testing.TB) *evidence.Run {
	t.Helper()
	rec, err := evidence.Record(t.TempDir(), s.plan, s.arms, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	for _, n := range s.plan.N {
		var series []labkit.Series
		for _, arm := range s.arms {
			for _, m := range labkit.Metrics() {
				one := labkit.Series{Arm: arm.Name, N: n, Metric: m.Name, Unit: m.RawUnit(), Work: n}
				for round := range s.plan.Rounds {
					v, ok := s.value(arm, m, n, round)
					if !ok {
						continue
					}
					if m.Rate() {
						v = float64(n) / v
					}
					one.Samples = append(one.Samples, v)
				}
				if len(one.Samples) > 0 {
					series = append(series, one)
				}
			}
		}
		if len(series) == 0 {
			continue
		}
		if err := rec.Keep(n, series); err != nil {
			t.Fatal(err)
		}
	}
	return rec.Run()
}
