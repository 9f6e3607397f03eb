package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

// labKernel is the kernel that `lab run` has, set up once for all tests.
var labKernel = sync.OnceValues(func() (*notebook.Kernel, error) {
	cache, err1 := os.UserCacheDir()
	nb, err2 := notebook.Read(filepath.Join("..", "..", "..", "notebooks", "01_shelf_vs_blob.ipynb"))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return notebook.Setup(context.Background(), filepath.Join("..", "..", ".."), filepath.Join(cache, "shelflab"), nb.Imports(), nil)
})

// session is a kernel at work as a front end keeps one: somebody runs cells in
// it, in any order.
type session struct {
	*notebook.Session
	t   *testing.T
	out string // the data folder
}

// open starts a kernel in a notebook's folder, with a data folder of its own if
// env does not set one.
func open(t *testing.T, dir string, env ...string) *session {
	t.Helper()
	kernel, err := labKernel()
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	s, err := kernel.Start(t.Context(), notebook.StartOptions{Dir: dir, Env: append([]string{evidence.OutVariable + "=" + out}, env...)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &session{s, t, out}
}

// run runs a cell and returns what it shows, and what its error says, "" if it
// has none.
func (s *session) run(source string) (shown, failed string) {
	s.t.Helper()
	outputs, err := s.Execute(s.t.Context(), source, nil)
	if err != nil {
		s.t.Fatalf("%s\n%v", source, err)
	}
	return shownBy(outputs)
}

// shownBy is what outputs show as text, without line breaks, and their error.
func shownBy(outputs []*notebook.Output) (shown, failed string) {
	for _, o := range outputs {
		text, _ := o.Data["text/plain"].(string)
		shown += o.Text + text + " "
		failed += o.EValue
	}
	return strings.Join(strings.Fields(shown), " "), failed
}

// shows runs a cell that must end well and show something.
func (s *session) shows(source string, want ...string) {
	s.t.Helper()
	shown, failed := s.run(source)
	if failed != "" {
		s.t.Errorf("%s\nfailed: %s\n%s", source, failed, shown)
	}
	contains(s.t, source, shown, want)
}

// refuses runs a cell that must fail, and say why.
func (s *session) refuses(source string, want ...string) {
	s.t.Helper()
	shown, failed := s.run(source)
	if failed == "" {
		s.t.Errorf("%s\nended well:\n%s", source, shown)
	}
	contains(s.t, source, shown+failed, want)
}

func contains(t *testing.T, source, text string, want []string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s\ndoes not say %q:\n%s", source, w, text)
		}
	}
}

// notebooksFolder is where the notebooks of the repository are.
func notebooksFolder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", "notebooks"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// parameterCell is that of notebook 01 with another plan.
func parameterCell(name string, n string, rounds int) string {
	return fmt.Sprintf(`import (
	"shelflab/labkit"
	"shelflab/labkit/show"
)

var plan = labkit.Params(labkit.Plan{
	Name: %q, N: []int{%s}, Rounds: %d, Keys: 20, Seed: 1,
})

%%%%
show.Plan(plan)`, name, n, rounds)
}
