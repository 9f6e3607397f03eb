package labkit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"shelflab/labkit"
)

const (
	kibi   = 1 << 10
	mebi   = 1 << 20
	hidden = "LABKIT_TEST_HIDDEN" // an environment variable that a child must not have
)

var reachable []byte // what an arm leaves behind in memory

// turnArms are the arms whose resources are known. Each operation is one of
// theirs; what else an arm measures must not count.
func turnArms() []labkit.Arm {
	arm := func(name string, of labkit.Metric, work int, op func(r *labkit.Round) error) labkit.Arm {
		return labkit.Arm{Name: name, Measure: func(_ context.Context, r *labkit.Round) error {
			return r.Time(of, work, func() error { return op(r) })
		}}
	}
	return []labkit.Arm{
		arm("allocates", labkit.Gets, 500, func(*labkit.Round) error {
			for range 1000 {
				reachable = make([]byte, kibi)
			}
			return nil
		}),
		arm("holds", labkit.Read, 1, func(r *labkit.Round) error {
			loaded := make([]byte, 8*mebi)
			for i := range loaded {
				loaded[i] = 1
			}
			r.Held()
			runtime.KeepAlive(loaded)
			return nil
		}),
		arm("hoards", labkit.Read, 1, func(*labkit.Round) error { return hoard() }),
		arm("hoards at times", labkit.Read, 1, func(r *labkit.Round) error {
			if r.Number != 1 {
				return nil
			}
			return hoard()
		}),
		arm("holds little", labkit.Read, 1, func(r *labkit.Round) error {
			loaded := make([]byte, 128*kibi)
			r.Held()
			runtime.KeepAlive(loaded)
			return nil
		}),
		arm("leaves", labkit.Write, 1, func(*labkit.Round) error {
			reachable = make([]byte, 4*mebi)
			return nil
		}),
		arm("collects", labkit.Read, 1, func(r *labkit.Round) error {
			for range 3 {
				runtime.GC()
			}
			r.Held() // its own collection is not the arm's
			return nil
		}),
		{Name: "writes", Measure: func(_ context.Context, r *labkit.Round) error {
			r.Payload = mebi
			err := r.Time(labkit.Write, 1, func() error {
				return r.Lap(labkit.Put, 1, func() error { return os.WriteFile(r.Path, make([]byte, 3*mebi), 0o600) })
			})
			return errors.Join(err, r.Size(labkit.Disk, 2*mebi))
		}},
		arm("fails", labkit.Read, 1, func(*labkit.Round) error { return errors.New("no such luck") }),
		arm("reads wrong", labkit.Read, 1, func(r *labkit.Round) error { return r.Check("full read", 1, 2) }),
		arm("has no thread", labkit.Read, 1, func(*labkit.Round) error {
			fmt.Fprintln(os.Stderr, "runtime/cgo: pthread_create failed: Resource temporarily unavailable")
			os.Exit(2)
			return nil
		}),
		arm("exits", labkit.Read, 1, func(*labkit.Round) error {
			fmt.Fprintln(os.Stderr, "for no reason")
			os.Exit(3)
			return nil
		}),
		arm("is killed", labkit.Read, 1, func(*labkit.Round) error { return syscall.Kill(os.Getpid(), syscall.SIGKILL) }),
		arm("is loud", labkit.Read, 1, func(*labkit.Round) error {
			fmt.Println("this belongs nowhere")
			if os.Getenv(hidden) != "" {
				return errors.New("the variable is there")
			}
			return nil
		}),
		{Name: "waits", Measure: func(ctx context.Context, r *labkit.Round) error {
			if err := tellPid(r); err != nil {
				return err
			}
			<-ctx.Done()
			return ctx.Err()
		}},
		{Name: "hears nothing", Measure: func(_ context.Context, r *labkit.Round) error {
			if err := tellPid(r); err != nil {
				return err
			}
			time.Sleep(time.Hour)
			return nil
		}},
	}
}

// hoard takes a gigabyte.
func hoard() error {
	var all [][]byte
	for range 256 {
		all = append(all, make([]byte, 4*mebi))
	}
	runtime.KeepAlive(all)
	return nil
}

// tellPid leaves the number of this process where waitForPid looks for it.
func tellPid(r *labkit.Round) error {
	path := filepath.Join(filepath.Dir(r.Path), "pid")
	if err := os.WriteFile(path+".part", []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

func turnArm(name string) []labkit.Arm {
	return slices.DeleteFunc(turnArms(), func(a labkit.Arm) bool { return a.Name != name })
}

// takeTurn is what a program does that finds itself to be a child.
func takeTurn(turn labkit.Turn) {
	ctx, stop := labkit.Context()
	defer stop()
	if err := turn.Take(ctx, append(turnArms(), apartArms()...)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// measureForever is a parent whose child never ends.
func measureForever() {
	_, _, err := labkit.Lab{Plan: plan(1), Dir: os.Getenv(hidden)}.MeasureResources(context.Background(), 10, turnArm("waits"))
	fmt.Println(err)
}

// resourcesOf measures one arm in two rounds and returns its values by metric.
func resourcesOf(t *testing.T, arm string) (map[string][]float64, []labkit.Unmeasured) {
	t.Helper()
	series, without, err := labkit.Lab{Plan: plan(2), Dir: t.TempDir()}.MeasureResources(t.Context(), 10, turnArm(arm))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]float64{}
	for _, s := range series {
		at := slices.IndexFunc(labkit.ResourceMetrics(), func(m labkit.Metric) bool { return m.Name == s.Metric })
		if at < 0 || len(s.Samples) != 2 || s.Arm != arm {
			t.Fatalf("series %+v", s)
		}
		m := labkit.ResourceMetrics()[at]
		if s.Unit != m.RawUnit() {
			t.Errorf("%s: samples in %s", s.Metric, s.Unit)
		}
		values[s.Metric] = s.Values(m)
	}
	return values, without
}

func TestResourcesAreWhatTheArmTakes(t *testing.T) {
	for _, c := range []struct {
		arm, metric string
		least, most float64
	}{
		// 1000 allocations of 1 KiB in 500 gets; the runtime adds a few of its own.
		{"allocates", "gets, allocs", 2, 2.2},
		{"allocates", "gets, allocated", 2 * kibi, 2.2 * kibi},
		{"allocates", "gets, live heap", 0, mebi / 4},
		{"holds", "read, live heap", 8*mebi - 16*kibi, 8*mebi + mebi/4}, // the runtime may have freed a little meanwhile
		{"holds", "read, peak memory", 8 * mebi, 1 << 40},
		{"holds", "read, allocs", 1, 20},
		{"holds little", "read, live heap", 126 * kibi, 136 * kibi}, // nothing that measuring it allocates is missing; a new thread of the runtime takes 5 kB
		{"leaves", "write, live heap", 4*mebi - 16*kibi, 4*mebi + mebi/4},
		{"collects", "read, GCs", 3, 3},
		{"collects", "read, GC pause", 1e-9, 60},
		{"leaves", "write, GCs", 0, 1},
		{"writes", "space", 2, 2},
	} {
		values, _ := resourcesOf(t, c.arm)
		if len(values[c.metric]) == 0 {
			t.Errorf("%s: no %s", c.arm, c.metric)
		}
		for _, x := range values[c.metric] {
			if x < c.least || x > c.most {
				t.Errorf("%s: %s is %v, want %v to %v", c.arm, c.metric, x, c.least, c.most)
			}
		}
	}
}

func TestResourcesOfOtherOperationsDoNotCount(t *testing.T) {
	values, without := resourcesOf(t, "writes")
	for metric := range values {
		if !strings.HasPrefix(metric, "write, ") && metric != "space" {
			t.Errorf("%s, of an arm that only writes", metric)
		}
	}
	for _, u := range without { // a system may not tell, but says so
		if u.Arm != "writes" || u.N != 10 || u.Why == "" {
			t.Errorf("unmeasured %+v", u)
		}
	}
	if _, without := resourcesOf(t, "leaves"); !slices.ContainsFunc(without, func(u labkit.Unmeasured) bool {
		return u.Metric == labkit.WrittenByCalls.Name && strings.Contains(u.Why, "how many bytes its records are")
	}) {
		t.Errorf("an arm without a payload: %v", without)
	}
}

func TestChildThatFails(t *testing.T) {
	for _, c := range []struct {
		arm, want string
		is        error // nil if it is the arm's own
	}{
		{"fails", "fails, n = 10: read: no such luck", nil},
		{"reads wrong", "reads wrong, n = 10: read: wrong result: full read: ", labkit.ErrWrong},
		{"is killed", "is killed, n = 10: in a process of its own: signal: killed", labkit.ErrChild},
		{"exits", "exits, n = 10: in a process of its own: exit status 3, and said:\nfor no reason", labkit.ErrChild},
	} {
		lab := labkit.Lab{Plan: plan(1), Dir: t.TempDir()}
		_, _, err1 := lab.MeasureResources(t.Context(), 10, turnArm(c.arm))
		_, err2 := lab.MeasureApart(t.Context(), 10, turnArm(c.arm))
		for _, err := range []error{err1, err2} {
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) || errors.Is(err, labkit.ErrChild) != (c.is == labkit.ErrChild) {
				t.Errorf("%s: %v", c.arm, err)
			}
		}
	}
	t.Setenv(childVariable, "no sweep")
	dir := t.TempDir()
	lab := labkit.Lab{Plan: plan(1), Dir: dir}
	_, _, err1 := lab.MeasureResources(t.Context(), 10, turnArm("holds"))
	_, err2 := lab.MeasureApart(t.Context(), 10, turnArm("holds"))
	for _, err := range []error{err1, err2} {
		if !errors.Is(err, labkit.ErrChild) || !strings.Contains(err.Error(), "without a result") {
			t.Errorf("a program that comes to no sweep: %v", err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left in the folder: %v", left)
	}
}

func TestChildIsNobodysCell(t *testing.T) {
	t.Setenv(hidden, "yes")
	lab := labkit.Lab{Plan: plan(1), Dir: t.TempDir(), Again: labkit.Again{Args: []string{}, Unset: []string{hidden}}}
	stdout := os.Stdout
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout = write
	_, _, err = lab.MeasureResources(t.Context(), 10, turnArm("is loud"))
	os.Stdout = stdout
	write.Close()
	said := make([]byte, 100)
	if n, _ := read.Read(said); err != nil || n > 0 {
		t.Errorf("error %v, said %q", err, said[:n])
	}
}

func TestChildStartsNoOther(t *testing.T) {
	t.Setenv("SHELFLAB_TURN", "{}")
	if _, _, err := (labkit.Lab{Plan: plan(1), Dir: t.TempDir()}).MeasureResources(t.Context(), 10, turnArm("holds")); !errors.Is(err, labkit.ErrChild) {
		t.Errorf("error %v", err)
	}
	t.Setenv("SHELFLAB_TURN", "no JSON")
	turn, ok := labkit.ChildTurn()
	if err := turn.Take(t.Context(), turnArms()); !ok || !errors.Is(err, labkit.ErrChild) {
		t.Errorf("a turn that cannot be read: %v, %v", ok, err)
	}
}

// waitForPid returns the process of the arm that waits.
func waitForPid(t *testing.T, dir string) int {
	t.Helper()
	for range 1000 {
		if text, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
			pid, err := strconv.Atoi(string(text))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the child does not come to its turn")
	return 0
}

// ends fails the test unless a process is gone in a while.
func ends(t *testing.T, pid int) {
	t.Helper()
	for range 1000 {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Errorf("process %d lives on", pid)
}

func TestChildEndsWithTheContext(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error)
	go func() {
		_, _, err := labkit.Lab{Plan: plan(1), Dir: dir}.MeasureResources(ctx, 10, turnArm("waits"))
		done <- err
	}()
	pid := waitForPid(t, dir)
	cancel(labkit.ErrInterrupted)
	if err := <-done; !errors.Is(err, labkit.ErrInterrupted) {
		t.Errorf("error %v", err)
	}
	ends(t, pid)
}

func TestChildEndsWithItsParent(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(hidden, dir)
	parent := start(t, "parent of a turn")
	pid := waitForPid(t, dir)
	parent.signal(syscall.SIGKILL)
	ends(t, pid)
}
