package evidence_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// schema1 is a run as the lab wrote it in its first version: three arms, two
// sizes.
var schema1 = filepath.Join("testdata", "schema-1.json")

// An older file is read, shown and verified, by the rules of its version.
func TestSchema1(t *testing.T) {
	if err := evidence.Verify(schema1); err != nil {
		t.Errorf("Verify: %v", err)
	}
	run, err := evidence.Read(schema1)
	if err != nil {
		t.Fatal(err)
	}
	if run.Schema != 1 || len(run.Series) != 30 || !run.Complete || len(run.Warnings) != 2 || run.Warnings[0].Kind != "" {
		t.Errorf("schema %d, %d series, complete %v, warnings %v", run.Schema, len(run.Series), run.Complete, run.Warnings)
	}
	if len(run.Verdict) != 3 || !strings.HasPrefix(run.Verdict[0], "Ours, n = 400, blob against shelf, bulk: write: blob is 43.0 times as fast") {
		t.Errorf("verdict %q", run.Verdict)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, evidence.SummaryName), read(t, schema1))
	loaded, err := evidence.Load(dir, run.Plan)
	if err != nil || loaded.Schema != 1 || !slices.Equal(loaded.Verdict, run.Verdict) {
		t.Errorf("Load: %v, %+v", err, loaded)
	}
}

// schema2 is a made-up run as the lab wrote it in its second version, with all
// groups of metrics, a control, and resources that are compared.
var schema2 = filepath.Join("testdata", "schema-2.json")

// Sentences of the second version stay as they were: resources are worded as
// space and speed, and what has no ratio is left out.
func TestSchema2(t *testing.T) {
	run, err := evidence.VerifySummary(read(t, schema2))
	if err != nil {
		t.Fatal(err)
	}
	if run.Schema != 2 || len(run.Verdict) != 9 || run.Growths != nil || !strings.Contains(run.Verdict[1],
		"read, peak growth: shelf, bulk takes 2.00 times the space (2.00 to 2.00); read, GC pause: blob is 2.00 times as fast (2.00 to 2.00); read, allocs: ") {
		t.Errorf("schema %d, growths %v, verdict %q", run.Schema, run.Growths, run.Verdict)
	}
	good := string(read(t, schema2))
	for _, c := range []struct{ name, old, new string }{
		{"a sentence", "takes 2.00 times the space", "takes 9.00 times the space"},
		{"another schema", `"schema": 2`, `"schema": 3`},
		{"other things", `"n": [`, `"counts": "items", "n": [`},
		{"a growth", `"role": "control"`, `"role": "growth"`},
		{"bytes of records", `"work": 200,`, `"work": 200, "payload": 9,`},
		{"against", `"role": "part",`, `"role": "part", "against": "disk",`},
		{"growths", `"warnings": [`, `"growths": [], "warnings": [`},
	} {
		edited := strings.Replace(good, c.old, c.new, 1)
		if edited == good {
			t.Fatalf("%s: there is no %s to change", c.name, c.old)
		}
		if _, err := evidence.VerifySummary([]byte(edited)); !errors.Is(err, evidence.ErrAltered) {
			t.Errorf("%s: %v, want ErrAltered", c.name, err)
		}
	}
}

// And it is as hard to edit as one of today.
func TestSchema1Edited(t *testing.T) {
	good := string(read(t, schema1))
	for _, c := range []struct{ name, old, new string }{
		{"a sentence", "blob is 43.0 times", "blob is 53.0 times"},
		{"a date", `"started": "2026`, `"started": "2025`},
		{"another schema", `"schema": 1`, `"schema": 2`},
		{"a kind", `"text": "The machine was busy`, `"kind": "machine busy", "text": "The machine was busy`},
		{"a batch", `"work": 200,`, `"work": 200, "batch": 2,`},
		{"turns", `"work": 200,`, `"work": 200, "turns": "1 1 1 1 1",`},
		{"a process of its own", `"work": 200,`, `"work": 200, "apart": true,`},
		{"a control", `"durability": "process-crash"` + "\n  }", `"durability": "process-crash", "control": true}`},
	} {
		edited := strings.Replace(good, c.old, c.new, 1)
		if edited == good {
			t.Fatalf("%s: there is no %s to change", c.name, c.old)
		}
		if _, err := evidence.VerifySummary([]byte(edited)); !errors.Is(err, evidence.ErrAltered) {
			t.Errorf("%s: %v, want ErrAltered", c.name, err)
		}
	}
}

// What is measured now is not mixed with what an older lab has measured.
func TestSchema1IsSetAside(t *testing.T) {
	dir := t.TempDir()
	run, err := evidence.Read(schema1)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, evidence.SummaryName), read(t, schema1))
	rec := record(t, dir, run.Plan, run.Arms)
	if got := rec.Run(); got.Schema != evidence.Schema || len(got.Series) != 0 {
		t.Errorf("schema %d, %d series", got.Schema, len(got.Series))
	}
	if got := asides(t, dir); !slices.Equal(got, []string{"summary-" + run.Fingerprint + ".json"}) {
		t.Errorf("%q were set aside", got)
	}
}

// Places in the rounds, and batches, hang together with the samples.
func TestTurnsAndBatchesAreChecked(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*labkit.Series)
		says   string // "" where nothing is wrong
	}{
		"as measured":    {func(s *labkit.Series) { s.Turns, s.Batch = labkit.Turns{1, 2, 2, 1, 1}, 8 }, ""},
		"not told":       {func(s *labkit.Series) { s.Turns = nil }, ""},
		"of another arm": {func(s *labkit.Series) { s.Turns = labkit.Turns{1, 2, 1, 1, 1} }, "in round 3 it has place 1, and so has "},
		"of another metric": {func(s *labkit.Series) { s.Turns = labkit.Turns{1, 2, 2, 1, 2} },
			"in round 5 it has place 2, "},
		"a turn short":     {func(s *labkit.Series) { s.Turns = labkit.Turns{1, 2, 2, 1} }, "turns [1 2 2 1] of 2 arms for 5 samples"},
		"a third of two":   {func(s *labkit.Series) { s.Turns = labkit.Turns{1, 2, 2, 1, 3} }, "turns [1 2 2 1 3] of 2 arms"},
		"before the first": {func(s *labkit.Series) { s.Turns = labkit.Turns{1, 2, 2, 1, 0} }, "turns"},
		"a batch of one":   {func(s *labkit.Series) { s.Batch = 1 }, "a batch of 1"},
		"less than one":    {func(s *labkit.Series) { s.Batch = -1 }, "a batch of -1"},
	} {
		run := made()
		for i, s := range run.Series {
			run.Series[i].Turns = map[string]labkit.Turns{"blob": {1, 2, 2, 1, 1}, "shelf, bulk": {2, 1, 1, 2, 2}}[s.Arm]
		}
		c.change(&run.Series[4]) // gets
		_, err := run.Compute()
		if (err == nil) != (c.says == "") || err != nil && (!errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want ErrFormat with %q", name, err, c.says)
		}
	}
	run := made()
	run.Series[6].Batch = 2 // disk
	if _, err := run.Compute(); !errors.Is(err, evidence.ErrFormat) {
		t.Errorf("bytes in batches: %v, want ErrFormat", err)
	}
}
