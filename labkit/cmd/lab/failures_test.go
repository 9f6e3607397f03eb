package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

// A cell that does not compile, one that panics and one that exits are named,
// with their error, and what came before them is saved.
func TestFailingCells(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ source, says string }{
		"compile": {"%%\n// broken on purpose\nvar x int = \"text\"\nfmt.Println(x)", "cannot use \"text\""},
		"panic":   {"%%\n// broken on purpose\npanic(\"out of cheese\")", "out of cheese"},
		"exit":    {"%%\n// broken on purpose\nos.Exit(3)", "exit status 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := notebookOf(t, name, "%%\nfmt.Println(\"kept\")", c.source, "%%\nfmt.Println(\"never\")")
			out := t.TempDir()
			code, _, stderr := lab(t, "run", path, "--out", out)
			if code != exitFailed || !strings.Contains(stderr, c.says) || !strings.Contains(stderr, "broken on purpose") {
				t.Errorf("exit code %d, want %d; stderr without %q or the cell's name:\n%s", code, exitFailed, c.says, stderr)
			}
			nb, err := notebook.Read(filepath.Join(out, name, name+".ipynb"))
			if err != nil {
				t.Fatal(err)
			}
			last := len(nb.Cells) - 1
			if text := textOf(nb.Cells[last-2]); !strings.Contains(text, "kept") {
				t.Errorf("the cell before the failing one shows %q", text)
			}
			if len(nb.Cells[last].Outputs) != 0 {
				t.Error("a cell after the failing one was run")
			}
			page, err := os.ReadFile(filepath.Join(out, name, name+".html"))
			if err != nil || !bytes.Contains(page, []byte("kept")) {
				t.Errorf("the page of the failed notebook: %v", err)
			}
		})
	}
}

// A chart cell draws what is on disk: running it again does not measure again,
// and after a change of the plan it says what is missing.
func TestChartCellDoesNotMeasure(t *testing.T) {
	t.Parallel()
	first := read01(t)
	sweep, draw := cell(t, first, "sweep-first").Source, cell(t, first, "scale-write").Source
	head := cell(t, first, "topology").Source
	hand := cell(t, first, "hand-records").Source
	out := t.TempDir()
	summary := func() string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(out, "one", evidence.SummaryName))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}

	code, _, stderr := lab(t, "run", notebookOf(t, "one", hand, head, sweep), "-p", "n=50", "-p", "rounds=1", "--out", out)
	if code != exitOK {
		t.Fatal(stderr)
	}
	before := summary()
	drawing := notebookOf(t, "one", hand, head, draw)
	if code, _, stderr = lab(t, "run", drawing, "-p", "n=50", "-p", "rounds=1", "--out", out); code != exitOK {
		t.Fatal(stderr)
	}
	if summary() != before {
		t.Error("drawing the chart again changed the evidence")
	}
	code, _, stderr = lab(t, "run", drawing, "-p", "n=51", "-p", "rounds=1", "--out", out)
	if code != exitFailed || !strings.Contains(stderr, "evidence of another plan") {
		t.Errorf("after a change of the plan: exit code %d, stderr:\n%s", code, stderr)
	}
	if summary() != before {
		t.Error("a refused chart changed the evidence")
	}
	page, err := os.ReadFile(filepath.Join(out, "one", "one.html"))
	if err != nil || bytes.Contains(page, []byte(evidence.SummaryName)) {
		t.Errorf("the page of the failed run carries an earlier run's evidence: %v", err)
	}
}

// Ctrl-C during a sweep: the run ends with 130, keeps what it had, marks it
// incomplete, leaves no process and no lock, and the next run works.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	first := read01(t)
	path := notebookOf(t, "sweep", cell(t, first, "hand-records").Source, cell(t, first, "topology").Source, cell(t, first, "sweep-first").Source)
	out := t.TempDir()
	dir := filepath.Join(out, "sweep")
	cmd := labProcess(t.Context(), "run", path, "-p", "n=400", "-p", "rounds=1000", "--out", out)
	// A group of its own: what stays of it afterwards can be asked for.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the first samples", func() bool {
		_, err := os.Stat(filepath.Join(dir, evidence.SummaryName))
		return err == nil
	})
	// go tool delivers a Ctrl-C twice.
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
		t.Errorf("ended with %v, want exit code %d; stderr:\n%s", err, exitInterrupted, stderr.String())
	}
	if err := syscall.Kill(-cmd.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("processes of the run are left: %v", err)
	}
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	if err != nil {
		t.Fatal(err)
	}
	if run.Complete || len(run.Series) == 0 {
		t.Errorf("complete %t, %d series", run.Complete, len(run.Series))
	}
	code, _, said := lab(t, "run", path, "-p", "n=40", "-p", "rounds=1", "--out", out)
	if code != exitOK {
		t.Errorf("the next run: exit code %d\n%s", code, said)
	}
}

// waitFor looks until something has happened; its limit only ends a test that
// would hang.
func waitFor(t *testing.T, what string, happened func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	for !happened() {
		select {
		case <-ctx.Done():
			t.Fatalf("%s did not come", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
