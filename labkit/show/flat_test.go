package show

import (
	"errors"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestFlatTable(t *testing.T) {
	if got := Flat(nil); len(got.Rows) > 0 || len(got.Notes) != 1 {
		t.Errorf("of no run: %+v", got)
	}
	sum := func(lo, p50, hi float64) labkit.Summary {
		return labkit.Summary{Count: 5, Lo: lo, Min: lo, P50: p50, Hi: hi, Max: hi, Level: 0.9375}
	}
	run := &evidence.Run{Flats: []evidence.Flat{
		{Arm: "blob", Metric: "write", From: 10_000, To: 1_000_000, Summary: sum(0.9, 1, 1.1)},
		{Arm: "<arm>", Metric: "write", From: 10_000, To: 1_000_000, Summary: sum(1.6, 2, 3)},
	}}
	got := Flat(run).Text()
	for _, want := range []string{"10,000", "1,000,000", "1.00", "0.90 – 1.10", "stays flat", "does not stay flat", "at most 1.50 times", "93.75 %"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for i := range run.Flats {
		run.Flats[i].Level, run.Flats[i].Count = 0.5, 2
	}
	if got := Flat(run).Text(); !strings.Contains(got, "No intervals: 2 rounds") || !strings.Contains(got, "not known after 2 rounds") {
		t.Errorf("of two rounds:\n%s", got)
	}
}

func TestForecastTable(t *testing.T) {
	if got := Forecasts(nil, nil, nil); len(got.Rows) > 0 || len(got.Notes) != 1 {
		t.Errorf("of no size: %+v", got)
	}
	if got := Forecasts(nil, []int{5000}, nil).Text(); !strings.Contains(got, "n = 5,000: no smaller size has been measured to its end") {
		t.Errorf("of no run:\n%s", got)
	}
	plan := samplePlan()
	run := made(t, plan, sampleArms(), nil)
	for round := range 5 {
		run.Costs = append(run.Costs, labkit.RoundCost{N: 500, Round: round + 1, WarmUp: true, Before: 1, Turns: 2, Peak: 1e6})
	}
	got := Forecasts(run, []int{1000, 8000}, func(f evidence.Forecast) error {
		if f.N > 1000 {
			return errors.New("too large <for it>: take less")
		}
		return nil
	}).Text()
	for _, want := range []string{"30.0 s", "2.00 MB", "measured", "refused", "n = 8,000: too large <for it>: take less."} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A table says which arms are not measured at its n, and that nothing was warmed up.
func TestTablesBeyondTheSizeOfAnArm(t *testing.T) {
	plan, arms := samplePlan(), sampleArms()
	plan.WarmUpTo = 500
	arms[0].UpTo, arms[0].Beyond = 500, "a put takes a transaction"
	run := made(t, plan, arms, func(s labkit.Series) *labkit.Series {
		s.Apart = true
		if s.Arm == arms[0].Name && s.N > 500 {
			return nil
		}
		return &s
	})
	const absent = "Not measured: shelf, assign: only up to n = 500, since a put takes a transaction."
	small, large := Lead(run, 500).Text(), Lead(run, 8000).Text()
	if strings.Contains(small, "only up to") || !strings.Contains(flat(large), absent) {
		t.Errorf("at 500:\n%s\nat 8,000:\n%s", small, large)
	}
	if !strings.Contains(flat(small), "after one of warm-up") || !strings.Contains(flat(large), "Above n = 500 there is no warm-up") {
		t.Errorf("at 500:\n%s\nat 8,000:\n%s", small, large)
	}
	if !strings.Contains(flat(ByN(run, labkit.Write).Text()), absent) {
		t.Error("over n")
	}
}

// flat is a text without its line breaks.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestLimitTable(t *testing.T) {
	for _, run := range []*evidence.Run{nil, {}, made(t, samplePlan(), sampleArms(), nil)} {
		if got := Limit(run); len(got.Rows) > 0 || len(got.Notes) != 1 {
			t.Errorf("without a limit: %+v", got)
		}
	}
	plan := samplePlan()
	plan.N, plan.DataLimit = []int{500}, 64e6
	run := made(t, plan, sampleArms()[:2], nil)
	sum := labkit.Summary{Count: 5, Lo: 19e6, P50: 20e6, Hi: 21e6, Level: 0.9375}
	run.Series[0].Payload = 275e6
	run.Summaries = append(run.Summaries, evidence.Summary{Arm: "shelf, bulk", N: 500, Metric: labkit.OwnMemory.Of(labkit.Read).Name, Unit: "B", Summary: sum})
	run.Unmeasured = []labkit.Unmeasured{{Arm: "shelf, assign", N: 500, Metric: labkit.OwnMemory.Of(labkit.Read).Name, Why: labkit.Starved + ", with so many (fatal error)"}}
	got := Limit(run)
	text := flat(got.Text())
	for _, want := range []string{"With 64.0 MB of memory to take, at n = 500", "275 MB", "20.0 MB", "19.0 – 21.0 MB", "shelf, assign: out of memory, with so many (fatal error).", "RLIMIT_DATA"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, got.Text())
		}
	}
	if got.Rows[0][6] != "out of memory" || got.Rows[1][6] != "read all" {
		t.Errorf("%q", got.Rows)
	}
}
