package main

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"shelflab/labkit"
)

// interrupted runs the command under a context that was interrupted.
func interrupted(t *testing.T, args ...string) (code int, stderr string) {
	t.Helper()
	ctx, interrupt := context.WithCancelCause(t.Context())
	interrupt(labkit.ErrInterrupted)
	var out, errs bytes.Buffer
	code = run(ctx, args, &out, &errs)
	return code, errs.String()
}

// After an interrupt each command says what is true of it: one that was still
// being set up has measured nothing.
func TestInterruptedSetUp(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // with nothing set up
	t.Setenv("HOME", t.TempDir())
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"open", "01", "--allow-root", "--no-browser", "--jupyter", "sh"}, "JupyterLab was not started"},
		{[]string{"open", "01", "--allow-root", "--no-browser"}, "JupyterLab was not started"},
		{[]string{"run", "01", "-p", "n=10", "--out", t.TempDir()}, "no notebook was started"},
	} {
		code, stderr := interrupted(t, c.args...)
		if code != exitInterrupted || !strings.Contains(stderr, "lab: interrupted; "+c.says) || strings.Contains(stderr, "measured") {
			t.Errorf("%s: exit code %d, %s", c.args, code, stderr)
		}
	}
}

func TestInterruptedMeasuring(t *testing.T) {
	code, stderr := interrupted(t, "measure", "-p", "n=10", "--out", t.TempDir())
	if want := "lab: interrupted; what was measured is kept and marked incomplete\n"; code != exitInterrupted || stderr != want {
		t.Errorf("exit code %d, %q, want %q", code, stderr, want)
	}
}

// A command that does not look for an interrupt is ended by one.
func TestInterruptedAtOnce(t *testing.T) {
	hangs := make(chan struct{})
	defer close(hangs)
	cmd := atOnce(&cobra.Command{RunE: func(*cobra.Command, []string) error { <-hangs; return nil }, SilenceErrors: true, SilenceUsage: true}, "nothing was written")
	ctx, interrupt := context.WithCancelCause(t.Context())
	interrupt(labkit.ErrInterrupted)
	cmd.SetArgs(nil)
	err := cmd.ExecuteContext(ctx)
	if !errors.Is(err, labkit.ErrInterrupted) || interruptedLine(err) != "interrupted; nothing was written" {
		t.Errorf("%v, %q", err, interruptedLine(err))
	}
	if err := leaving(err, "something else"); interruptedLine(err) != "interrupted; nothing was written" {
		t.Errorf("what was said first is said no more: %q", interruptedLine(err))
	}
	if err := leaving(filepath.ErrBadPattern, "x"); err != filepath.ErrBadPattern {
		t.Errorf("another error became %v", err)
	}
}
