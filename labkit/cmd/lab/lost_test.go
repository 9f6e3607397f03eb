package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

// never is a sweep that no test waits for.
const never = 1000 // rounds

// sweeping is a session in which what the sweep of notebook 01 needs was run, for
// a plan of one size.
func sweeping(t *testing.T, name string, n, rounds int, env ...string) *session {
	t.Helper()
	s := open(t, notebooksFolder(t), env...)
	s.shows(parameterCell(name, strconv.Itoa(n), rounds), "Parameters in force")
	return s
}

// sweep is the first sweep cell of notebook 01.
func (s *session) sweep() string {
	s.t.Helper()
	return cell(s.t, read01(s.t), "sweep-first").Source
}

// startSweep runs the sweep and returns what it showed, and why it ended. When
// the first samples are on disk it calls end, which is given the kernel's process
// and may interrupt the cell.
func (s *session) startSweep(name string, end func(kernel int, interrupt func())) (shown string, err error) {
	s.t.Helper()
	text, _ := s.run("%%\nfmt.Println(\"kernel\", os.Getppid())")
	m := regexp.MustCompile(`kernel (\d+)`).FindStringSubmatch(text)
	if m == nil {
		s.t.Fatal(text)
	}
	kernel, err := strconv.Atoi(m[1])
	must(s.t, err)
	ctx, interrupt := context.WithCancel(s.t.Context())
	defer interrupt()
	var outputs []*notebook.Output
	sweep, ended := s.sweep(), make(chan struct{})
	go func() {
		defer close(ended)
		outputs, err = s.Execute(ctx, sweep, nil)
	}()
	defer func() { interrupt(); <-ended }() // whatever fails
	begun := false
	waitFor(s.t, "the first samples", func() bool {
		run, err := evidence.Read(filepath.Join(s.out, name, evidence.SummaryName))
		begun = err == nil && len(run.Series) > 0
		select {
		case <-ended:
			return true
		default:
			return begun
		}
	})
	if begun {
		end(kernel, interrupt)
	}
	<-ended
	shown, failed := shownBy(outputs)
	return shown + failed, err
}

// incomplete checks that a run has samples, and that it and the next cells of a
// session say that they are not all.
func (s *session) incomplete(name string) {
	s.t.Helper()
	run, err := evidence.Read(filepath.Join(s.out, name, evidence.SummaryName))
	must(s.t, err)
	if run.Complete || len(run.Series) == 0 || run.Warnings[0].Kind != evidence.KindIncomplete {
		s.t.Errorf("complete %t, %d series, warnings %v", run.Complete, len(run.Series), run.Warnings)
	}
	s.shows(cell(s.t, read01(s.t), "lead").Source, "Incomplete: n = 400 not measured to the last round")
	s.shows(cell(s.t, read01(s.t), "finish").Source, "Verdict of an incomplete run")
}

// nothingLeft waits until no process but a kernel runs that has this session's
// data folder in its environment, and checks that nobody holds the run.
func (s *session) nothingLeft(name string) {
	s.t.Helper()
	waitFor(s.t, "the end of the cell's processes", func() bool { return len(processesWith(s.out)) == 0 })
	run, err := evidence.Read(filepath.Join(s.out, name, evidence.SummaryName))
	must(s.t, err)
	rec, err := evidence.Record(filepath.Join(s.out, name), run.Plan, run.Arms, run.Comparisons)
	if err != nil {
		s.t.Fatalf("the run is still held: %v", err)
	}
	must(s.t, rec.Close())
}

// processesWith lists the cells' programs that have a text in their environment,
// and their children. Where the system does not tell there are none.
func processesWith(text string) (list []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(environ), text) {
			continue
		}
		if program, err := os.Readlink(filepath.Join(filepath.Dir(file), "exe")); err == nil && strings.Contains(program, "/gonb_") {
			list = append(list, program)
		}
	}
	return list
}

// An interrupt ends a sweep in good order: it says so itself, before the kernel
// would kill it, leaves no process and no lock, and the next cells tell that the
// run is incomplete. The sweep can be run again, and another plan keeps it aside.
func TestInterruptedSweep(t *testing.T) {
	t.Parallel()
	s := sweeping(t, "interrupted", 400, never)
	shown, err := s.startSweep("interrupted", func(_ int, interrupt func()) { interrupt() })
	if !errors.Is(err, context.Canceled) || !strings.Contains(shown, "The sweep stopped") ||
		!strings.Contains(shown, "interrupted: what was measured until then is kept and marked incomplete; run this cell again") {
		t.Errorf("%v: %s", err, shown)
	}
	s.nothingLeft("interrupted")
	s.incomplete("interrupted")

	s.shows(parameterCell("interrupted", "30", 5), "Parameters in force")
	s.refuses(cell(t, read01(t), "lead").Source, "The parameters have changed since the sweep", "Run the sweep again, or set the parameters back")
	s.shows(s.sweep(), "n = 30")
	s.shows(s.sweep(), "n = 30") // twice is as good as once
	s.shows(cell(t, read01(t), "finish").Source, "Verdict")
	if aside, _ := filepath.Glob(filepath.Join(s.out, "interrupted", "summary-*.json")); len(aside) != 1 {
		t.Errorf("the interrupted run was not kept aside: %v", aside)
	}
}

// A kernel that ends in the middle of a sweep, however it ends, leaves nothing
// running and nothing locked, and a new one finds what was measured.
func TestKernelEndsDuringSweep(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "terminated": syscall.SIGTERM, "hung_up": syscall.SIGHUP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sweeping(t, name, 400, never)
			shown, err := s.startSweep(name, func(kernel int, _ func()) { must(t, syscall.Kill(kernel, signal)) })
			if !errors.Is(err, notebook.ErrKernelDied) {
				t.Errorf("%v: %s", err, shown)
			}
			s.nothingLeft(name)
			again := sweeping(t, name, 400, never, evidence.OutVariable+"="+s.out)
			again.out = s.out
			again.incomplete(name)
		})
	}
}

// Two notebooks that measure at once: in one run's folder the second is refused
// and the first goes on; in two folders both go on, and both warn.
func TestTwoNotebooksAtOnce(t *testing.T) {
	t.Parallel()
	one := sweeping(t, "one", 400, never)
	shared := evidence.OutVariable + "=" + one.out
	same := sweeping(t, "one", 400, never, shared)
	two := sweeping(t, "two", 40, 2, shared)
	two.out = one.out
	shown, err := one.startSweep("one", func(_ int, interrupt func()) {
		defer interrupt()
		same.refuses(same.sweep(), "another run is measuring in this folder", "wait until it ends")
		two.shows(two.sweep(), "Another run was measured in the same data folder at the same time as n = 40")
	})
	if !errors.Is(err, context.Canceled) || !strings.Contains(shown, "The sweep stopped") {
		t.Errorf("%v: %s", err, shown)
	}
	for _, name := range []string{"one", "two"} {
		run, err := evidence.Read(filepath.Join(one.out, name, evidence.SummaryName))
		must(t, err)
		if len(run.Disturbed) != 1 {
			t.Errorf("%s: disturbed %v", name, run.Disturbed)
		}
		if _, err := evidence.Load(filepath.Join(one.out, name), run.Plan); err != nil {
			t.Error(err)
		}
	}
	two.shows(cell(t, read01(t), "finish").Source, "Another run was measured in the same data folder")
	two.shows(two.sweep(), "n = 40") // alone now
	run, err := evidence.Read(filepath.Join(one.out, "two", evidence.SummaryName))
	must(t, err)
	if len(run.Disturbed) != 0 {
		t.Errorf("measured again alone: disturbed %v", run.Disturbed)
	}
}
