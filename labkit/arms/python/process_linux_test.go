package python_test

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/python"
	"shelflab/labkit/arms/turn"
)

// parentVariable makes this test binary a lab that is to be killed, which works in
// the folder that it names.
const parentVariable = "PYTHON_TEST_PARENT"

func TestMain(m *testing.M) {
	if dir := os.Getenv(parentVariable); dir != "" {
		data, err := turn.Records(plan(60), 60)
		if err != nil {
			os.Exit(1)
		}
		labkit.Lab{Plan: plan(60), Dir: dir}.Measure(context.Background(), 60, python.Arms(data, labkit.ProcessCrash)[3:])
		os.Exit(1)
	}
	if told, ok := labkit.ChildTurn(); ok {
		ctx, stop := labkit.Context()
		defer stop()
		data, err := turn.Records(plan(told.N), told.N)
		if err == nil {
			err = told.Take(ctx, python.Arms(data, labkit.ProcessCrash))
		}
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A Python in the rounds that have a process each: its times, and what it takes
// besides. Its memory is its own, of which it tells the peak and no more.
func TestApart(t *testing.T) {
	real(t)
	const n = 3000
	list := lab(t, n, labkit.ProcessCrash)
	pickle := []labkit.Arm{named(t, list, python.Pickle)}
	l := labkit.Lab{Plan: plan(n), Dir: t.TempDir()}
	if series, err := l.MeasureApart(t.Context(), n, pickle); err != nil || len(series) != 4 {
		t.Errorf("%v, %v", series, err)
	}
	series, without, err := l.MeasureResources(t.Context(), n, pickle)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, s := range series {
		got[s.Metric] = s.Values(labkit.Metric{Unit: s.Unit})[0]
	}
	for _, of := range []labkit.Metric{labkit.Write, labkit.Read, labkit.Gets} {
		if peak := got[labkit.PeakMemory.Of(of).Name]; peak < 5e6 || peak > 500e6 {
			t.Errorf("%s: a peak of %g bytes", of.Name, peak)
		}
		if !slices.ContainsFunc(without, func(u labkit.Unmeasured) bool { return u.Metric == labkit.Allocs.Of(of).Name && u.Why != "" }) {
			t.Errorf("%s: allocations that are not told are not unmeasured either: %v", of.Name, without)
		}
	}
	// 3000 records of some 150 bytes are read into as many dicts.
	if growth := got[labkit.PeakGrowth.Of(labkit.Read).Name]; growth < 1e6 || growth > 50e6 {
		t.Errorf("reading added %g bytes", growth)
	}
	if written, space := got[labkit.WrittenByCalls.Name], got[labkit.Space.Name]; written < 50*n || space < 50*n {
		t.Errorf("%g bytes written, %g on disk, of %d records", written, space, n)
	}
}

// A cold read of Python's is cold, or not measured.
func TestCold(t *testing.T) {
	real(t)
	const n = 3000
	list := []labkit.Arm{named(t, lab(t, n, labkit.ProcessCrash), python.Pickle)}
	series, without, err := labkit.Lab{Plan: plan(n), Dir: t.TempDir()}.MeasureCold(t.Context(), n, list)
	if err != nil || len(series)+len(without) != len(labkit.ColdMetrics()) {
		t.Errorf("series %v, unmeasured %v, error %v", series, without, err)
	}
	t.Logf("%d series, unmeasured %v", len(series), without)
}

// A Python dies with the lab, even if that is killed.
func TestDiesWithItsParent(t *testing.T) {
	edit, file := waits(t)
	other(t, edit)
	lab := exec.Command(os.Args[0])
	lab.Env = append(os.Environ(), parentVariable+"="+t.TempDir())
	if err := lab.Start(); err != nil {
		t.Fatal(err)
	}
	pid := process(file)
	lab.Process.Kill()
	lab.Wait()
	if pid == 0 {
		t.Fatal("no Python has begun to write")
	}
	gone(t, pid)
}
