package evidence_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// What only shows in another process is tested by running this test binary
// again, with the folder to measure in as childVariable.
const childVariable = "EVIDENCE_TEST_DIR"

func TestMain(m *testing.M) {
	if turn, ok := labkit.ChildTurn(); ok {
		ctx, stop := labkit.Context()
		defer stop()
		if err := turn.Take(ctx, measuredArms()); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	dir := os.Getenv(childVariable)
	if dir == "" {
		os.Exit(m.Run())
	}
	if _, err := evidence.Record(dir, plan(), arms(), nil); err != nil {
		fmt.Println(err)
		os.Exit(0)
	}
	fmt.Println("recording")
	io.Copy(io.Discard, os.Stdin) // until it is killed, or the test has ended
}

// child runs this test binary and returns the first line that it prints.
func child(t *testing.T, dir string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	lines := bufio.NewScanner(out)
	lines.Scan()
	return cmd, lines.Text()
}

func plan() labkit.Plan {
	return labkit.Plan{Name: "01_test", N: []int{500, 2000}, Rounds: 5, Keys: 200, Seed: 1}
}

func arms() []labkit.Arm {
	return []labkit.Arm{
		{Name: "blob", Kind: "snapshot", Pair: "ours", What: "one file"},
		{Name: "shelf, bulk", Kind: "keyed store", Pair: "ours", What: "one batch"},
	}
}

func headline(metrics ...string) evidence.Comparison {
	return evidence.Comparison{Role: evidence.Headline, Label: "ours", A: "blob", B: "shelf, bulk", Metrics: metrics}
}

// series makes up what an arm was measured as. Unit and work follow from the
// metric.
func series(arm string, n int, m labkit.Metric, samples ...float64) labkit.Series {
	s := labkit.Series{Arm: arm, N: n, Metric: m.Name, Unit: m.RawUnit(), Samples: samples}
	switch {
	case m.Rate():
		s.Work = n
	case m.Unit == "s":
		s.Work = plan().Keys
	}
	return s
}

// times returns five samples around x seconds, none of them equal, the same
// spread for every x.
func times(x float64) []float64 {
	return []float64{1.02 * x, 0.99 * x, x, 1.03 * x, 0.98 * x}
}

// made is a run in which everything that can be measured is, and compared, on a
// machine that is made up: every number has its effect.
func made() *evidence.Run {
	run := &evidence.Run{
		Schema: evidence.Schema, Plan: plan(),
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Updated: time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC),
		Environment: evidence.Environment{
			OS: "linux", Arch: "amd64", Kernel: "6.1.0", CPU: "Made-up CPU", CPUs: 4, Memory: 8 << 30,
			Virtual: evidence.Yes, FileSystem: "ext4", Device: evidence.Device{Name: "nvme0n1", Model: "Made-up Disk", Rotates: evidence.No},
			DiskSize: 512e9, DiskFree: 256e9, LoadBefore: 0.25, LoadAfter: 3.5, Timer: labkit.Timer{Cost: 45e-9, Grain: 25e-9}, Go: "go1.26.0", GOMAXPROCS: 4, GOGC: "100", GOMEMLIMIT: "off",
			Modules: map[string]string{"example.org/store": "v1.2.3"}, Commit: "0123456789abcdef",
		},
		Arms: arms(), Metrics: labkit.Metrics(),
	}
	var all []string
	for _, m := range labkit.Metrics() {
		all = append(all, m.Name)
	}
	part := headline(all...)
	part.Role, part.Label = evidence.Part, "the store"
	run.Comparisons = []evidence.Comparison{headline(all...), part}
	for _, n := range run.Plan.N {
		run.Series = append(run.Series, sample(n)...)
	}
	return run
}

// sample makes up all series at n: the blob is twice as fast at everything and
// takes half the space.
func sample(n int) []labkit.Series {
	var list []labkit.Series
	for i, arm := range arms() {
		for _, m := range labkit.Metrics() {
			x := times(float64(n) * float64(i+1) * 1e-6)
			if m.Unit == "B" {
				size := float64(4096 * (i + 1))
				x = slices.Repeat([]float64{size}, 5)
			}
			list = append(list, series(arm.Name, n, m, x...))
		}
	}
	return list
}

// text is a run as summary.json holds it.
func text(t testing.TB, run *evidence.Run) []byte {
	t.Helper()
	out, err := run.Compute()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// tb is what the helpers need of a test, rapid's too.
type tb interface {
	Helper()
	Fatal(args ...any)
}

func write(t tb, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// record begins a run or goes on with it, and gives the lock back at the end of
// the test.
func record(t testing.TB, dir string, p labkit.Plan, a []labkit.Arm, c ...evidence.Comparison) *evidence.Recorder {
	t.Helper()
	rec, err := evidence.Record(dir, p, a, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// keep records series of n and closes.
func keep(t testing.TB, dir string, p labkit.Plan, n int, list []labkit.Series) *evidence.Run {
	t.Helper()
	rec := record(t, dir, p, arms(), headline("write", "disk"))
	if err := rec.Keep(n, list); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	return rec.Run()
}
