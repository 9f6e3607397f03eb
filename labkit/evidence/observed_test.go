package evidence_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/evidence"
)

func observation(title, cell string) evidence.Observation {
	return evidence.Observation{Title: title, Head: []string{"store", "a second writer"}, Rows: [][]string{{"shelf", cell}}}
}

// What a cell has found out is kept with the samples, replaced by its title, and
// stays when the run goes on.
func TestObserve(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data", "01_test")
	p := plan()
	if err := evidence.Observe(dir, p, observation("second", "writes")); !errors.Is(err, evidence.ErrNone) {
		t.Errorf("before anything was measured: %v, want ErrNone", err)
	}
	run := keep(t, dir, plan(), 500, sample(500))
	for _, o := range []evidence.Observation{observation("second", "writes"), observation("third", "<b>waits</b>"), observation("second", "refused")} {
		if err := evidence.Observe(dir, run.Plan, o); err != nil {
			t.Fatal(err)
		}
	}
	want := []evidence.Observation{observation("second", "refused"), observation("third", "<b>waits</b>")}
	got, err := evidence.Load(dir, run.Plan)
	if err != nil || cmp.Diff(want, got.Observed) != "" || cmp.Diff(run.Series, got.Series) != "" {
		t.Errorf("%v, %+v", err, got.Observed)
	}
	if err := evidence.Verify(filepath.Join(dir, evidence.SummaryName)); err != nil {
		t.Error(err)
	}
	rec, err := evidence.Record(dir, run.Plan, run.Arms, run.Comparisons)
	if err != nil {
		t.Fatal(err)
	}
	if err := evidence.Observe(dir, run.Plan, observation("fourth", "")); !errors.Is(err, evidence.ErrBusy) {
		t.Errorf("while it is measured: %v, want ErrBusy", err)
	}
	if diff := cmp.Diff(want, rec.Run().Observed); diff != "" {
		t.Error(diff)
	}
	rec.Close()
	other := run.Plan
	other.Seed++
	if err := evidence.Observe(dir, other, observation("second", "writes")); !errors.Is(err, evidence.ErrOtherPlan) {
		t.Errorf("another plan: %v, want ErrOtherPlan", err)
	}
	for name, o := range map[string]evidence.Observation{
		"no title": observation("", "writes"), "no headings": {Title: "x", Rows: [][]string{{"y"}}},
		"a row too long": {Title: "x", Head: []string{"y"}, Rows: [][]string{{"a", "b"}}},
	} {
		if err := evidence.Observe(dir, run.Plan, o); !errors.Is(err, evidence.ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", name, err)
		}
	}
}

// An observation is covered by the digest, and looked at.
func TestVerifyCoversObservations(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data", "01_test")
	run := keep(t, dir, plan(), 500, sample(500))
	if err := evidence.Observe(dir, run.Plan, observation("second", "it writes")); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(dir, evidence.SummaryName))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, says string }{
		{`"it writes"`, `"it waits"`, "digest"},
		{`"title": "second"`, `"title": ""`, "observed[0]"},
	} {
		edited := strings.Replace(string(good), c.old, c.new, 1)
		if _, err := evidence.VerifySummary([]byte(edited)); edited == string(good) || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error with %q", c.new, err, c.says)
		}
	}
}
