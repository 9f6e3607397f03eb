package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

// Notebook 01 over the user's own file, named from the folder of the command. Its
// cells by hand and its pitfalls are left out, since they are about other records.
func TestRunOwnRecords(t *testing.T) {
	t.Parallel()
	nb := read01(t)
	nb.Cells = slices.DeleteFunc(nb.Cells, func(c *notebook.Cell) bool {
		return c.ID != "hand-records" && (strings.HasPrefix(c.ID, "hand-") || strings.HasPrefix(c.ID, "pitfall-"))
	})
	path := filepath.Join(t.TempDir(), "own.ipynb")
	must(t, nb.Write(path))
	out := t.TempDir()
	file := filepath.Join("..", "..", "..", "data", "samples", "orders.jsonl")
	code, _, stderr := lab(t, "run", path, "-p", "records="+file, "-p", "key=id", "-p", "n=20,40", "-p", "rounds=1", "-p", "keys=10", "--out", out)
	if code != exitOK {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	dir := filepath.Join(out, "own")
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	if err != nil {
		t.Fatal(err)
	}
	if !run.Complete || filepath.IsAbs(run.Plan.Records) || filepath.Base(run.Plan.Records) != "orders.jsonl" || run.Plan.RecordsSHA256 == "" {
		t.Errorf("complete %t, plan %+v", run.Complete, run.Plan)
	}
	if page := read(t, filepath.Join(dir, "own.html")); !strings.Contains(page, "-p records="+file) {
		t.Errorf("the page does not repeat the run by the path that was typed, %s", file)
	}
	nb, err = notebook.Read(filepath.Join(dir, "own.ipynb"))
	must(t, err)
	for _, want := range []string{"Your records: 800 of ", "customer.city", "whole number"} {
		if text := textOf(cell(t, nb, "own")); !strings.Contains(text, want) {
			t.Errorf("the notebook does not show %q of the file: %s", want, text)
		}
	}
}
