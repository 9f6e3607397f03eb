package notebook

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestCancelLeavesNothing(t *testing.T) {
	t.Parallel()
	sleeper := strings.Replace(sleeper, `"os"`, "\"os\"\n\t\"os/signal\"\n", 1)
	ignoring := strings.Replace(sleeper, "%%\n", "%%\nsignal.Ignore(os.Interrupt)\n", 1)
	trapping := strings.Replace(sleeper, "time.Sleep(time.Hour)", `c := make(chan os.Signal, 1)
signal.Notify(c, os.Interrupt)
fmt.Println("ready")
<-c
fmt.Println("incomplete")`, 1)
	for name, source := range map[string]string{"plain": sleeper, "ignoring the signal": ignoring, "trapping the signal": trapping} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var r running
			ready := name != "trapping the signal"
			started := watch(func(got running) { r = got })
			nb, err := Run(ctx, kernel, New(code("%%\nprintln(\"before\")"), code(source)), Options{OnOutput: func(i int, o *Output) {
				started(i, o)
				ready = ready || strings.Contains(o.Text, "ready")
				if r.cell != 0 && ready {
					cancel()
				}
			}})
			ce := failed(t, err, 2)
			if !errors.Is(err, context.Canceled) || ce.Message != "interrupted" {
				t.Errorf("got %v", err)
			}
			if got := printed(nb.Cells[0], "stderr"); got != "before\n" {
				t.Errorf("the cell before kept %q", got)
			}
			got := printed(nb.Cells[1], "stdout")
			if !strings.HasPrefix(got, "running ") {
				t.Errorf("the cell kept %q", got)
			}
			if name == "trapping the signal" && !strings.Contains(got, "incomplete") {
				t.Errorf("the cell had no time to say that it is incomplete: %q", got)
			}
			r.gone(t, 0)
		})
	}
}

func TestCancelWhileCompiling(t *testing.T) {
	t.Parallel()
	// Cancelled before anything can have been compiled: wherever the signal
	// finds the cell, it ends.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := Run(ctx, kernel, New(code(sleeper)), Options{OnCell: func(int, int, string) {
		time.AfterFunc(time.Millisecond, cancel)
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestCancelledBeforeTheStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("the user changed her mind")
	cancel(cause)
	nb, err := Run(ctx, kernel, New(code(sleeper)), Options{})
	if nb != nil || !errors.Is(err, cause) {
		t.Errorf("got %v, %v", nb, err)
	}
}

func TestCellLimit(t *testing.T) {
	t.Parallel()
	var r running
	// Long enough for the cell to be compiled on a busy machine, most of the
	// time; the outcome is the same if it is not.
	nb, err := run(t, Options{CellLimit: 3 * time.Second, OnOutput: watch(func(got running) { r = got })}, code(sleeper))
	ce := failed(t, err, 1)
	if !errors.Is(err, ErrTimeLimit) || !strings.Contains(ce.Message, "3s") {
		t.Errorf("got %v", err)
	}
	if r.cell != 0 {
		r.gone(t, 0)
		if printed(nb.Cells[0], "stdout") == "" {
			t.Error("what the cell printed is lost")
		}
	}
}

func TestKernelKilled(t *testing.T) {
	t.Parallel()
	var r running
	nb, err := run(t, Options{OnOutput: watch(func(got running) {
		r = got
		_ = syscall.Kill(r.kernel, syscall.SIGKILL)
	})}, code(sleeper), code("%%\nprintln(1)"))
	ce := failed(t, err, 1)
	if !errors.Is(err, ErrKernelDied) || !strings.Contains(ce.Message, "signal: killed") {
		t.Errorf("got %v", err)
	}
	if !strings.HasPrefix(printed(nb.Cells[0], "stdout"), "running") {
		t.Error("what the cell printed is lost")
	}
	r.gone(t, 0)
}

// A lab that is killed outright cannot clean up; its guard does.
func TestKilledLabLeavesNothing(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), helperEnv+"=1")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	r, ok := parseRunning(line)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if !ok {
		t.Fatalf("the helper said %q, %v", line, err)
	}
	r.gone(t, 30*time.Second)
}

// A session goes on after a cell that was interrupted and ended in time.
func TestSessionSurvivesInterrupt(t *testing.T) {
	t.Parallel()
	s, err := kernel.Start(t.Context(), StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	started := watch(func(running) { cancel() })
	if _, err := s.Execute(ctx, sleeper, func(o *Output) { started(1, o) }); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	outputs, err := s.Execute(t.Context(), "%%\nprintln(\"still here\")", nil)
	if err != nil || len(outputs) != 1 || outputs[0].Text != "still here\n" {
		t.Errorf("got %+v, %v", outputs, err)
	}
	s.Close()
	if _, err := s.Execute(t.Context(), "%%\nprintln(1)", nil); !errors.Is(err, ErrKernelDied) {
		t.Errorf("after Close: %v", err)
	}
}
