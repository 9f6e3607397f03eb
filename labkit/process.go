package labkit

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// Process is one beside a turn, as the turn sees it. One goroutine may listen to
// it while another one kills it.
type Process struct {
	cmd   *exec.Cmd
	lines *bufio.Reader
	from  *os.File
	to    *os.File
	said  Tail // on standard error
	ended chan struct{}
	died  error // once it has ended
}

// Start starts a process beside the turn that runs the arm's Beside, which finds
// what in its Task. It is killed when ctx ends, and when this process does. The
// caller ends it by End or Kill, whatever happens.
func (r *Round) Start(ctx context.Context, what string) (*Process, error) {
	task, err := json.Marshal(Task{Plan: r.plan, N: r.N, Arm: r.arm, Number: r.Number, Path: r.Path, What: what})
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrChild, err)
	}
	args := r.again.Args
	if args == nil {
		args = os.Args[1:]
	}
	p := &Process{cmd: exec.CommandContext(ctx, self, args...), ended: make(chan struct{})}
	p.cmd.Env = append(slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return name == turnVariable || slices.Contains(r.again.Unset, name)
	}), taskVariable+"="+string(task))
	p.cmd.Stderr = &p.said
	p.cmd.WaitDelay = childGrace
	DieWithParent(p.cmd)
	started := make(chan error)
	go func() {
		// It dies with its parent, and so with the thread that has started it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var err error
		p.from, p.to, err = startWithPipes(p.cmd)
		started <- err
		if err == nil {
			p.died = p.cmd.Wait()
			close(p.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%w: %w", ErrChild, err)
	}
	p.lines = bufio.NewReader(p.from)
	return p, nil
}

// Hear waits for a line of the process. ok is false when there is no more, since
// it has ended; a line that it has not finished counts for nothing.
func (p *Process) Hear() (line string, ok bool) {
	line, err := p.lines.ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err == nil
}

// Expect is Hear for a line that must come: another one, or the end, is an error
// that says what the process has said last.
func (p *Process) Expect(want string) error {
	line, ok := p.Hear()
	if ok && line == want {
		return nil
	}
	if ok {
		return fmt.Errorf("%w: it says %q, not %q", ErrChild, line, want)
	}
	<-p.ended
	return fmt.Errorf("%w: it ended before it said %q: %v%s", ErrChild, want, p.died, p.said.Text())
}

// Say writes a line to the process. That it is gone is no error here: Hear tells.
func (p *Process) Say(line string) error {
	_, err := io.WriteString(p.to, line+"\n")
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// Kill kills the process by SIGKILL, which it cannot notice, and waits until it is
// gone. What it has said can still be heard. One that has ended is left alone.
func (p *Process) Kill() {
	p.cmd.Process.Kill()
	<-p.ended
}

// Killed waits until the process is gone and returns nil if a signal has killed
// it, rather than an error of its own, which is ErrChild.
func (p *Process) Killed() error {
	<-p.ended
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		return nil
	}
	return fmt.Errorf("%w: it ended before it was killed: %v%s", ErrChild, p.died, p.said.Text())
}

// End tells the process that nothing more will be said, waits until it ends by
// itself and lets go of its pipes. A process that ends with an error is
// ErrChild, with what it has said last.
func (p *Process) End() error {
	p.to.Close()
	<-p.ended
	p.from.Close()
	if p.died != nil {
		return fmt.Errorf("%w: %w%s", ErrChild, p.died, p.said.Text())
	}
	return nil
}

// Close kills the process if it is still there and lets go of its pipes.
func (p *Process) Close() {
	p.Kill()
	p.to.Close()
	p.from.Close()
}
