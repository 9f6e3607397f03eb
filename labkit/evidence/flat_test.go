package evidence_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// flatRun has a record of the load cost each arm at n what each says, in
// microseconds.
func flatRun(ns []int, each map[string][]float64) *evidence.Run {
	var comparisons []evidence.Comparison
	for _, arm := range []string{"plain gob", "blob"} {
		comparisons = append(comparisons, evidence.Comparison{Role: labkit.Flat, A: arm, B: arm, Metrics: []string{"load"}})
	}
	at := map[int]int{}
	for i, n := range ns {
		at[n] = i
	}
	run := keptWhole(ns, comparisons, func(arm string, m labkit.Metric, n int) []float64 {
		if m != labkit.Load {
			return nil
		}
		if x := each[arm][at[n]]; x > 0 {
			return times(x * 1e-6 * float64(n))
		}
		return nil
	})
	return run
}

func TestFlat(t *testing.T) {
	for name, c := range map[string]struct {
		ns    []int
		each  map[string][]float64
		from  []int // of plain gob, blob; 0 is none
		ratio []float64
		says  string
	}{
		"from the first size that is large enough": {
			[]int{100, 10_000, 1_000_000},
			map[string][]float64{"plain gob": {9, 1, 2}, "blob": {9, 1, 1.2}},
			[]int{10_000, 10_000}, []float64{2, 1.2},
			"One record of load at n = 1,000,000 dictionaries against one at 10,000, in times of its cost, flat up to 1.50: stays flat: blob 1.20 (1.20 to 1.20); does not stay flat: plain gob 2.00 (2.00 to 2.00). Intervals at 93.75 %.",
		},
		"small sizes alone": {
			[]int{10, 20},
			map[string][]float64{"plain gob": {4, 1}, "blob": {1, 0}},
			[]int{10, 0}, []float64{0.25, 0},
			"One record of load at n = 20 dictionaries against one at 10, in times of its cost, flat up to 1.50: stays flat: plain gob 0.25 (0.25 to 0.25). Intervals at 93.75 %.",
		},
		"one size that is large enough": {
			[]int{10, 8000},
			map[string][]float64{"plain gob": {1, 3}, "blob": {0, 0}},
			[]int{10, 0}, []float64{3, 0},
			"does not stay flat: plain gob 3.00 (3.00 to 3.00)",
		},
	} {
		run := flatRun(c.ns, c.each)
		summary := text(t, run)
		var got []evidence.Flat
		for i, arm := range []string{"plain gob", "blob"} {
			if c.from[i] == 0 {
				continue
			}
			got = append(got, evidence.Flat{Arm: arm, Metric: "load", From: c.from[i], To: c.ns[len(c.ns)-1]})
		}
		if len(run.Flats) != len(got) {
			t.Fatalf("%s: %+v", name, run.Flats)
		}
		for i, f := range run.Flats {
			want := c.ratio[map[string]int{"plain gob": 0, "blob": 1}[f.Arm]]
			if f.Arm != got[i].Arm || f.From != got[i].From || f.To != got[i].To || math.Abs(f.P50-want) > 1e-9 || f.Count != 5 {
				t.Errorf("%s: %+v, want %+v of %v", name, f, got[i], want)
			}
		}
		if verdict := strings.Join(run.Verdict, "\n"); !strings.Contains(verdict, c.says) {
			t.Errorf("%s: the verdict says %q", name, verdict)
		}
		if _, err := evidence.VerifySummary(summary); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		edited := strings.Replace(string(summary), `"flats": [`, `"flats": [{},`, 1)
		if _, err := evidence.VerifySummary([]byte(edited)); !errors.Is(err, evidence.ErrAltered) {
			t.Errorf("%s: one flat more: %v", name, err)
		}
	}
}

func TestFlatWords(t *testing.T) {
	for want, f := range map[string]labkit.Summary{
		"stays flat":                {Count: 5, Lo: 0.9, Hi: 1.5, Level: 0.94},
		"does not stay flat":        {Count: 5, Lo: 1.6, Hi: 2, Level: 0.94},
		"cannot be told":            {Count: 5, Lo: 1.4, Hi: 1.6, Level: 0.94},
		"not known after 2 rounds":  {Count: 2, Lo: 1, Hi: 1, Level: 0.5},
		"not known after one round": {},
	} {
		if got := (evidence.Flat{Summary: f}).Words(); got != want && want != "not known after one round" {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
}

func TestFlatIsOfOneArm(t *testing.T) {
	_, err := evidence.Record(t.TempDir(), plan(), arms(), []evidence.Comparison{{Role: labkit.Flat, A: "blob", B: "shelf, bulk", Metrics: []string{"write"}}})
	if !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), `a flat is of one arm`) {
		t.Errorf("%v", err)
	}
}
