package check_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The second check trusts no clock inside the program. A new process takes a round, as
// one of the lab does: every arm a turn of warm-up and a turn that counts, in an order
// of its own. It says when an operation of the second begins, and when it has ended; the
// clock is its parent's. What it takes to say so, and the parent to wake up, stays in
// the sample: some hundredths of a millisecond, little at the largest size.

// checkVariable makes the test binary such a process; it holds a round as JSON.
const checkVariable = "SHELFLAB_CHECK"

// round is what a process is to do.
type round struct {
	Arms []string // their names, in order
	N    int
	Dir  string // for the stores
}

// What the process says, a byte each.
const begins, ended = 'b', 'e'

func TestMain(m *testing.M) {
	if text := os.Getenv(checkVariable); text != "" {
		if err := takeRound(text, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// takeRound is all that such a process does.
func takeRound(text string, w io.Writer) error {
	var r round
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	t := newTask(subject{}, r.N)
	for i, name := range r.Arms {
		at := slices.IndexFunc(subjects, func(s subject) bool { return s.name == name })
		if at < 0 {
			return fmt.Errorf("there is no arm %q", name)
		}
		t.subject = subjects[at]
		store := filepath.Join(r.Dir, fmt.Sprint(i))
		if err := t.turn(store, nil); err != nil {
			return err
		}
		err := t.turn(store, func(_ string, op func() error) error {
			_, err1 := w.Write([]byte{begins})
			err2 := op()
			_, err3 := w.Write([]byte{ended})
			return errors.Join(err1, err2, err3)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sampled is what rounds have taken and no benchmark has reported, by arm and
// operation: those of one pass share a round.
var sampled = map[[2]string]time.Duration{}

// checkOutside reports the time of one operation as the benchmark's.
func checkOutside(b *testing.B, data string, n int, arm, operation string) {
	mine := [2]string{arm, operation}
	for try := 0; sampled[mine] == 0; try++ {
		if try == 20 {
			b.Fatal("the machine is too busy: the operation is over before its beginning is heard of")
		}
		dir, err := os.MkdirTemp(data, ".check-")
		if err != nil {
			b.Fatal(err)
		}
		r := round{N: n, Dir: dir}
		for _, i := range rand.Perm(len(subjects)) {
			r.Arms = append(r.Arms, subjects[i].name)
		}
		samples, err := timeRound(b, r)
		if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
			b.Fatal(err)
		}
		maps.Copy(samples, sampled) // what was taken first is reported first
		sampled = samples
	}
	b.ReportMetric(float64(sampled[mine]), "ns/op")
	delete(sampled, mine)
}

// timeRound has a process take a round, and returns what the operations took, but for
// those that were over before the parent woke up.
func timeRound(tb testing.TB, r round) (map[[2]string]time.Duration, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(tb.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), checkVariable+"="+string(text))
	var why strings.Builder
	cmd.Stderr = &why
	says, err := cmd.StdoutPipe()
	if err := errors.Join(err, cmd.Start()); err != nil {
		return nil, err
	}
	samples, err := listen(says, r.Arms)
	if died := cmd.Wait(); died != nil { // why it ended is worth more than that it said too little
		return nil, fmt.Errorf("%w: %s", died, why.String())
	}
	return samples, err
}

// listen times what a process says of a round of arms.
func listen(says io.Reader, arms []string) (map[[2]string]time.Duration, error) {
	samples := map[[2]string]time.Duration{}
	heard := make([]byte, 2)
	for _, arm := range arms {
		for _, operation := range operations {
			n, err := says.Read(heard)
			start := time.Now()
			if err != nil {
				return nil, err
			}
			if n == 2 {
				continue
			}
			if _, err := io.ReadFull(says, heard[1:]); err != nil {
				return nil, err
			}
			samples[[2]string{arm, operation}] = time.Since(start)
		}
	}
	return samples, nil
}

// A round does what it says and leaves the stores.
func TestCheckRound(t *testing.T) {
	r := round{N: 20, Dir: t.TempDir()}
	for _, s := range subjects {
		r.Arms = append(r.Arms, s.name)
	}
	if _, err := timeRound(t, r); err != nil {
		t.Fatal(err)
	}
	for i, s := range subjects {
		if err := newTask(s, r.N).do("read", filepath.Join(r.Dir, fmt.Sprint(i))); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	if err := takeRound(string(text), &said); err != nil || said.String() != strings.Repeat("be", len(subjects)*len(operations)) {
		t.Errorf("it says %q, %v", said.String(), err)
	}
	for want, r := range map[string]round{
		`no arm "nobody"`: {Arms: []string{"nobody"}},
		"nowhere":         {Arms: []string{"blob"}, N: 20, Dir: filepath.Join(t.TempDir(), "nowhere")},
	} {
		if _, err := timeRound(t, r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", r, err, want)
		}
	}
}

func TestCheckListens(t *testing.T) {
	of := func(operation string) [2]string { return [2]string{"blob", operation} }
	for _, c := range []struct {
		says string // with a second before each word
		want map[[2]string]time.Duration
	}{
		{"b e b e b e", map[[2]string]time.Duration{of("write"): time.Second, of("read"): time.Second, of("gets"): time.Second}},
		{"b e be b  e", map[[2]string]time.Duration{of("write"): time.Second, of("gets"): 2 * time.Second}},
		{"b e b e b", nil},
		{"", nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			hear, says := io.Pipe()
			go func() {
				for word := range strings.SplitSeq(c.says, " ") {
					time.Sleep(time.Second)
					io.WriteString(says, word)
				}
				says.Close()
			}()
			if got, err := listen(hear, []string{"blob"}); !maps.Equal(got, c.want) || (err == nil) != (c.want != nil) {
				t.Errorf("%q: %v, %v, want %v", c.says, got, err, c.want)
			}
			time.Sleep(time.Minute) // until nothing more is said
		})
	}
}
