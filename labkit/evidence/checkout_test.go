package evidence_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit/evidence"
)

// repository makes a small one like the lab's, with everything committed, and
// returns its folder and its commit.
func repository(t *testing.T) (root, commit string) {
	t.Helper()
	root = t.TempDir()
	for path, content := range map[string]string{
		".gitignore":                       "/data/*\n!/data/reference/\n*.test\n",
		"README.md":                        "The lab.\n",
		"go.mod":                           "module shelflab\n",
		"labkit/plan.go":                   "package labkit\n",
		"notebooks/01.ipynb":               notebookOf(`["x := 1\n", "y := 2"]`, "How it is.", "[]"),
		"notebooks/notes.txt":              "Notes.\n",
		"data/reference/01/summary.json":   "{}\n",
		"data/reference/01/01.ipynb":       "{}\n",
		"data/reference/01/charts/get.svg": "<svg/>\n",
	} {
		write(t, filepath.Join(root, path), []byte(content))
	}
	git(t, root, "init", "-q")
	git(t, root, "add", ".")
	git(t, root, "-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "All of it")
	return root, git(t, root, "rev-parse", "HEAD")
}

func git(t *testing.T, root string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", root}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// notebookOf is a notebook of one code cell, with its source as JSON, and one of
// prose.
func notebookOf(source, prose, outputs string) string {
	return `{"cells": [{"cell_type": "markdown", "source": "` + prose + `"}, {"cell_type": "code", "source": ` + source +
		`, "outputs": ` + outputs + `}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
}

// What cannot change what is measured leaves a checkout clean.
func TestDirty(t *testing.T) {
	const source = `["x := 1\n", "y := 2"]`
	for _, c := range []struct {
		name  string
		path  string // that is written, or removed where content is ""
		text  string
		stage bool
		want  bool
	}{
		{"nothing", "", "", false, false},
		{"a run into the data folder", "data/01/summary.json", "{}", false, false},
		{"a run over a committed one", "data/reference/01/summary.json", `{"n": 1}`, false, false},
		{"what a run removes", "data/reference/01/charts/get.svg", "", false, false},
		{"an executed notebook beside it", "data/reference/02/02.ipynb", "{}", false, false},
		{"a run into a folder of its own", "out/01/summary.json", "{}", false, false},
		{"a document", "README.md", "The lab, anew.\n", false, false},
		{"what git ignores", "labkit/labkit.test", "ELF", false, false},
		{"outputs", "notebooks/01.ipynb", notebookOf(source, "How it is.", `[{"output_type": "stream"}]`), false, false},
		{"prose", "notebooks/01.ipynb", notebookOf(source, "How it was.", "[]"), true, false},
		{"code in one string", "notebooks/01.ipynb", notebookOf(`"x := 1\ny := 2"`, "How it is.", "[]"), false, false},
		{"code", "notebooks/01.ipynb", notebookOf(`["x := 1\n", "y := 3"]`, "How it is.", "[]"), false, true},
		{"staged code", "notebooks/01.ipynb", notebookOf(`"x := 1"`, "How it is.", "[]"), true, true},
		{"a new notebook", "notebooks/mine.ipynb", notebookOf(source, "Mine.", "[]"), false, true},
		{"no notebook any more", "notebooks/01.ipynb", "nothing", false, true},
		{"a notebook that is gone", "notebooks/01.ipynb", "", false, true},
		{"the library", "labkit/plan.go", "package labkit // changed\n", false, true},
		{"the library, staged", "labkit/plan.go", "package labkit // changed\n", true, true},
		{"a new file of the library", "labkit/new/new.go", "package fresh\n", false, true},
		{"the module", "go.mod", "module shelflab\n\ngo 1.26\n", false, true},
		{"sums", "go.sum", "example.org/store v1.2.3 h1:x\n", false, true},
		{"a workspace", "go.work", "go 1.26\n", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, commit := repository(t)
			git(t, root, "config", "status.showUntrackedFiles", "no") // a user's habits change nothing
			path := filepath.Join(root, c.path)
			switch {
			case c.path == "":
			case c.text == "":
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			default:
				write(t, path, []byte(c.text))
			}
			if c.stage {
				git(t, root, "add", c.path)
			}
			if got, dirty := evidence.CheckedOut(root); got != commit || dirty != c.want {
				t.Errorf("commit %s, dirty %v, want %s, %v", got, dirty, commit, c.want)
			}
		})
	}
}

func TestDirtyElsewhere(t *testing.T) {
	if commit, dirty := evidence.CheckedOut(t.TempDir()); commit != "" || dirty {
		t.Errorf("outside of a repository: %q, %v", commit, dirty)
	}
	root, commit := repository(t) // which the lab is a folder of
	write(t, filepath.Join(root, "labkit", "sub", "go.mod"), []byte("module shelflab\n"))
	write(t, filepath.Join(root, "labkit", "sub", "notebooks", "a.ipynb"), []byte("{}"))
	git(t, root, "add", ".")
	git(t, root, "-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "More")
	was, commit := commit, git(t, root, "rev-parse", "HEAD")
	write(t, filepath.Join(root, "labkit", "plan.go"), []byte("package labkit // changed\n"))
	write(t, filepath.Join(root, "labkit", "sub", "notebooks", "a.ipynb"), []byte(`{"metadata": {}}`))
	if got, dirty := evidence.CheckedOut(filepath.Join(root, "labkit", "sub")); got != commit || got == was || dirty {
		t.Errorf("in a folder of a larger repository: %s, %v, want %s and clean", got, dirty, commit)
	}
}
