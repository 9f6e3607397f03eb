package labkit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// What cannot be told apart inside one process is measured in a child: this
// program, started again with an environment variable that names one arm's turn.
// The same code runs in it up to the sweep, which looks for the variable, takes
// that turn, leaves its result in a file and ends. So it works for a cell of a
// notebook, where there is no other program at hand, as it does for a command.

// turnVariable is the environment variable that makes a process a child; it
// holds a Turn as JSON.
const turnVariable = "SHELFLAB_TURN"

// ErrChild says that a turn in a process of its own failed: the process could
// not be started, ended with an error, was killed, or left no result.
var ErrChild = errors.New("in a process of its own")

// Turn is what a child is to do.
type Turn struct {
	Arm    string `json:"arm"`
	N      int    `json:"n"`      // records
	Number int    `json:"number"` // of the round, from 0
	Dir    string `json:"dir"`    // where the arm makes its store
	Result string `json:"result"` // the file that the samples go to
}

// ChildTurn returns the turn for which this process was started as a child; ok
// is false in every other process. A sweep asks it before anything else.
func ChildTurn() (turn Turn, ok bool) {
	text, ok := os.LookupEnv(turnVariable)
	if !ok || json.Unmarshal([]byte(text), &turn) != nil {
		return Turn{}, ok // a turn of no arm, which Take refuses
	}
	return turn, true
}

// Take takes the turn, of one of arms, and leaves its result for the parent.
// The process has nothing else to do then, and displays nothing. ctx is that of
// Context, so that the child ends with its parent.
func (t Turn) Take(ctx context.Context, arms []Arm) error {
	at := slices.IndexFunc(arms, func(a Arm) bool { return a.Name == t.Arm })
	if at < 0 {
		return fmt.Errorf("%w: the program that was started again has no arm %q", ErrChild, t.Arm)
	}
	r := &Round{N: t.N, Number: t.Number, clock: Monotonic, instrument: &resources{}}
	samples, err := Lab{Dir: t.Dir}.turn(ctx, arms[at], r)
	if err != nil {
		return err
	}
	text, err := json.Marshal(taken{samples, r.unmeasured})
	if err != nil {
		return err
	}
	return os.WriteFile(t.Result, text, 0o600)
}

// Again says how this program is started again for a turn. The zero value
// repeats its own arguments.
type Again struct {
	Args  []string // with which it comes to the same sweep; nil is os.Args[1:]
	Unset []string // environment variables that a child must not have
}

// MeasureResources measures what the arms take besides time, at n records, each
// turn in a process of its own: memory, allocations, collections of garbage and
// bytes written, of the metrics of ResourceMetrics. Rounds, order, Keep and
// errors are those of Measure, without a warm-up: every process begins cold.
// What this system does not tell comes back as Unmeasured.
func (l Lab) MeasureResources(ctx context.Context, n int, arms []Arm) ([]Series, []Unmeasured, error) {
	if _, ok := ChildTurn(); ok {
		return nil, nil, fmt.Errorf("%w: a child does not start another", ErrChild)
	}
	return l.special(ctx, n, 0, arms, l.inChild)
}

// childGrace is how long a child that was killed may leave its error output
// open, which a process of its own could hold.
const childGrace = 2 * time.Second

func (l Lab) inChild(ctx context.Context, arm Arm, r *Round) ([]Series, error) {
	got, err := l.child(ctx, Turn{Arm: arm.Name, N: r.N, Number: r.Number, Dir: l.Dir})
	r.unmeasured = got.Unmeasured
	return got.Series, err
}

// child has a child take the turn and returns what it has brought.
func (l Lab) child(ctx context.Context, turn Turn) (got taken, err error) {
	if err := os.MkdirAll(l.Dir, 0o755); err != nil {
		return got, err
	}
	file, err := os.CreateTemp(l.Dir, ".turn-*.json")
	if err != nil {
		return got, err
	}
	defer os.Remove(file.Name())
	if err := file.Close(); err != nil {
		return got, err
	}
	turn.Result = file.Name()
	order, err := json.Marshal(turn)
	if err != nil {
		return got, err
	}
	self, err := os.Executable()
	if err != nil {
		return got, fmt.Errorf("%w: %w", ErrChild, err)
	}
	args := l.Again.Args
	if args == nil {
		args = os.Args[1:]
	}
	cmd := exec.CommandContext(ctx, self, args...) // its output goes nowhere
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(l.Again.Unset, name)
	}), turnVariable+"="+string(order))
	var said tail
	cmd.Stderr, cmd.WaitDelay = &said, childGrace
	dieWithParent(cmd)
	// A child that dies with its parent dies with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return got, context.Cause(ctx)
		}
		return got, fmt.Errorf("%w: %w%s", ErrChild, err, said.text())
	}
	text, err := os.ReadFile(file.Name())
	if err == nil && len(text) == 0 {
		return got, fmt.Errorf("%w: it ended without a result, before it came to the sweep%s", ErrChild, said.text())
	}
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil {
		return got, fmt.Errorf("%w: %w", ErrChild, err)
	}
	return got, nil
}

// tail keeps the end of what is written to it.
type tail struct{ bytes.Buffer }

const tailSize = 2000 // bytes

func (t *tail) Write(p []byte) (int, error) {
	n, err := t.Buffer.Write(p)
	if over := t.Len() - tailSize; over > 0 {
		t.Next(over)
	}
	return n, err
}

// text is what was said last, behind a line break, "" if nothing was.
func (t *tail) text() string {
	if text := strings.TrimSpace(strings.ToValidUTF8(t.String(), "")); text != "" {
		return ", and said:\n" + text
	}
	return ""
}
