package check_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The second check trusts no clock inside the program. Each sample takes a new
// process, which makes itself ready for an operation, as checkInside does, says that
// it begins, does it, and says that it has ended. The clock is its parent's. To wake
// the parent up takes as long at both ends, so it does not count.

// checkVariable makes the test binary such a process; it holds a job as JSON.
const checkVariable = "SHELFLAB_CHECK"

// job is what a process is to do.
type job struct {
	Arm, Operation string
	N              int
	Dir            string // for its store
}

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
	t, store := newTask(subjects[at], j.N), filepath.Join(j.Dir, "store")
	if err := t.makeReady(j.Operation, store); err != nil {
		return err
	}
	_, err1 := os.Stdout.WriteString("b")
	err2 := t.do(j.Operation, store)
	_, err3 := os.Stdout.WriteString("e")
	return errors.Join(err1, err2, err3)
}

// checkOutside reports the time of one operation as the benchmark's.
func checkOutside(b *testing.B, j job) {
	all := time.Duration(0)
	for range b.N {
		took, err := timeJob(b, j)
		if err != nil {
			b.Fatal(err)
		}
		all += took
	}
	b.ReportMetric(float64(all)/float64(b.N), "ns/op")
}

// timeJob has a process do a job, and returns how long the operation took. Where the
// parent did not wake up before it was over, it is done again.
func timeJob(tb testing.TB, j job) (took time.Duration, err error) {
	for range 10 {
		if err := os.RemoveAll(filepath.Join(j.Dir, "store")); err != nil {
			return 0, err
		}
		if took, err = timeProcess(tb, j); !errors.Is(err, errLate) {
			break
		}
	}
	return took, err
}

var errLate = errors.New("the machine is too busy: the operation was over before its beginning was heard of")

func timeProcess(tb testing.TB, j job) (time.Duration, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(tb.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), checkVariable+"="+string(text))
	var why strings.Builder
	cmd.Stderr = &why
	says, err := cmd.StdoutPipe()
	if err := errors.Join(err, cmd.Start()); err != nil {
		return 0, err
	}
	took, err := between(says)
	if ended := cmd.Wait(); ended != nil { // why it ended is worth more than that it said too little
		return 0, fmt.Errorf("%w: %s", ended, why.String())
	}
	return took, err
}

// between is the time from the first byte to the second.
func between(says io.Reader) (time.Duration, error) {
	said := make([]byte, 2)
	n, err := says.Read(said)
	start := time.Now()
	switch {
	case err != nil:
		return 0, err
	case n == 2:
		return 0, errLate
	}
	_, err = io.ReadFull(says, said[1:])
	return time.Since(start), err
}

// Each job does what it says, once, and leaves the store.
func TestCheckJobs(t *testing.T) {
	for _, s := range subjects {
		for _, operation := range []string{"write", "read", "gets"} {
			j := job{Arm: s.name, Operation: operation, N: 20, Dir: t.TempDir()}
			took, err := timeJob(t, j)
			if err == nil {
				err = newTask(s, j.N).do("read", filepath.Join(j.Dir, "store"))
			}
			if err != nil || took <= 0 {
				t.Errorf("%+v: took %s, %v", j, took, err)
			}
		}
	}
	for want, j := range map[string]job{
		`no arm "nobody"`: {Arm: "nobody"},
		"nowhere":         {Arm: "blob", Operation: "write", N: 20, Dir: filepath.Join(t.TempDir(), "nowhere")},
	} {
		if _, err := timeJob(t, j); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", j, err, want)
		}
	}
}

func TestCheckBetween(t *testing.T) {
	for _, c := range []struct {
		says []string
		took time.Duration
		err  error
	}{
		{[]string{"b", "e"}, time.Second, nil},
		{[]string{"be"}, 0, errLate},
		{[]string{"b"}, time.Second, io.EOF},
		{nil, 0, io.EOF},
	} {
		synctest.Test(t, func(t *testing.T) {
			hear, says := io.Pipe()
			go func() {
				for _, what := range c.says {
					io.WriteString(says, what)
					time.Sleep(time.Second)
				}
				says.Close()
			}()
			if took, err := between(hear); took != c.took || !errors.Is(err, c.err) {
				t.Errorf("%q: %s, %v, want %s, %v", c.says, took, err, c.took, c.err)
			}
			time.Sleep(time.Minute) // until nothing more is said
		})
	}
}
