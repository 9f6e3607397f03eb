package main

import (
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit/notebook"
)

// Changing a notebook is normal: a cell, a function, a type, another import and
// another package of the lab are added, without a network.
func TestAddedCells(t *testing.T) {
	t.Parallel()
	s := open(t, notebooksFolder(t), "HTTPS_PROXY=http://127.0.0.1:1", "HTTP_PROXY=http://127.0.0.1:1")
	s.shows(parameterCell("changed", "10", 1), "Parameters in force")
	s.shows("import \"encoding/csv\"\n\n%%\nw := csv.NewWriter(os.Stdout)\nshow.Fail(w.Write([]string{\"a\", \"b\"}))\nw.Flush()", "a,b")
	s.shows("type Point struct{ X, Y int }\n\nfunc double(p Point) Point { return Point{2 * p.X, 2 * p.Y} }\n\n%%\nfmt.Println(double(Point{1, 2}))", "{2 4}")
	s.shows("%%\nfmt.Println(double(Point{3, 4}))", "{6 8}")
	s.shows("func double(p Point) Point { return p }\n\n%%\nfmt.Println(double(Point{3, 4}))", "{3 4}") // edited
	// Its import is found by itself.
	s.shows("%%\nb := blob.Options{}\nfmt.Println(show.Path(*plan, \"x\"), b)", "changed/x")
	s.refuses("%%\nx := 1", "declared and not used: x")
	s.shows("%%\nfmt.Println(\"after an error\")", "after an error")
	// A second parameter cell replaces the first, where it declares the same.
	s.shows(parameterCell("changed", "10,20", 2), "10,20")
	s.refuses("var again = labkit.Params(labkit.Plan{Name: \"x\", N: []int{1}, Rounds: 1, Keys: 1})\n%%\nfmt.Println(again)", "there are two flags --name: call Params once")
}

// A cell that needs another one says which, and works once that was run.
func TestOutOfOrder(t *testing.T) {
	t.Parallel()
	first := read01(t)
	source := func(id string) string { return cell(t, first, id).Source }
	s := open(t, notebooksFolder(t))
	s.refuses(source("verdict"), "undefined: plan", "plan comes from the parameter cell")
	s.shows(source("parameters"), "Parameters in force")
	s.refuses(source("lead"), "Nothing measured yet", "run the sweep first")
	s.refuses(source("scale-write"), "undefined: at", "A cell sees what was run before it")
	s.refuses(source("hand-shelf"), "lab: not known here: at few.")
	s.refuses(source("finish"), "Nothing measured yet")
	s.shows(source("hand-records"), "id_00000")
	s.refuses(source("hand-get"), "by_hand_shelf: open: not found", "If another cell makes it, run that one first.")
	s.shows(source("hand-shelf"), "300 Puts took")
	s.shows(source("hand-shelf"), "300 Puts took") // twice
	s.shows(source("hand-get"), "a key that is not there: true")
	s.refuses("%%\n_, err := blob.Load[int](at(\"nothing\"))\nshow.Fail(err)", "nothing: no such file", "run that one first")
}

// A copy is told that it would measure into the folder of the original, and how
// to keep the two apart; elsewhere on the disk it says how to give it a folder.
func TestCopies(t *testing.T) {
	t.Parallel()
	notebooks := notebooksFolder(t)
	parameters := cell(t, read01(t), "parameters").Source
	as := func(name string) string { return "JPY_SESSION_NAME=" + filepath.Join(notebooks, name) }

	silent := func(s *session, source string) {
		t.Helper()
		if shown, failed := s.run(source); failed != "" || strings.Contains(shown, "copy") {
			t.Errorf("%s\n%s", failed, shown)
		}
	}

	s := open(t, notebooks, as("01_shelf_vs_blob.ipynb"))
	silent(s, parameters)
	s = open(t, filepath.Dir(notebooks)) // a front end that tells the folder only
	s.shows(parameters, "This notebook is a copy", "Name: \"", "_01_shelf_vs_blob\" in the parameter cell keeps them apart")
	s = open(t, notebooks, as("01 shelf-Copy1.ipynb"))
	s.shows(parameters, "This notebook is a copy", "Name: \"01_shelf-Copy1\" in the parameter cell keeps them apart")
	silent(s, parameterCell("01_shelf-Copy1", "10", 1))

	s = open(t, t.TempDir(), "SHELFLAB_OUT=")
	s.shows(parameterCell("mine", "10", 1), "Parameters in force")
	path := "%%\nfmt.Println(show.Path(*plan, \"x\"))"
	s.refuses(path, "no shelflab repository at or above", "%env SHELFLAB_OUT=/a/folder")
	out := t.TempDir()
	s.shows("%env SHELFLAB_OUT=" + out)
	s.shows(path, filepath.Join(out, "mine", "x"))
}

// A notebook that imports what go.mod lacks is not run, since that cannot end
// well, but it can be opened, to be mended.
func TestMissingModule(t *testing.T) {
	t.Parallel()
	nb := notebook.New(&notebook.Cell{Kind: notebook.Code, Source: "import \"example.com/not/here\"\n\n%%\nhere.Do()"})
	path := filepath.Join(t.TempDir(), "mine.ipynb")
	must(t, nb.Write(path))
	code, _, stderr := lab(t, "run", path, "--out", t.TempDir())
	if code != exitFailed || !strings.Contains(stderr, "go.mod lacks a module that is imported: add it with go get in the module's folder") {
		t.Errorf("exit code %d: %s", code, stderr)
	}

	cache, err := cacheFolder()
	must(t, err)
	var said strings.Builder
	kernel, err := kernelToOpen(t.Context(), filepath.Join("..", "..", ".."), cache, nb, newStatus(&said))
	if err != nil || kernel == nil || !strings.Contains(said.String(), "the notebook opens, but some of its cells cannot run yet: go.mod lacks a module") {
		t.Errorf("%v: %s", err, said.String())
	}
}

// Every notebook's run is called after its file, so that a copy keeps its
// evidence apart, whatever struct its parameters are.
func TestRunsAreCalledAfterTheirFile(t *testing.T) {
	paths, err := pick(filepath.Join("..", "..", ".."), nil)
	must(t, err)
	for _, path := range paths {
		nb, err := notebook.Read(path)
		must(t, err)
		values, err := checkParams(nb, "a_copy", nil)
		if err != nil || values["name"] != "a_copy" {
			t.Errorf("%s: %v, %v", path, values, err)
		}
		if values, err = checkParams(nb, "a_copy", map[string]string{"name": "typed"}); err != nil || values["name"] != "typed" {
			t.Errorf("%s, with a name: %v, %v", path, values, err)
		}
	}
	other := notebook.New(&notebook.Cell{Kind: notebook.Code, Source: "type Params struct {\n\tN int\n}\n\nvar p = labkit.Params(Params{1})"})
	if values, err := checkParams(other, "a_copy", nil); err != nil || len(values) > 0 {
		t.Errorf("parameters without a name: %v, %v", values, err)
	}
}
