package labkit

import (
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

// Again says how this program is started again for a turn. The zero value
// repeats its own arguments.
type Again struct {
	Args  []string // with which it comes to the same sweep; nil is os.Args[1:]
	Unset []string // environment variables that a child must not have
}

// childGrace is how long a child may take to end in good order once it was
// interrupted, and then to leave its error output open, which a process of its
// own could hold. A turn that is at hand for longer is lost: an interrupt is to
// stop a sweep within a second, and a notebook's kernel kills what does not stop.
const childGrace = 600 * time.Millisecond

// child has a child take the turn and passes on what it reports, until that
// returns an error, which is returned. Between a report and the end of handling
// it, the child waits. peak is the most that it had resident, in bytes, once it
// has ended.
func (l Lab) child(ctx context.Context, turn Turn, handle func(report) error) (peak int64, err error) {
	order, err := json.Marshal(turn)
	if err != nil {
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrChild, err)
	}
	args := l.Again.Args
	if args == nil {
		args = os.Args[1:]
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(inner, self, args...) // its output goes nowhere
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(l.Again.Unset, name)
	}), turnVariable+"="+string(order))
	if turn.DataLimit > 0 && runtime.GOMAXPROCS(0) > 2 {
		cmd.Env = append(cmd.Env, "GOMAXPROCS=2")
	}
	said := Tail{first: turn.DataLimit > 0} // Go's runtime says first why it ends a program
	cmd.Stderr = &said
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = childGrace
	DieWithParent(cmd)
	// A child that dies with its parent dies with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	reports, goOn, err := startWithPipes(cmd)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrChild, err)
	}
	defer reports.Close()
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		// What it has reported is there; something else may still hold the pipe.
		reports.SetReadDeadline(time.Now().Add(childGrace))
		ended <- err
	}()
	last, err := follow(inner, reports, goOn, handle)
	goOn.Close()
	if err != nil {
		stop()
	}
	died := <-ended
	switch {
	case ctx.Err() != nil && last.Failure != nil && errors.Is(last.Failure, ErrWrong): // worth knowing even now
		err = errors.Join(context.Cause(ctx), last.Failure)
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err != nil:
	case last.Failure != nil:
		err = last.Failure
	case died != nil:
		err = fmt.Errorf("%w: %w%s", ErrChild, died, said.Text())
	case last.Event != finished:
		err = fmt.Errorf("%w: it ended without a result, before it came to the sweep%s", ErrChild, said.Text())
	}
	return peakOf(cmd.ProcessState), err
}

// startWithPipes starts a child and returns the parent's ends of its pipes.
func startWithPipes(cmd *exec.Cmd) (reports, goOn *os.File, err error) {
	reports, reportsEnd, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer reportsEnd.Close()
	goOnEnd, goOn, err := os.Pipe()
	if err != nil {
		reports.Close()
		return nil, nil, err
	}
	defer goOnEnd.Close()
	cmd.ExtraFiles = []*os.File{reportsEnd, goOnEnd} // reportFile and goOnFile
	if err := cmd.Start(); err != nil {
		reports.Close()
		goOn.Close()
		return nil, nil, err
	}
	return reports, goOn, nil
}

// follow passes on what a child reports until there is no more, and tells it to
// go on. It returns the last report; a line that cannot be read is the end.
func follow(ctx context.Context, reports, goOn *os.File, handle func(report) error) (last report, err error) {
	lines := json.NewDecoder(reports)
	for {
		var r report
		if lines.Decode(&r) != nil {
			return last, nil
		}
		last = r
		if r.Event != begins && r.Event != ends {
			return last, nil
		}
		if err := handle(r); err != nil {
			return last, err
		}
		if ctx.Err() != nil { // the child need not know it yet
			return last, nil
		}
		if _, err := goOn.Write([]byte{'\n'}); err != nil { // the child is gone, and Wait says why
			return last, nil
		}
	}
}
