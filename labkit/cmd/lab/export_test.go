package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
	"shelflab/labkit/show"
)

// saved writes a run into a data folder, and a notebook as JupyterLab saves it
// that shows the run's tables, and returns the paths of both.
func saved(t *testing.T) (data, dir, path string) {
	t.Helper()
	data = t.TempDir()
	t.Setenv(evidence.OutVariable, data)
	dir = filepath.Join(data, "made")
	must(t, os.Rename(recorded(t, 1, nil), dir))
	run, err := readEvidence(dir)
	must(t, err)
	nb := notebook.New()
	for i, html := range []string{show.PlanTable(&run.Plan).HTML(), show.Lead(run, run.Largest()).HTML(), show.VerdictHTML(run)} {
		nb.Cells = append(nb.Cells, &notebook.Cell{ID: fmt.Sprint("shows-", i), Kind: notebook.Code, Source: "%%", ExecutionCount: i + 1, Outputs: []*notebook.Output{
			{Type: notebook.DisplayData, Data: map[string]any{"text/html": html}},
		}})
	}
	path = filepath.Join(t.TempDir(), "made.ipynb")
	must(t, nb.Write(path))
	return data, dir, path
}

// change edits a saved notebook.
func change(t *testing.T, path string, edit func(nb *notebook.Notebook)) {
	t.Helper()
	nb, err := notebook.Read(path)
	must(t, err)
	edit(nb)
	must(t, nb.Write(path))
}

// A saved notebook becomes a page of evidence that verify agrees with, in its
// run's folder, together with the notebook; nothing is run.
func TestExport(t *testing.T) {
	_, dir, path := saved(t)
	code, stdout, stderr := lab(t, "export", path)
	if code != exitOK || !strings.Contains(stdout, filepath.Join(dir, "made.html")) {
		t.Fatalf("exit code %d, %s%s", code, stdout, stderr)
	}
	_, err := verify(dir)
	must(t, err)
	page := read(t, filepath.Join(dir, "made.html"))
	files, err := attached([]byte(page))
	must(t, err)
	if names := slices.Sorted(maps.Keys(files)); !slices.Contains(names, evidence.BenchName) {
		t.Errorf("attached are %q", names)
	}
	// What repeats the run has every value of its plan.
	if !strings.Contains(page, "go tool lab run "+path+" -p durability=") || strings.Contains(page, noteOrder) {
		t.Error("the head does not name the command, or says that cells were run out of order")
	}
	if copied := read(t, filepath.Join(dir, "made.ipynb")); copied != read(t, path) {
		t.Error("the notebook in the run's folder is no copy")
	}
}

// How it was run by hand is said at the head.
func TestExportNotes(t *testing.T) {
	for note, edit := range map[string]func(nb *notebook.Notebook){
		noteOrder: func(nb *notebook.Notebook) { nb.Cells[0].ExecutionCount = 9 },
		noteErrors: func(nb *notebook.Notebook) {
			nb.Cells[1].Outputs = append(nb.Cells[1].Outputs, &notebook.Output{Type: notebook.Error, EName: "ERROR", EValue: "exit status 1"})
		},
	} {
		_, dir, path := saved(t)
		change(t, path, edit)
		if code, _, stderr := lab(t, "export", path); code != exitOK {
			t.Errorf("%s: exit code %d, %s", note, code, stderr)
			continue
		}
		if page := read(t, filepath.Join(dir, "made.html")); !strings.Contains(page, note) {
			t.Errorf("the head does not say %q", note)
		}
		if _, err := verify(dir); err != nil {
			t.Error(err)
		}
	}
}

// Evidence that is not what the notebook shows is never attached.
func TestExportWithoutEvidence(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(t *testing.T, dir, path string)
		says string
		note string
	}{
		"another number": {func(t *testing.T, _, path string) {
			change(t, path, func(nb *notebook.Notebook) {
				data := nb.Cells[1].Outputs[0].Data
				data["text/html"] = regexp.MustCompile(`\d\.\d\d `).ReplaceAllString(data["text/html"].(string), "9.99 ")
			})
		}, "is not what the notebook shows", noteUnfit},
		"another run": {func(t *testing.T, dir, _ string) {
			must(t, os.RemoveAll(dir))
		}, "no run in the data folder has the plan", noteUnfit},
		"no plan": {func(t *testing.T, _, path string) {
			change(t, path, func(nb *notebook.Notebook) {
				nb.Cells = nb.Cells[:1]
				nb.Cells[0].Outputs = []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "hello\n"}}
			})
		}, "shows no plan", noteNone},
	} {
		t.Run(name, func(t *testing.T) {
			_, dir, path := saved(t)
			c.edit(t, dir, path)
			code, _, stderr := lab(t, "export", path)
			if code != exitFailed || !strings.Contains(stderr, c.says) || !strings.Contains(stderr, "--out FILE") {
				t.Errorf("exit code %d, %s", code, stderr)
			}
			if _, err := os.Stat(filepath.Join(dir, "made.html")); err == nil {
				t.Error("a page was written into the run's folder all the same")
			}
			out := filepath.Join(t.TempDir(), "page.html")
			if code, _, stderr = lab(t, "export", path, "--out", out); code != exitOK || !strings.Contains(stderr, c.says) {
				t.Errorf("--out: exit code %d, %s", code, stderr)
			}
			page := read(t, out)
			if files, err := attached([]byte(page)); err == nil || !strings.Contains(page, c.note) {
				t.Errorf("the page carries %d files, or does not say %q", len(files), c.note)
			}
			must(t, altered(verifyWithout([]byte(page))))
		})
	}
}

func TestExportMistakes(t *testing.T) {
	_, _, path := saved(t)
	change(t, path, func(nb *notebook.Notebook) { nb.Clean() })
	code, _, stderr := lab(t, "export", path)
	if code != exitFailed || !strings.Contains(stderr, "has no outputs: run its cells in JupyterLab and save it") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	out := filepath.Join(t.TempDir(), "page.html")
	code, _, stderr = lab(t, "export", path, "--out", out)
	if code != exitOK || !strings.Contains(stderr, "the notebook shows no plan") || !strings.Contains(read(t, out), noteNone) {
		t.Errorf("--out: exit code %d, %s", code, stderr)
	}
	if code, _, stderr := lab(t, "export"); code != exitFailed || !strings.Contains(stderr, "accepts 1 arg") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
