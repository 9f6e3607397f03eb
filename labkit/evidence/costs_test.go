package evidence_test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// spent makes up what five rounds at n have taken.
func spent(n int, before, turns float64, peak int64) (list []labkit.RoundCost) {
	for round := range 5 {
		list = append(list, labkit.RoundCost{N: n, Round: round + 1, WarmUp: true, Before: before, Turns: turns, Peak: peak})
	}
	return list
}

func TestForecast(t *testing.T) {
	run := made()
	run.Plan.N = []int{500, 2000, 10_000, 20_000}
	run.Plan.WarmUpTo = 10_000
	if _, ok := run.Forecast(10_000); ok {
		t.Error("a forecast from nothing")
	}
	run.Costs = spent(500, 0.1, 1, 10e6)
	text(t, run)
	f, ok := run.Forecast(2000)
	// In proportion: a round of 1.1 s, four times.
	if !ok || math.Abs(f.Seconds-5*4.4) > 1e-9 || f.Peak != 40e6 || f.Disk != 4*(4096+8192) || !slices.Equal(f.From, []int{500}) {
		t.Errorf("from one size: %+v", f)
	}
	run.Costs = append(run.Costs, spent(2000, 0.1, 4, 25e6)...)
	// The turns grow by 3 s for 1,500 records, the peak by 15 MB, the disk not at all.
	f, ok = run.Forecast(10_000)
	if !ok || math.Abs(f.Seconds-5*(0.1+4+16)) > 1e-9 || f.Peak != 105e6 || f.Disk != 4096+8192 || !slices.Equal(f.From, []int{500, 2000}) {
		t.Errorf("from two sizes: %+v", f)
	}
	// Without a warm-up half of the turns' time.
	f, ok = run.Forecast(20_000)
	if !ok || math.Abs(f.Seconds-5*(0.1+2+18)) > 1e-9 {
		t.Errorf("without warm-up: %+v", f)
	}
	// What is measured only to a round, or not below n, tells nothing.
	if f, ok := run.Forecast(500); ok {
		t.Errorf("below all sizes: %+v", f)
	}
	run.Costs = run.Costs[:9]
	if f, _ := run.Forecast(10_000); !slices.Equal(f.From, []int{500}) {
		t.Errorf("with a size that is not complete: %+v", f)
	}
	// What shrinks is not forecast to shrink.
	run.Costs = append(spent(500, 0, 5, 9e6), spent(2000, 0, 4, 8e6)...)
	if f, _ := run.Forecast(10_000); f.Seconds != 5*4 || f.Peak != 8e6 {
		t.Errorf("shrinking: %+v", f)
	}
}

func TestCostsAreKept(t *testing.T) {
	dir := t.TempDir()
	run, err := evidence.Measure(t.Context(), dir, plan(), 500, measuredArms(), nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Costs) != 5 {
		t.Fatalf("%+v", run.Costs)
	}
	for i, c := range run.Costs {
		if c.N != 500 || c.Round != i+1 || !c.WarmUp || !(c.Before > 0 && c.Turns > 0) || c.Peak < 1<<20 {
			t.Errorf("%+v", c)
		}
	}
	summary := string(read(t, filepath.Join(dir, evidence.SummaryName)))
	if _, err := evidence.VerifySummary([]byte(summary)); err != nil {
		t.Error(err)
	}
	for name, c := range map[string][2]string{
		"a round twice":    {`"round": 2`, `"round": 1`},
		"no such round":    {`"round": 5`, `"round": 6`},
		"no such size":     {"\"costs\": [\n  {\"n\": 500", "\"costs\": [\n  {\"n\": 501"},
		"time backwards":   {`"before": `, `"before": -`},
		"peak changed":     {`"peak": `, `"peak": 1`},
		"no memory at all": {`"peak": `, `"peak": -`},
	} {
		edited := strings.Replace(summary, c[0], c[1], 1)
		if edited == summary {
			t.Fatalf("%s: there is no %s", name, c[0])
		}
		if _, err := evidence.VerifySummary([]byte(edited)); !errors.Is(err, evidence.ErrAltered) && !errors.Is(err, evidence.ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	rec := record(t, dir, plan(), measuredArms())
	if len(rec.Run().Costs) != 5 {
		t.Errorf("going on with the run leaves %+v", rec.Run().Costs)
	}
	if err := rec.Keep(500, run.Series); err != nil || len(rec.Run().Costs) != 0 {
		t.Errorf("measured again, it still has %+v, %v", rec.Run().Costs, err)
	}
	if err := rec.KeepCosts(500, []labkit.RoundCost{{N: 501}}); !errors.Is(err, evidence.ErrFormat) {
		t.Errorf("costs of another size: %v", err)
	}
}

// An arm lacks nothing at a size that it is not measured at.
func TestArmUpToItsSize(t *testing.T) {
	run := made()
	run.Arms[0].UpTo, run.Arms[0].Beyond = 500, "it is too small"
	if _, err := run.Compute(); !errors.Is(err, evidence.ErrFormat) {
		t.Errorf("samples beyond the size: %v", err)
	}
	run.Series = slices.DeleteFunc(run.Series, func(s labkit.Series) bool { return s.Arm == "blob" && s.N > 500 })
	summary := text(t, run)
	if !run.Complete {
		t.Errorf("missing: %v", run.Missing())
	}
	if _, err := evidence.VerifySummary(summary); err != nil {
		t.Error(err)
	}
	for _, edited := range []string{
		strings.Replace(string(summary), `"beyond": "it is too small"`, `"beyond": ""`, 1),
		strings.Replace(string(summary), `"schema": 4`, `"schema": 3`, 1),
	} {
		if _, err := evidence.VerifySummary([]byte(edited)); !errors.Is(err, evidence.ErrAltered) || !strings.Contains(err.Error(), "arms[0]: up to") {
			t.Errorf("%v", err)
		}
	}
}

// limited is a run under a limit of 64 MB, of which the second arm has died.
func limited() *evidence.Run {
	run := made()
	run.Plan.N, run.Plan.DataLimit = []int{500}, 64e6
	run.Metrics, run.Comparisons, run.Series = labkit.AllMetrics(), nil, nil
	for _, of := range []labkit.Metric{labkit.Read, labkit.Gets} {
		m := labkit.OwnMemory.Of(of)
		run.Series = append(run.Series, labkit.Series{Arm: "blob", N: 500, Metric: m.Name, Unit: "B", Samples: times(20e6), Apart: true})
	}
	run.Unmeasured = []labkit.Unmeasured{{
		Arm: "shelf, bulk", N: 500, Metric: labkit.OwnMemory.Of(labkit.Read).Name,
		Why: labkit.Starved + ", with 64000000 bytes of its own (fatal error)",
	}}
	return run
}

func TestLimit(t *testing.T) {
	run := limited()
	summary := text(t, run)
	want := "With 64.0 MB of memory of its own to take, n = 500: it was enough for blob, full read, with 20.0 MB (19.6 MB to 20.6 MB); blob, 200 random gets, with 20.0 MB (19.6 MB to 20.6 MB); out of memory: shelf, bulk. Intervals at 93.75 %."
	if len(run.Verdict) != 1 || run.Verdict[0] != want {
		t.Errorf("%q, want %q", run.Verdict, want)
	}
	if !run.Complete {
		t.Errorf("an arm that died is missing at %v", run.Missing())
	}
	if run.Starved("blob", 500) != "" || !strings.HasPrefix(run.Starved("shelf, bulk", 500), labkit.Starved) {
		t.Error("who has died?")
	}
	if _, err := evidence.VerifySummary(summary); err != nil {
		t.Error(err)
	}
	run = limited()
	run.Plan.DataLimit = 0
	text(t, run)
	if len(run.Verdict) > 0 || run.Starved("shelf, bulk", 500) != "" {
		t.Errorf("without a limit: %q", run.Verdict)
	}
}
