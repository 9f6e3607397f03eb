package main

import (
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

// Notebook 01 over the user's own file, named from the folder of the command.
func TestRunOwnRecords(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	file := filepath.Join("..", "..", "..", "data", "samples", "orders.jsonl")
	code, _, stderr := lab(t, "run", "01", "-p", "records="+file, "-p", "key=id", "-p", "n=20,40", "-p", "rounds=1", "-p", "keys=10", "--out", out)
	if code != exitOK {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	dir := filepath.Join(out, "01_shelf_vs_blob")
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	if err != nil {
		t.Fatal(err)
	}
	if !run.Complete || !filepath.IsAbs(run.Plan.Records) || run.Plan.RecordsSHA256 == "" {
		t.Errorf("complete %t, plan %+v", run.Complete, run.Plan)
	}
	nb, err := notebook.Read(filepath.Join(dir, "01_shelf_vs_blob.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Your records: 800 of ", "customer.city", "whole number"} {
		if text := textOf(cell(t, nb, "own")); !strings.Contains(text, want) {
			t.Errorf("the notebook does not show %q of the file: %s", want, text)
		}
	}
}
