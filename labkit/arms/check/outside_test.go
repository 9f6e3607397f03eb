package check_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// The second check trusts no clock inside the program: a process that does an
// operation some number of times is timed from its start to its exit, by its
// parent, and so is one that does all the same without it. The difference, over
// that number, is one operation. Each sample takes two new processes.

// checkVariable makes the test binary such a process; it holds a job as JSON.
const checkVariable = "SHELFLAB_CHECK"

// job is what a process is to do.
type job struct {
	Arm, Operation string
	N              int
	Dir            string
	// Times is how often the operation is left out. 0 means that it is done, as
	// often as takes about Take, and the process says how often that was.
	Times int
	Take  time.Duration
}

const (
	checkTime = 200 * time.Millisecond // of the operations in one process
	leastOps  = 4                      // where one takes longer than that
	mostOps   = 1000                   // where it takes next to nothing
)

func TestMain(m *testing.M) {
	if text := os.Getenv(checkVariable); text != "" {
		if err := doJob(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// doJob is all that such a process does.
func doJob(text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	at := slices.IndexFunc(subjects, func(s subject) bool { return s.name == j.Arm })
	if at < 0 {
		return fmt.Errorf("there is no arm %q", j.Arm)
	}
	t := newTask(subjects[at], j.N)
	path := func(i int) string {
		if j.Operation != "write" {
			return filepath.Join(j.Dir, "store") // the parent has made it
		}
		return filepath.Join(j.Dir, fmt.Sprintf("%d-%d", os.Getpid(), i))
	}
	start := time.Now() // for the number alone
	if err := t.do(j.Operation, path(0)); err != nil {
		return err
	}
	times := j.Times
	if times == 0 {
		times = min(max(int(j.Take/time.Since(start)), leastOps), mostOps)
	}
	for i := range times {
		runtime.GC() // as before every operation of the lab
		if j.Times > 0 {
			continue
		}
		if err := t.do(j.Operation, path(1+i)); err != nil {
			return err
		}
	}
	runtime.KeepAlive(t)
	_, err := fmt.Println(times)
	return err
}

// checkOutside reports the time of one operation as the benchmark's.
func checkOutside(b *testing.B, j job) {
	at := slices.IndexFunc(subjects, func(s subject) bool { return s.name == j.Arm })
	if err := newTask(subjects[at], j.N).do("write", filepath.Join(j.Dir, "store")); err != nil {
		b.Fatal(err)
	}
	j.Take = checkTime
	total := 0.0
	for range b.N {
		with, times, err1 := timeJob(b, j)
		j.Times = times
		without, _, err2 := timeJob(b, j)
		j.Times = 0
		if err := errors.Join(err1, err2); err != nil {
			b.Fatal(err)
		}
		total += float64(with-without) / float64(times)
	}
	if total <= 0 {
		b.Fatalf("%s takes no time beside that of starting a process: the machine is too busy", j.Operation)
	}
	b.ReportMetric(total/float64(b.N), "ns/op")
}

// timeJob has a process do a job, and returns how long that took and what number
// the process said.
func timeJob(tb testing.TB, j job) (took time.Duration, times int, err error) {
	text, err := json.Marshal(j)
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(tb.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), checkVariable+"="+string(text))
	start := time.Now()
	said, err := cmd.Output()
	took = time.Since(start)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return 0, 0, err
	}
	_, err = fmt.Sscan(string(said), &times)
	return took, times, err
}

// Each job does what it says, and as often.
func TestCheckJobs(t *testing.T) {
	for _, s := range subjects {
		j := job{Arm: s.name, N: 20, Dir: t.TempDir()}
		if err := newTask(s, j.N).do("write", filepath.Join(j.Dir, "store")); err != nil {
			t.Fatal(err)
		}
		before := stores(t, j.Dir)
		for _, j.Operation = range []string{"read", "gets", "write"} {
			j.Times = 0
			if _, times, err := timeJob(t, j); err != nil || times < leastOps || times > mostOps || j.Operation != "write" && stores(t, j.Dir) != before {
				t.Errorf("%s, %s: %d times, %v", s.name, j.Operation, times, err)
			} else if made := stores(t, j.Dir) - before; j.Operation == "write" && made != 1+times {
				t.Errorf("%s: %d stores were written, want one and %d", s.name, made, times)
			}
		}
		before = stores(t, j.Dir)
		j.Times = 7
		if _, times, err := timeJob(t, j); err != nil || times != 7 || stores(t, j.Dir) != before+1 {
			t.Errorf("%s, without the writes: %d times, %v, %d stores more, want the one of the warm-up", s.name, times, err, stores(t, j.Dir)-before)
		}
	}
	if _, _, err := timeJob(t, job{Arm: "nobody"}); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("an arm that is not there: %v", err)
	}
}

func stores(t *testing.T, dir string) int {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
