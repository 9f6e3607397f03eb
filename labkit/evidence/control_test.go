package evidence_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// controlled is a run in which the blob is measured twice: by write, read and
// gets, at n = 2,000.
func controlled(again ...[]float64) *evidence.Run {
	metrics := []labkit.Metric{labkit.Write, labkit.Read, labkit.Gets}
	run := made()
	run.Plan.N, run.Series = []int{2000}, nil
	run.Arms[1] = labkit.Arm{Name: "blob, again", Kind: "snapshot", Control: true}
	run.Comparisons = []evidence.Comparison{{Role: evidence.Control, Label: "the control", A: "blob", B: "blob, again",
		Metrics: []string{"write", "read", "gets"}}}
	for i, m := range metrics {
		run.Series = append(run.Series, series("blob", 2000, m, ones(len(again[i]))...), series("blob, again", 2000, m, again[i]...))
	}
	return run
}

// ones are n samples of a second.
func ones(n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = 1
	}
	return list
}

func TestControl(t *testing.T) {
	same, mixed := ones(5), []float64{1.1, 0.9, 1.2, 1, 1}
	slow, fast := []float64{1.1, 1.2, 1.3, 1.2, 1.1}, []float64{0.5, 0.5, 0.5, 0.5, 0.5}
	for _, c := range []struct {
		name   string
		again  [][]float64
		rounds int
		shows  bool
		says   string
	}{
		{"equal", [][]float64{same, same, same}, 5, false,
			"Control, n = 2,000: blob measured twice shows no difference from itself: none of 3 ratios differs at 93.75 %."},
		{"noise", [][]float64{mixed, mixed, same}, 5, false,
			"Control, n = 2,000: blob measured twice shows no difference from itself: none of 3 ratios differs at 93.75 %."},
		{"one of three by chance", [][]float64{slow, mixed, same}, 5, false,
			"Control, n = 2,000: blob measured twice differs from itself in 1 of 3 ratios (write 1.20 times), no more than chance gives in up to 18.75 % of all runs."},
		{"two of three", [][]float64{slow, mixed, fast}, 5, true,
			"This machine was too noisy, n = 2,000: blob measured twice differs from itself: write 1.20 times, gets 2.00 times." +
				" Equal arms differ so in at most 9.38 % of all runs: a difference of this size is noise here."},
		{"one of three is enough at a higher level", [][]float64{append(slow, 1.3), append(mixed, 1), append(same, 1)}, 6, true,
			"This machine was too noisy, n = 2,000: blob measured twice differs from itself: write 1.20 times." +
				" Equal arms differ so in at most 9.38 % of all runs: a difference of this size is noise here."},
		{"too few rounds", [][]float64{slow[:4], slow[:4], slow[:4]}, 4, false,
			"Control, n = 2,000: too few rounds to set blob against itself, at least 5 are needed."},
	} {
		run := controlled(c.again...)
		run.Plan.Rounds = c.rounds
		text(t, run)
		got, ok := run.Control(2000)
		if !ok || got.Shows() != c.shows || got.String() != c.says {
			t.Errorf("%s: shows %v:\n%s\nwant %v:\n%s", c.name, got.Shows(), got, c.shows, c.says)
		}
		if begins := len(run.Verdict) > 0 && run.Verdict[0] == c.says; begins != c.shows {
			t.Errorf("%s: the verdict is %q", c.name, run.Verdict)
		}
		if warned := has(run, evidence.KindControl); warned != c.shows {
			t.Errorf("%s: warnings %v", c.name, run.Warnings)
		}
	}
	run := made()
	text(t, run)
	if c, ok := run.Control(2000); ok || c.Shows() {
		t.Errorf("of a run without one: %v", c)
	}
}

// has tells whether a run has a warning of a kind.
func has(run *evidence.Run, kind evidence.Kind) bool {
	for _, w := range run.Warnings {
		if w.Kind == kind {
			return true
		}
	}
	return false
}

// The control measures one synthetic arm against itself, 200 times: the clock
// is made up, rounds, pairing and judgement are the lab's. A round is slow for
// both arms, and a turn for all of its operations, as on a real machine.
func TestControlFalseAlarms(t *testing.T) {
	const runs = 200
	p := labkit.Plan{Name: "control", N: []int{100}, Rounds: 5, Keys: 10, Seed: 1}
	metrics := []labkit.Metric{labkit.Write, labkit.Read, labkit.Gets}
	random := rand.New(rand.NewPCG(4, 4))
	differ, alarms, warned := 0, 0, 0
	for seed := range runs {
		p.Seed = uint64(seed)
		var now time.Duration
		slow := map[int]float64{} // by round
		measure := func(_ context.Context, r *labkit.Round) error {
			if slow[r.Number] == 0 {
				slow[r.Number] = math.Exp(random.NormFloat64())
			}
			turn := math.Exp(0.2 * random.NormFloat64())
			for _, m := range metrics {
				work := 100
				if m == labkit.Gets {
					work = 10
				}
				took := time.Duration(1e9 * slow[r.Number] * turn * (1 + 0.1*random.ExpFloat64()))
				if err := r.Lap(m, work, func() error { now += took; return nil }); err != nil {
					return err
				}
			}
			return nil
		}
		list := []labkit.Arm{{Name: "blob", Measure: measure}, {Name: "blob, again", Control: true, Measure: measure}}
		lab := labkit.Lab{Plan: p, Dir: t.TempDir(), Clock: func() time.Duration { return now }}
		samples, err := lab.Measure(t.Context(), 100, list)
		if err != nil {
			t.Fatal(err)
		}
		run := made()
		run.Plan, run.Arms, run.Series = p, list, samples
		run.Comparisons = []evidence.Comparison{{Role: evidence.Control, A: "blob", B: "blob, again", Metrics: []string{"write", "read", "gets"}}}
		text(t, run)
		c, _ := run.Control(100)
		differ += len(c.Differ)
		if c.Shows() {
			alarms++
		}
		if has(run, evidence.KindControl) != c.Shows() || strings.HasPrefix(strings.Join(run.Verdict, ""), "This machine was too noisy") != c.Shows() {
			t.Fatalf("shows %v, but the run says %q, %v", c.Shows(), run.Verdict, run.Warnings)
		}
		for _, w := range run.Warnings {
			if w.Kind == evidence.KindFirst || w.Kind == evidence.KindDrift || w.Kind == evidence.KindOrder {
				warned++
			}
		}
	}
	// Each ratio differs by chance with 6.25 %; those of a turn hang together, so
	// their count is given four times the deviation of as many turns.
	want := 0.0625 * 3 * runs
	if math.Abs(float64(differ)-want) > 4*3*math.Sqrt(0.0625*0.9375*runs) {
		t.Errorf("%d of %d ratios between equals differ, want about %.0f", differ, 3*runs, want)
	}
	const most = 0.09375 * runs // as the control says
	if float64(alarms) > most+3*math.Sqrt(most*(1-0.09375)) {
		t.Errorf("%d false alarms of the control in %d runs, want at most about %.0f", alarms, runs, most)
	}
	t.Logf("%d runs: %d of %d ratios between equals differ, %.1f expected at 93.75 %%; %d false alarms of the control, at most %.1f expected; %d warnings about rounds", runs, differ, 3*runs, want, alarms, most, warned)
}
