package labkit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"shelflab/labkit"
)

// An arm against itself shows a difference as often as the level allows, and no
// more: the chance is 1 - level, whatever the times are distributed like. What
// slows both arms of a round alike, however much, makes no difference to it.
func TestFalseAlarmsStayAtTheLevel(t *testing.T) {
	const runs = 4000
	for _, rounds := range []int{5, 6, 9, 20, 31} {
		random := rand.New(rand.NewPCG(1, uint64(rounds)))
		alarms, level := 0, 0.0
		for range runs {
			a, b := make([]float64, rounds), make([]float64, rounds)
			for i := range a {
				slow := math.Exp(random.NormFloat64()) // of the machine, for a whole round
				a[i] = slow * (1 + random.ExpFloat64())
				b[i] = slow * (1 + random.ExpFloat64())
			}
			ratio, err := labkit.PairedRatio(a, b)
			if err != nil {
				t.Fatal(err)
			}
			level = ratio.Level
			if ratio.Differs() {
				alarms++
			}
		}
		want := (1 - level) * runs
		if sigma := math.Sqrt(want * level); math.Abs(float64(alarms)-want) > 4*sigma {
			t.Errorf("%d rounds: %d false alarms in %d runs, want %.0f, give or take %.0f", rounds, alarms, runs, want, 4*sigma)
		} else {
			t.Logf("%d rounds: %d false alarms in %d runs, %.0f expected at %.2f %%", rounds, alarms, runs, want, 100*level)
		}
	}
}

// The median of six samples lies outside of the interval of five equal ones in
// about one case of seven: what an independent check of a run has to expect.
func TestMedianOfACheck(t *testing.T) {
	const runs = 20_000
	for name, sample := range map[string]func(*rand.Rand) float64{
		"normal": func(r *rand.Rand) float64 { return 10 + r.NormFloat64() },
		"skewed": func(r *rand.Rand) float64 { return 1 + r.ExpFloat64() },
	} {
		random := rand.New(rand.NewPCG(3, 3))
		missed := 0
		for range runs {
			samples := make([]float64, 11)
			for i := range samples {
				samples[i] = sample(random)
			}
			s, err := labkit.Summarize(samples[:5])
			if err != nil {
				t.Fatal(err)
			}
			if p50 := labkit.P50(samples[5:]); p50 < s.Lo || p50 > s.Hi {
				missed++
			}
		}
		if share := float64(missed) / runs; math.Abs(share-1.0/7) > 0.02 {
			t.Errorf("%s: %.1f %% of the medians miss, want about one of seven", name, 100*share)
		} else {
			t.Logf("%s: %.1f %% of the medians miss the interval", name, 100*share)
		}
	}
}

// A true difference that is larger than the noise is seen.
func TestDifferenceIsSeen(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	seen, right := 0, 0
	const runs = 1000
	for range runs {
		a, b := make([]float64, 5), make([]float64, 5)
		for i := range a {
			slow := math.Exp(random.NormFloat64())
			a[i] = slow * (1 + 0.02*random.Float64())
			b[i] = 1.1 * slow * (1 + 0.02*random.Float64())
		}
		ratio, err := labkit.PairedRatio(b, a)
		if err != nil {
			t.Fatal(err)
		}
		if ratio.Differs() {
			seen++
		}
		if ratio.Lo <= 1.1 && 1.1 <= ratio.Hi {
			right++
		}
	}
	if seen != runs { // 10 % apart, 2 % of noise
		t.Errorf("the difference was seen in %d of %d runs", seen, runs)
	}
	if share := float64(right) / runs; math.Abs(share-0.9375) > 0.03 {
		t.Errorf("the interval holds the true ratio in %.1f %% of the runs, want 93.75 %%", 100*share)
	}
}
