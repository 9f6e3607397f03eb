package chart

import (
	"math"
	"slices"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// madeUp is what the tests draw: numbers that nobody measured.
type madeUp struct {
	plan labkit.Plan
	arms []labkit.Arm
	// value is an arm's sample in the metric's unit; false leaves it out.
	value func(arm labkit.Arm, m labkit.Metric, n, round int) (float64, bool)
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
	magnitude := map[string][3]float64{ // at n = 8,000: records a second, seconds, bytes
		"shelf, assign": {100e3, 2e-3, 1.9e6}, "shelf, bulk": {400e3, 2e-3, 1.6e6},
		"blob": {2e6, 4e-3, 0.9e6}, "blob, one core": {1.2e6, 6e-3, 0.9e6},
		"plain shelf": {60e3, 20e-3, 2.1e6}, "plain gob": {700e3, 8e-3, 1.1e6},
	}
	return madeUp{
		plan: labkit.Plan{Name: "sample", N: []int{500, 2000, 8000}, Rounds: 5, Keys: 200, Seed: 1},
		arms: arms,
		value: func(arm labkit.Arm, m labkit.Metric, n, round int) (float64, bool) {
			noise := 1 + 0.03*float64((round*7+n+3*len(arm.Name)+5*len(m.Name))%11-5)
			size := float64(n) / 8000
			typical := magnitude[arm.Name]
			switch {
			case m.Rate() && (m == labkit.Read || m == labkit.Scan):
				return 1.7 * typical[0] * math.Pow(size, 0.25) * noise, true
			case m.Rate():
				return typical[0] * math.Pow(size, 0.25) * noise, true
			case m == labkit.Disk:
				return math.Round(typical[2] * size * noise), true
			case m == labkit.GetsOpen:
				return typical[1] / 3 * noise, arm.Kind == "keyed store"
			}
			return typical[1] * (0.4 + 0.6*size) * noise, true
		},
	}
}

// run is the evidence of the samples, as far as charts look at it.
func (s madeUp) run(t testing.TB) *evidence.Run {
	t.Helper()
	run := &evidence.Run{Schema: evidence.Schema, Plan: s.plan, Fingerprint: s.plan.Fingerprint(), Arms: s.arms, Metrics: labkit.Metrics()}
	for _, n := range s.plan.N {
		for _, arm := range s.arms {
			for _, m := range labkit.Metrics() {
				var values []float64
				for round := range s.plan.Rounds {
					if v, ok := s.value(arm, m, n, round); ok {
						values = append(values, v)
					}
				}
				if len(values) == 0 {
					continue
				}
				sum, err := labkit.Summarize(values)
				if err != nil {
					t.Fatal(err)
				}
				samples := slices.Clone(values)
				if m.Rate() {
					for i, v := range values {
						samples[i] = float64(n) / v
					}
				}
				run.Series = append(run.Series, labkit.Series{Arm: arm.Name, N: n, Metric: m.Name, Unit: m.RawUnit(), Work: n, Samples: samples})
				run.Summaries = append(run.Summaries, evidence.Summary{Arm: arm.Name, N: n, Metric: m.Name, Unit: m.Unit, Summary: sum})
			}
		}
	}
	run.Complete = len(run.Missing()) == 0
	return run
}
