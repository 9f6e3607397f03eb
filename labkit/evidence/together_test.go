package evidence_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Two runs in one data folder at the same time spoil nothing but each other's
// times, and both say so, of the sizes that it concerns.
func TestTogether(t *testing.T) {
	data := t.TempDir()
	begin := func(name string) *evidence.Recorder {
		t.Helper()
		plan := plan()
		plan.Name = name
		return record(t, filepath.Join(data, name), plan, arms(), headline("write"))
	}
	keep := func(rec *evidence.Recorder, n int) {
		t.Helper()
		if err := rec.Keep(n, sample(n)); err != nil {
			t.Fatal(err)
		}
	}
	disturbed := func(rec *evidence.Recorder, want ...int) {
		t.Helper()
		path := filepath.Join(rec.Dir, evidence.SummaryName)
		run, err := evidence.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(run.Disturbed, want) {
			t.Errorf("%s: disturbed %v, want %v", run.Plan.Name, run.Disturbed, want)
		}
		warned := slices.ContainsFunc(run.Warnings, func(w evidence.Warning) bool { return w.Kind == evidence.KindTogether })
		if warned != (len(want) > 0) {
			t.Errorf("%s: warnings %v", run.Plan.Name, run.Warnings)
		}
		if _, err := evidence.Parse(read(t, path)); err != nil {
			t.Error(err)
		}
	}

	first := begin("first")
	keep(first, 500)
	disturbed(first) // alone
	second := begin("second")
	keep(second, 500)
	keep(first, 2000)
	disturbed(first, 2000)
	disturbed(second, 500)
	first.Close()
	keep(second, 2000)
	disturbed(second, 500, 2000) // it began beside the other one
	second.Close()

	// Measured again, alone, a size is as good as any.
	again := begin("second")
	keep(again, 2000)
	disturbed(again, 500)
	if err := again.KeepGroup(500, labkit.Cold, nil, nil); err != nil {
		t.Fatal(err)
	}
	disturbed(again, 500) // its rounds are still those of before
	keep(again, 500)
	disturbed(again)
}

// It is the same between processes, and one that is killed is there no longer.
func TestTogetherWithAnotherProcess(t *testing.T) {
	data := t.TempDir()
	cmd, line := child(t, filepath.Join(data, "other"))
	if line != "recording" {
		t.Fatal(line)
	}
	if run := keep(t, filepath.Join(data, "mine"), plan(), 500, sample(500)); !slices.Equal(run.Disturbed, []int{500}) {
		t.Errorf("beside another process: disturbed %v", run.Disturbed)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if run := keep(t, filepath.Join(data, "mine"), plan(), 500, sample(500)); len(run.Disturbed) > 0 {
		t.Errorf("after its end: disturbed %v", run.Disturbed)
	}
}

// What is no list of the plan's sizes, or stands in an older schema, is refused.
func TestDisturbedIsChecked(t *testing.T) {
	for _, c := range []struct {
		schema int
		ns     []int
	}{{evidence.Schema, []int{501}}, {evidence.Schema, []int{2000, 500}}, {evidence.Schema, []int{500, 500}}, {2, []int{500}}} {
		run := made()
		run.Schema, run.Disturbed = c.schema, c.ns
		if _, err := run.Compute(); err == nil || !strings.Contains(err.Error(), "disturbed: ") {
			t.Errorf("schema %d with %v: %v", c.schema, c.ns, err)
		}
	}
}

// Where nobody can leave a sign in the data folder, nobody is seen, and the run
// goes on.
func TestTogetherWithoutASign(t *testing.T) {
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, ".measuring"), 0o755); err != nil {
		t.Fatal(err)
	}
	if run := keep(t, filepath.Join(data, "mine"), plan(), 500, sample(500)); len(run.Disturbed) > 0 {
		t.Errorf("disturbed %v", run.Disturbed)
	}
}

// A run whose samples seem to be of tomorrow, since the wall clock was set back,
// is gone on with, and does not end before it began.
func TestClockSetBack(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, plan(), 500, sample(500))
	path := filepath.Join(dir, evidence.SummaryName)
	stamp := regexp.MustCompile(`"(started|updated|at)": "[^"]*"`)
	write(t, path, stamp.ReplaceAll(read(t, path), []byte(`"$1": "2199-01-02T03:04:05Z"`)))

	keep(t, dir, plan(), 2000, sample(2000))
	run, err := evidence.Load(dir, plan())
	if err != nil {
		t.Fatal(err)
	}
	if run.Updated.Year() != 2199 || run.Updated.Before(run.Started) || !slices.Equal(run.Measured(), []int{500, 2000}) {
		t.Errorf("from %v to %v, %v", run.Started, run.Updated, run.Measured())
	}
}
