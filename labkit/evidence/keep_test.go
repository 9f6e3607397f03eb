package evidence_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// What cannot be evidence is refused, and what was kept before stays.
func TestKeepRefuses(t *testing.T) {
	good := series("blob", 500, labkit.Write, times(1)...)
	change := func(with func(*labkit.Series)) []labkit.Series {
		s := good
		s.Samples = slices.Clone(good.Samples)
		with(&s)
		return []labkit.Series{s}
	}
	for name, list := range map[string][]labkit.Series{
		"unknown metric":   change(func(s *labkit.Series) { s.Metric = "speed" }),
		"unknown arm":      change(func(s *labkit.Series) { s.Arm = "nobody" }),
		"size of no plan":  change(func(s *labkit.Series) { s.N = 501 }),
		"wrong unit":       change(func(s *labkit.Series) { s.Unit = "B" }),
		"no work":          change(func(s *labkit.Series) { s.Work = 0 }),
		"no samples":       change(func(s *labkit.Series) { s.Samples = nil }),
		"too many samples": change(func(s *labkit.Series) { s.Samples = make([]float64, 6) }),
		"NaN":              change(func(s *labkit.Series) { s.Samples[2] = math.NaN() }),
		"infinite":         change(func(s *labkit.Series) { s.Samples[2] = math.Inf(1) }),
		"negative":         change(func(s *labkit.Series) { s.Samples[2] = -1 }),
		"no time":          change(func(s *labkit.Series) { s.Samples[2] = 0 }),
		"twice":            {good, good},
		"infinite rate":    change(func(s *labkit.Series) { s.Samples[2] = 5e-324 }),
	} {
		dir := t.TempDir()
		rec := record(t, dir, plan(), arms(), headline("write"))
		if err := rec.Keep(2000, sample(2000)); err != nil {
			t.Fatal(err)
		}
		before, bench := read(t, filepath.Join(dir, evidence.SummaryName)), read(t, filepath.Join(dir, evidence.BenchName))
		n := list[0].N
		if err := rec.Keep(n, list); !errors.Is(err, evidence.ErrFormat) {
			t.Errorf("%s: Keep = %v, want ErrFormat", name, err)
		}
		after := read(t, filepath.Join(dir, evidence.SummaryName))
		if string(before) != string(after) || string(bench) != string(read(t, filepath.Join(dir, evidence.BenchName))) {
			t.Errorf("%s: the files have changed", name)
		}
		if strings.Contains(string(after), "NaN") || !slices.Equal(rec.Run().Measured(), []int{2000}) {
			t.Errorf("%s: the run has become %v", name, rec.Run().Measured())
		}
		if err := rec.Keep(500, sample(500)); err != nil {
			t.Errorf("%s: afterwards: %v", name, err)
		}
		rec.Close()
	}
	rec := record(t, t.TempDir(), plan(), arms())
	if err := rec.Keep(500, sample(2000)); !errors.Is(err, evidence.ErrFormat) {
		t.Errorf("series of another size: %v, want ErrFormat", err)
	}
	bad := plan()
	bad.Rounds = 0
	if _, err := evidence.Record(t.TempDir(), bad, arms(), nil); !errors.Is(err, labkit.ErrPlan) {
		t.Errorf("a bad plan: %v, want ErrPlan", err)
	}
}

// What the caller does with its slices afterwards is its own business.
func TestRecordCopies(t *testing.T) {
	a, c := arms(), headline("write", "disk")
	rec := record(t, t.TempDir(), plan(), a, c)
	a[0].Name, c.Metrics[0] = "changed", "changed"
	if err := rec.Keep(500, sample(500)); err != nil {
		t.Fatal(err)
	}
	if run := rec.Run(); run.Arms[0].Name != "blob" || len(run.Ratios) != 2 {
		t.Errorf("arms %v, ratios %v", run.Arms, run.Ratios)
	}
}

func TestMeasureRefusesASizeOfNoPlan(t *testing.T) {
	list := arms()[:1]
	list[0].Measure = func(context.Context, *labkit.Round) error {
		t.Error("an arm was measured")
		return nil
	}
	dir := filepath.Join(t.TempDir(), "none")
	if _, err := evidence.Measure(t.Context(), dir, plan(), 501, list, nil, nil, nil); !errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), "n = 501 is not among its sizes [500 2000]") {
		t.Errorf("%v, want ErrPlan", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was made (%v)", err)
	}
}

func TestMeasureKeepsWhatItHad(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	// A round has four turns, the first two of them warm-up: before the last turn
	// of the third round five samples of the disk are there.
	run, err := evidence.Measure(ctx, dir, plan(), 500, measuredArms(), nil, nil, func(p labkit.Progress) {
		if p.Done == 11 {
			cancel(labkit.ErrInterrupted)
		}
	})
	if !errors.Is(err, labkit.ErrInterrupted) || run.Complete {
		t.Fatalf("%v, complete %v, want to be interrupted", err, run.Complete)
	}
	kept, err := evidence.Load(dir, plan())
	if diff := cmp.Diff(run, kept, asWritten); err != nil || diff != "" {
		t.Errorf("%v: what is on disk is not what was returned:\n%s", err, diff)
	}
	samples := 0
	for _, s := range kept.Series {
		if s.Metric == labkit.Disk.Name {
			samples += len(s.Samples)
		}
		if !s.Apart {
			t.Errorf("%s, %s: not of a process a round", s.Arm, s.Metric)
		}
	}
	if samples != 5 || !slices.Equal(kept.Missing(), []int{500, 2000}) {
		t.Errorf("%d samples, missing %v, want 5 and both sizes", samples, kept.Missing())
	}
	if _, err := evidence.Measure(t.Context(), dir, plan(), 500, measuredArms(), nil, nil, nil); err != nil {
		t.Errorf("the next run: %v", err)
	}
}
