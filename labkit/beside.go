package labkit

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
)

// Some turns take more than one process: one that is killed while it writes,
// several that use a store at once. Such a process is this program started again,
// as for a child, but it works beside the turn, which goes on: the arm's Beside
// runs in it, and the two talk in lines of text over two pipes.

// taskVariable is the environment variable that makes a process one beside a
// turn; it holds a Task as JSON.
const taskVariable = "SHELFLAB_TASK"

// Task is what a process beside a turn is to do.
type Task struct {
	Plan   string `json:"plan"`   // fingerprint of the plan that is measured
	N      int    `json:"n"`      // as in the turn
	Arm    string `json:"arm"`    // its name
	Number int    `json:"number"` // of the round, from 0; -1 is the warm-up
	Path   string `json:"path"`   // the arm's store
	What   string `json:"what"`   // in the arm's own words
}

// ChildTask returns the task for which this process was started beside a turn; ok
// is false in every other process. A sweep asks it before anything else.
func ChildTask() (task Task, ok bool) {
	text, ok := os.LookupEnv(taskVariable)
	if !ok || json.Unmarshal([]byte(text), &task) != nil {
		return Task{}, ok // a task of no arm, which Do refuses
	}
	return task, true
}

// Of tells whether the task is one of a plan's, at one of sizes: a program may
// hold more than one sweep.
func (t Task) Of(plan Plan, sizes ...int) bool {
	return t.Plan == plan.Fingerprint() && slices.Contains(sizes, t.N)
}

// Do does the task, by the Beside of one of arms. The process has nothing else to
// do then, and displays nothing. ctx is that of Context, so that the process ends
// with the one that has started it.
func (t Task) Do(ctx context.Context, arms []Arm) error {
	at := slices.IndexFunc(arms, func(a Arm) bool { return a.Name == t.Arm && a.Beside != nil })
	if at < 0 {
		return fmt.Errorf("%w: the program that was started again has no arm %q with work beside a turn", ErrChild, t.Arm)
	}
	if err := pipesThere(taskVariable); err != nil {
		return err
	}
	b := &Beside{Task: t, out: os.NewFile(reportFile, "says"), in: bufio.NewReader(os.NewFile(goOnFile, "hears"))}
	err := arms[at].Beside(ctx, b)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err) // the end of it is in the turn's error
	}
	return err
}

// pipesThere tells whether a parent has given this process its two pipes. What
// this process starts shall not have them: it might hold them open when this one
// has ended.
func pipesThere(variable string) error {
	for _, fd := range []int{reportFile, goOnFile} {
		var info syscall.Stat_t
		if err := syscall.Fstat(fd, &info); err != nil || info.Mode&syscall.S_IFMT != syscall.S_IFIFO {
			return fmt.Errorf("%w: no parent waits for it: %s is set, but not by a lab", ErrChild, variable)
		}
		syscall.CloseOnExec(fd)
	}
	return nil
}

// Beside is a process beside a turn, as its arm sees it there.
type Beside struct {
	Task
	out *os.File
	in  *bufio.Reader
}

// Say writes a line to the turn. It is ErrOrphaned if that is gone.
func (b *Beside) Say(line string) error {
	_, err := b.out.WriteString(line + "\n")
	if errors.Is(err, syscall.EPIPE) {
		return ErrOrphaned
	}
	return err
}

// Hear waits for a line from the turn. It is ErrOrphaned if that says no more.
func (b *Beside) Hear() (string, error) {
	line, err := b.in.ReadString('\n')
	if errors.Is(err, io.EOF) {
		return "", ErrOrphaned
	}
	return strings.TrimSuffix(line, "\n"), err
}
