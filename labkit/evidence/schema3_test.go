package evidence_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// grownRun is a run with a growth, a metric against another, and a zero.
func grownRun() *evidence.Run {
	comparisons := []evidence.Comparison{
		{Role: evidence.Headline, A: "plain gob", B: "plain gob", Metrics: []string{"load"}, Against: "dump"},
		{Role: evidence.Part, Label: "memory", A: "plain gob", B: "blob", Metrics: []string{"load, peak growth", "load, GC pause"}},
		{Role: evidence.Growing, A: "plain gob", B: "plain gob", Metrics: []string{"load", "load, GC pause"}},
	}
	return keptWhole([]int{10, 100, 1000}, comparisons, func(arm string, m labkit.Metric, n int) []float64 {
		if m == pauseOf {
			return []float64{0, 0, 1e-4, 2e-4, 1e-4}
		}
		return times(float64(n*len(arm)*len(m.Name)) * 1e-4)
	})
}

// What schema 3 adds is computed anew as everything else is.
func TestVerifyCoversSchema3(t *testing.T) {
	good := string(text(t, grownRun()))
	if _, err := evidence.VerifySummary([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new, says string }{
		{"what n counts", `"counts": "dictionaries"`, `"counts": "items"`, "digest: it does not fit"},
		{"no noun", `"counts": "dictionaries"`, `"counts": "a <b>"`, "plural noun"},
		{"against", `"against": "dump"`, `"against": "load"`, "digest: it does not fit"},
		{"against another unit", `"against": "dump"`, `"against": "disk"`, "comparisons[0]: load is in s, disk in B: they make no ratio"},
		{"against nothing known", `"against": "dump"`, `"against": "joy"`, `comparisons[0]: against "joy": there is no such metric`},
		{"a price of two metrics", `"role": "headline"`, `"role": "price"`, "comparisons[0]: a price is not of one metric against another"},
		{"a growth of two arms", `"a": "plain gob", "b": "blob"`, `"a": "plain gob", "b": "blub"`, "digest: it does not fit"},
		{"an exponent", `"to": 1000, "count": 5, "p50": 1,`, `"to": 1000, "count": 5, "p50": 2,`, "growths[0].p50: 2 stands there, the samples give 1"},
		{"a step", `"to": 100,`, `"to": 1000,`, "growths[1].to: 1000 stands there, the samples give 100"},
		{"growths", `"growths": [`, `"grown": [`, "growths: it is missing"},
		{"a sentence", "linear as far as can be seen", "more than linear", "verdict["},
		{"what has no exponent", "has no exponent", "has an exponent", "verdict["},
	} {
		edited := strings.Replace(good, c.old, c.new, 1)
		if edited == good {
			t.Fatalf("%s: there is no %s to change", c.name, c.old)
		}
		if _, err := evidence.VerifySummary([]byte(edited)); !errors.Is(err, evidence.ErrAltered) && !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.says)
		}
	}
}

// schema3 is that run as the lab wrote it in its third version.
var schema3 = filepath.Join("testdata", "schema-3.json")

// What has been kept by the third version is verified by its rules.
func TestSchema3(t *testing.T) {
	run, err := evidence.VerifySummary(read(t, schema3))
	if err != nil {
		t.Fatal(err)
	}
	if run.Schema != 3 || len(run.Growths) != 3 || len(run.Verdict) != 4 {
		t.Errorf("schema %d, growths %v, verdict %q", run.Schema, run.Growths, run.Verdict)
	}
	good := string(read(t, schema3))
	edited := strings.Replace(good, `"schema": 3`, `"schema": 4`, 1)
	if _, err := evidence.VerifySummary([]byte(edited)); !errors.Is(err, evidence.ErrAltered) {
		t.Errorf("of another schema: %v, want ErrAltered", err)
	}
}

func TestGrowthIsOfOneArm(t *testing.T) {
	_, err := evidence.Record(t.TempDir(), plan(), arms(), []evidence.Comparison{{Role: evidence.Growing, A: "blob", B: "shelf, bulk", Metrics: []string{"write"}}})
	if !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), `a growth is of one arm, not of "blob" and "shelf, bulk"`) {
		t.Errorf("%v", err)
	}
}
