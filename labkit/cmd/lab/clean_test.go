package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit/notebook"
)

// The committed notebooks are clean, to the byte.
func TestCommittedNotebooksAreClean(t *testing.T) {
	code, stdout, stderr := lab(t, "clean", "--check")
	if code != exitOK || !strings.Contains(stdout, "01_shelf_vs_blob.ipynb is clean") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// What a run and a front end leave goes, sources, ids and what an author wrote
// into the metadata stay, and a second cleaning changes nothing.
func TestClean(t *testing.T) {
	first := read01(t)
	path := filepath.Join(t.TempDir(), "used.ipynb")
	must(t, first.Write(path))
	committed, err := os.ReadFile(path)
	must(t, err)

	used := first.Clone()
	used.Metadata["language_info"] = map[string]any{"name": "go", "version": "go1.99", "codemirror_mode": ""}
	used.Metadata["widgets"] = map[string]any{}
	for i, c := range used.Cells {
		c.Metadata["collapsed"] = true
		c.Metadata["jupyter"] = map[string]any{"outputs_hidden": true}
		if c.Kind == notebook.Code {
			c.ExecutionCount = i + 1
			c.Metadata["execution"] = map[string]any{"iopub.status.busy": "2026-10-01T00:00:00Z"}
			c.Outputs = []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "1.97 ms\n"}}
		}
	}
	must(t, used.Write(path))
	dirty, err := os.ReadFile(path)
	must(t, err)

	code, _, stderr := lab(t, "clean", "--check", path)
	if code != exitFailed || !strings.Contains(stderr, "not clean: "+path+": run go tool lab clean") {
		t.Errorf("--check: exit code %d, %s", code, stderr)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, dirty) {
		t.Error("--check has written the notebook")
	}
	for _, says := range []string{"was cleaned", "is clean"} {
		code, stdout, stderr := lab(t, "clean", path)
		if code != exitOK || !strings.Contains(stdout, says) {
			t.Errorf("exit code %d, %q without %q: %s", code, stdout, says, stderr)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, committed) {
			t.Errorf("after cleaning the notebook is not the committed one: %v", err)
		}
	}
}

// An author's own metadata is no trace of a run.
func TestCleanKeepsTags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.ipynb")
	nb := notebook.New(&notebook.Cell{ID: "own-id", Kind: notebook.Code, Source: "%%", Metadata: map[string]any{
		"tags": []any{"parameters"}, "jupyter": map[string]any{"source_hidden": true, "outputs_hidden": true},
	}})
	must(t, nb.Write(path))
	if code, _, stderr := lab(t, "clean", path); code != exitOK {
		t.Fatal(stderr)
	}
	nb, err := notebook.Read(path)
	must(t, err)
	c := nb.Cells[0]
	view, _ := c.Metadata["jupyter"].(map[string]any)
	if c.ID != "own-id" || !c.HasTag("parameters") || view["source_hidden"] != true || len(view) != 1 {
		t.Errorf("after cleaning: id %q, metadata %v", c.ID, c.Metadata)
	}
}
