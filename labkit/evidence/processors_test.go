package evidence_test

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Whatever the run itself does, and however long it takes, two processors that
// have nothing else to do are not busy, and one program that computes beside it
// makes them so.
func TestBusyProcessors(t *testing.T) {
	for _, c := range []struct {
		name   string
		others float64 // share of two processors
		over   float64 // seconds that the run takes at least
		want   bool
	}{
		{"nobody", 0, 0.01, false},
		{"an idle machine", 0.02, 0.01, false},
		{"an idle machine, and pages written back", 0.05, 0.01, false},
		{"as much as may be", 0.1, 0.01, false},
		{"a program beside a run on one processor", 0.5, 0.2, true},
		{"a program beside a run on two, which leaves it two thirds of one", 1.0 / 3, 0.5, true},
		{"a program beside eight processes of the run", 1.0 / 9, 100, true},
	} {
		for _, seconds := range []float64{0.01, 0.1, 0.2, 0.5, 1, 10, 100, 1000, 1e5} {
			p := evidence.Processors{Time: 2 * seconds, Own: seconds, Others: c.others * 2 * seconds}
			if seconds >= c.over && p.Busy() != c.want {
				t.Errorf("%s, %v s: busy %v, want %v", c.name, seconds, p.Busy(), c.want)
			}
		}
	}
}

func TestProcessorsAreKept(t *testing.T) {
	dir := t.TempDir()
	measure := func(group labkit.Group) *evidence.Run {
		t.Helper()
		var run *evidence.Run
		var err error
		if group == labkit.Main {
			run, err = evidence.Measure(t.Context(), dir, plan(), 500, measuredArms(), nil, nil, nil)
		} else {
			run, err = evidence.MeasureGroup(t.Context(), dir, plan(), 500, group, measuredArms(), nil, nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := evidence.Verify(filepath.Join(dir, evidence.SummaryName)); err != nil {
			t.Error(err)
		}
		return run
	}
	groupsOf := func(run *evidence.Run) (list []labkit.Group) {
		for _, p := range run.Processors {
			list = append(list, p.Group)
			if p.N != 500 || p.Own <= 0 || p.Others < 0 || p.Others > p.Time {
				t.Errorf("%+v", p)
			}
		}
		return list
	}
	if runtime.GOOS != "linux" {
		if run := measure(labkit.Main); len(run.Processors) > 0 || run.Others() != "" {
			t.Errorf("%+v", run.Processors)
		}
		return
	}
	for _, c := range []struct {
		group labkit.Group
		want  []labkit.Group
	}{
		{labkit.Main, []labkit.Group{labkit.Main}},
		{labkit.Resources, []labkit.Group{labkit.Main, labkit.Resources}},
		{labkit.Resources, []labkit.Group{labkit.Main, labkit.Resources}},
		{labkit.Main, []labkit.Group{labkit.Main}}, // which drops the rest
		{labkit.Resources, []labkit.Group{labkit.Main, labkit.Resources}},
	} {
		if run := measure(c.group); !slices.Equal(groupsOf(run), c.want) {
			t.Errorf("after %q: %+v", c.group, run.Processors)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	run, err := evidence.MeasureGroup(ctx, dir, plan(), 500, labkit.Resources, measuredArms(), nil, nil, func(p labkit.Progress) {
		if p.Done > 0 { // a turn has replaced what there was
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || !slices.Equal(groupsOf(run), []labkit.Group{labkit.Main}) {
		t.Errorf("interrupted: %v, %+v", err, run.Processors)
	}
	rec := record(t, dir, plan(), measuredArms())
	if len(rec.Run().Processors) != 1 {
		t.Errorf("going on with the run leaves %+v", rec.Run().Processors)
	}
	if err := rec.Keep(500, rec.Run().Series); err != nil || len(rec.Run().Processors) != 0 {
		t.Errorf("measured again, it still has %+v, %v", rec.Run().Processors, err)
	}
}

func TestProcessorsThatCannotBe(t *testing.T) {
	good := evidence.Processors{N: 500, Time: 10, Own: 5, Others: 0.125}
	for name, change := range map[string]func(*evidence.Run){
		"no such size":        func(r *evidence.Run) { r.Processors[0].N = 501 },
		"no such group":       func(r *evidence.Run) { r.Processors[0].Group = "warm" },
		"there twice":         func(r *evidence.Run) { r.Processors = append(r.Processors, good) },
		"no time":             func(r *evidence.Run) { r.Processors[0].Time = 0 },
		"less than nothing":   func(r *evidence.Run) { r.Processors[0].Own = -1 },
		"more than there was": func(r *evidence.Run) { r.Processors[0].Others = 11 },
		"an earlier schema":   func(r *evidence.Run) { r.Schema = 3 },
	} {
		run := made()
		run.Processors = []evidence.Processors{good}
		if text(t, run); run.Others() != "others took at most 1 % of the processors" {
			t.Errorf("%q", run.Others())
		}
		change(run)
		if _, err := run.Compute(); !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), "processors") {
			t.Errorf("%s: %v, want ErrFormat", name, err)
		}
	}
}
