package show

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// cells are programs as a notebook's cells are: each runs in a process of its
// own, started by inCell, with a kernel at the other end of its pipes.
var cells = map[string]func(){
	"ordered": func() {
		plan := samplePlan()
		Plan(&plan)
		Note("second <b>&")
		Chart("third", "alt", []byte("<svg></svg>"), []byte("png"))
		Show(Table{Title: "fourth"})
	},
	"fail": func() { Fail(fmt.Errorf("bad <input>: %w", errors.New("first\nsecond"))) },
	"no failure": func() {
		Fail(nil)
		Note("still here")
	},
	"load":        func() { Load(samplePlan()); Note("not reached") },
	"verdict box": func() { VerdictBox(samplePlan()) },
	"verdict": func() {
		run := &evidence.Run{Plan: samplePlan(), Complete: true, Series: []labkit.Series{{N: 1}}, Verdict: []string{"Write: no <difference> seen."}}
		Verdict(run)
	},
	"sweep": func() {
		sweep(func(_ context.Context, r *labkit.Round) error { return r.Size(labkit.Disk, 1000) })
	},
	"sweep fails": func() {
		sweep(func(_ context.Context, r *labkit.Round) error { return labkit.ErrWrong })
	},
	"sweep interrupted": func() {
		sweep(func(ctx context.Context, r *labkit.Round) error {
			if r.N > 500 && r.Number == 2 {
				syscall.Kill(os.Getpid(), syscall.SIGINT)
				<-ctx.Done()
			}
			return r.Size(labkit.Disk, 1000)
		})
	},
	"sweep rounds": func() { sweepWith(SweepRounds) },
	"sweep resources": func() { // of two plans in one cell: each child takes a turn of its own
		sweepWith(SweepResources)
		part := samplePlan().Part("items", "items", 500)
		SweepResources(part, part.N, nil, dumping)
	},
	"sweep within": func() { sweepWithin(func(evidence.Forecast) error { return nil }) },
	"sweep refused": func() {
		sweepWithin(func(f evidence.Forecast) error {
			return fmt.Errorf("<too> much at %d: give a smaller n", f.N)
		})
		Note("the cell goes on")
	},
	"observed too early": func() { Observed(samplePlan(), tried) },
	"observed": func() {
		sweepWith(SweepRounds)
		Observed(samplePlan(), tried)
	},
	"verdict of parts": func() { Verdict(Load(samplePlan())) },
	"sweep interrupted before it begins": func() {
		Sweep(samplePlan(), samplePlan().N, nil, func(int) ([]labkit.Arm, error) {
			syscall.Kill(os.Getpid(), syscall.SIGINT)
			time.Sleep(time.Hour) // records that take long to make
			return nil, nil
		})
	},
	"holds a lock": func() {
		lock := flock.New(os.Getenv(lockVariable))
		if err := lock.Lock(); err != nil {
			panic(err)
		}
		fmt.Println("locked by", os.Getpid())
		time.Sleep(time.Hour)
	},
	"sweep of no sizes": func() { Sweep(samplePlan(), nil, nil, nil) },
	"progress": func() {
		bar := Progress("Sweep <1>")
		for i := range 1000 {
			bar.Step(labkit.Progress{N: 8000, Round: 1, Rounds: 5, Arm: "blob", Done: i, Total: 1000})
		}
		bar.End()
		bar.End()
	},
}

// sweepWith runs a sweep of arms that dump and load a byte for each record.
func sweepWith(sweep func(labkit.Plan, []int, []labkit.Comparison, func(int) ([]labkit.Arm, error))) {
	plan := samplePlan()
	sweep(plan, plan.N, nil, dumping)
}

func dumping(n int) ([]labkit.Arm, error) {
	return []labkit.Arm{{Name: "file", Measure: func(_ context.Context, r *labkit.Round) error {
		r.Payload = int64(n)
		return errors.Join(
			r.Time(labkit.Dump, n, func() error { return os.WriteFile(r.Path, make([]byte, n), 0o600) }),
			r.Size(labkit.Disk, 4096),
			r.Time(labkit.Load, n, func() error { _, err := os.ReadFile(r.Path); return err }))
	}}}, nil
}

// sweep runs a sweep of one arm whose turns are as measure says.
func sweep(measure func(ctx context.Context, r *labkit.Round) error) {
	plan := samplePlan()
	Sweep(plan, plan.N, nil, func(int) ([]labkit.Arm, error) {
		return []labkit.Arm{{Name: "<arm>", Measure: measure}}, nil
	})
}

const (
	cellVariable = "SHOW_TEST_CELL"
	lockVariable = "SHOW_TEST_LOCK"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(cellVariable); name != "" {
		cells[name]()
		return
	}
	os.Exit(m.Run())
}

// result is what a cell has left behind when its process has ended.
type result struct {
	displays []protocol.DisplayData
	stderr   string
	code     int
}

func (r result) html(i int) string { return fmt.Sprint(r.displays[i].Data[protocol.MIMETextHTML]) }
func (r result) text(i int) string { return fmt.Sprint(r.displays[i].Data[protocol.MIMETextPlain]) }

// inCell runs one of the cells to its end. The kernel takes a display when it
// reads it; what the program leaves in the pipe is lost, as it is with GoNB.
// kernel names the kernel, out is where evidence is kept.
func inCell(t *testing.T, name, kernel, out string) result {
	t.Helper()
	return atPage(t, name, kernel, out, nil)
}

// atPage is inCell with a page at the other end, if it is not nil: page is called
// with every display, and say sends what the page says back to an address.
func atPage(t *testing.T, name, kernel, out string, page func(d protocol.DisplayData, say func(address, text string))) result {
	t.Helper()
	dir := t.TempDir()
	pipe := func(name string) *os.File {
		path := filepath.Join(dir, name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0) // for both ways: opening does not wait for the cell
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	from, to := pipe("from"), pipe("to")

	var r result
	transit := 0 // displays that the cell did not wait for
	var reading sync.WaitGroup
	reading.Go(func() {
		in, back := gob.NewDecoder(from), gob.NewEncoder(to)
		for {
			var d protocol.DisplayData
			if in.Decode(&d) != nil {
				return
			}
			if request, ok := d.Data[protocol.MIMECommValue].(protocol.CommValue); ok {
				if request.Address != protocol.GonbuiSyncAddress { // for the page
					continue
				}
				transit = 0
				if back.Encode(protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: request.Value}) != nil {
					return
				}
				continue
			}
			if page != nil {
				page(d, func(address, text string) {
					_ = back.Encode(protocol.CommValue{Address: address, Value: text})
				})
			}
			if d.Data[protocol.MIMECommSubscribe] != nil {
				continue
			}
			r.displays = append(r.displays, d)
			transit++
		}
	})

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), cellVariable+"="+name, evidence.OutVariable+"="+out,
		protocol.GONB_PIPE_ENV+"="+from.Name(), protocol.GONB_PIPE_BACK_ENV+"="+to.Name(), protocol.GONB_TMP_DIR_ENV+"="+kernel)
	if page != nil {
		cmd.Env = append(cmd.Env, protocol.GONB_JUPYTER_KERNEL_ID_ENV+"=a-server-s-kernel")
	}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	from.Close()
	reading.Wait()
	if transit > 0 {
		t.Errorf("%s ended with %d displays in transit", name, transit)
	}
	if stdout.Len() > 0 {
		t.Errorf("%s wrote on standard output, which keeps no order with displays: %s", name, stdout.String())
	}
	r.stderr, r.code = stderr.String(), cmd.ProcessState.ExitCode()
	return r
}

func TestCellDisplaysInOrder(t *testing.T) {
	r := inCell(t, "ordered", "k", t.TempDir())
	if r.code != 0 || r.stderr != "" || len(r.displays) != 4 {
		t.Fatalf("exit code %d, %d displays, %s", r.code, len(r.displays), r.stderr)
	}
	for i, want := range []string{"Parameters in force", "second &lt;b&gt;&amp;", "<svg></svg>", "fourth"} {
		if !strings.Contains(r.html(i), want) {
			t.Errorf("display %d is %s, want %s", i, r.html(i), want)
		}
		if r.text(i) == "" {
			t.Errorf("display %d has no text", i)
		}
	}
	if got := r.displays[2].Data[protocol.MIMEImagePNG]; string(got.([]byte)) != "png" {
		t.Errorf("PNG is %v", got)
	}
	if got := fmt.Sprint(r.displays[2].Metadata); got != "map[image/png:map[width:860]]" {
		t.Errorf("metadata %s", got)
	}
	if want := "third\nalt"; r.text(2) != want {
		t.Errorf("the chart's text is %q, want %q", r.text(2), want)
	}
}

func TestCellFails(t *testing.T) {
	r := inCell(t, "fail", "k", t.TempDir())
	if r.code != 1 || r.stderr != "bad <input>: first second\n" || len(r.displays) != 1 || !strings.Contains(r.html(0), "bad &lt;input&gt;: first\nsecond") {
		t.Errorf("exit code %d, stderr %q, displays %v", r.code, r.stderr, r.displays)
	}
	if r := inCell(t, "no failure", "k", t.TempDir()); r.code != 0 || len(r.displays) != 1 {
		t.Errorf("a nil error: exit code %d, displays %v", r.code, r.displays)
	}
}

func TestLoadSaysWhatToRun(t *testing.T) {
	out := t.TempDir()
	r := inCell(t, "load", "k", out)
	if r.code != 1 || len(r.displays) != 1 || !strings.Contains(r.html(0), "Nothing measured yet") || !strings.Contains(r.html(0), "run the sweep first") {
		t.Errorf("nothing measured: exit code %d, %v", r.code, r.displays)
	}
	if strings.Contains(r.stderr, "goroutine") {
		t.Errorf("a trace: %s", r.stderr)
	}

	other := samplePlan()
	other.Seed++
	record(t, filepath.Join(out, other.Name), other, sampleArms(), nil)
	r = inCell(t, "load", "k", out)
	if r.code != 1 || len(r.displays) != 1 || !strings.Contains(r.html(0), "The parameters have changed") || !strings.Contains(r.html(0), "seed 2") {
		t.Errorf("another plan: exit code %d, %v", r.code, r.displays)
	}
}

func TestLoadReturnsPartOfARun(t *testing.T) {
	out := t.TempDir()
	record(t, filepath.Join(out, "sample"), samplePlan(), sampleArms(), func(s labkit.Series) *labkit.Series {
		if s.N == 8000 {
			s.Samples = s.Samples[:2]
		}
		return &s
	})
	r := inCell(t, "load", "k", out)
	if r.code != 0 || len(r.displays) != 2 || !strings.Contains(r.html(0), "Incomplete: n = 8,000 ") {
		t.Errorf("exit code %d, %v", r.code, r.displays)
	}
}

func TestVerdictFillsTheBox(t *testing.T) {
	out := t.TempDir()
	first, again := inCell(t, "verdict box", "k", out), inCell(t, "verdict box", "k", out)
	if len(first.displays) != 1 || len(again.displays) != 1 || !strings.Contains(again.html(0), "Waiting") {
		t.Fatalf("boxes %v, %v", first, again)
	}
	id := again.displays[0].DisplayID
	if id == "" || id == first.displays[0].DisplayID {
		t.Errorf("ids %q, %q: want a new one each time", first.displays[0].DisplayID, id)
	}
	r := inCell(t, "verdict", "k", out)
	if len(r.displays) != 2 || r.displays[0].DisplayID != id || r.displays[1].DisplayID != "" || r.html(0) != r.html(1) {
		t.Errorf("want an update of %q and the same in place: %v", id, r.displays)
	}
	if !strings.Contains(r.html(1), "no &lt;difference&gt; seen.") || strings.Contains(r.html(1), "Waiting") {
		t.Errorf("verdict %s", r.html(1))
	}
	if r := inCell(t, "verdict", "another kernel", out); len(r.displays) != 1 || r.displays[0].DisplayID != "" {
		t.Errorf("in another kernel, which does not know the box: %v", r.displays)
	}
}

func TestProgressIsGoneWhenItEnds(t *testing.T) {
	r := inCell(t, "progress", "k", t.TempDir())
	if len(r.displays) < 2 {
		t.Fatalf("displays %v", r.displays)
	}
	for i, d := range r.displays {
		if d.DisplayID == "" || d.DisplayID != r.displays[0].DisplayID {
			t.Errorf("display %d has id %q", i, d.DisplayID)
		}
	}
	if !strings.Contains(r.html(0), "Sweep &lt;1&gt;") || !strings.Contains(r.html(0), "n = 8,000, round 1 of 5, blob") {
		t.Errorf("progress %s", r.html(0))
	}
	if last := len(r.displays) - 1; r.html(last) != "" || r.html(last-1) == "" {
		t.Errorf("the last displays are %q and %q", r.html(last-1), r.html(last))
	}
}
