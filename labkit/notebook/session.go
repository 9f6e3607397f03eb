package notebook

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// What can end a cell from outside. Errors of [Session.Execute] wrap them.
var (
	// ErrKernelDied: the kernel's process ended while the cell ran. Nothing
	// more can be executed in the session.
	ErrKernelDied = errors.New("the kernel died")
	// ErrInput: the cell asked for input, which nobody is there to give.
	ErrInput = errors.New("the cell asks for input")
	// ErrTimeLimit: the cell ran longer than it may.
	ErrTimeLimit = errors.New("the cell ran out of time")
)

var errDied = errors.New("the kernel ended by itself")

const (
	// interruptGrace is how long an interrupted cell may take to end before
	// everything is killed: the time to note that what it measured is
	// incomplete.
	interruptGrace = 4 * time.Second
	// interruptEvery: a signal that arrives while the cell is being compiled
	// is lost, so it is sent again; the kernel passes one on to a program.
	interruptEvery = 200 * time.Millisecond
)

// Session is a running kernel. Its methods may be called from one goroutine at
// a time. Close it.
type Session struct {
	proc    *process
	wire    *wire
	stop    context.CancelFunc // ends the sockets' reads
	readers sync.WaitGroup

	mu       sync.Mutex            // guards what the readers fill
	requests map[string]*execution // by message id; old ones stay, their outputs may be late
	displays map[string][]*Output  // by display id, over all cells: updates change them
}

// execution is one request and what has come back for it.
type execution struct {
	onOutput func(*Output)
	over     chan struct{} // closed when the kernel has replied and published all outputs
	input    chan string   // prompts of the cell's questions

	// Guarded by the session's mutex.
	replied, idle bool
	out           collector
	count         int
}

// mark sets replied or idle, which come on two channels that are not in step.
func (ex *execution) mark(which *bool) {
	if was := ex.replied && ex.idle; was {
		return
	}
	*which = true
	if ex.replied && ex.idle {
		close(ex.over)
	}
}

// connect dials the kernel and waits until it answers and its outputs arrive.
func (s *Session) connect(ctx, life context.Context, conn connection) error {
	type dialed struct {
		w   *wire
		err error
	}
	ch := make(chan dialed, 1)
	go func() {
		w, err := dial(life, conn)
		ch <- dialed{w, err}
	}()
	drop := func() {
		if d := <-ch; d.w != nil {
			d.w.close()
		}
	}
	select {
	case d := <-ch:
		if d.err != nil {
			return d.err
		}
		s.wire = d.w
	case <-ctx.Done():
		go drop()
		return context.Cause(ctx)
	case <-s.proc.Dead:
		go drop()
		return errDied
	}
	s.read(s.wire.iopub, s.onIOPub)
	s.read(s.wire.shell, s.onReply)
	s.read(s.wire.stdin, s.onQuestion)

	// A subscription takes effect some time after it was sent, and outputs of
	// before are lost. So ask until an answer has come on both channels.
	for {
		ex, err := s.send("kernel_info_request", struct{}{}, nil)
		if err != nil {
			return err
		}
		select {
		case <-ex.over:
			return nil
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.proc.Dead:
			return errDied
		}
	}
}

// Execute runs one cell's code and returns all that it put out, also when the
// cell fails: then one of the outputs is of type error and err is nil. An err
// means that the cell was ended from outside, and wraps [ErrKernelDied],
// [ErrInput] or the cause for which ctx ended; the outputs up to there are
// returned with it. When ctx ends the cell is interrupted, and if that does not
// help within seconds the kernel is killed with all that it started.
//
// onOutput, if not nil, sees each output as it arrives, streams in pieces. The
// outputs returned are not copies: a later cell that updates a display changes
// them.
func (s *Session) Execute(ctx context.Context, code string, onOutput func(*Output)) ([]*Output, error) {
	ex, err := s.execute(ctx, code, onOutput)
	return s.outputsOf(ex), err
}

func (s *Session) execute(ctx context.Context, code string, onOutput func(*Output)) (*execution, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	ex, err := s.send("execute_request", map[string]any{
		"code": code, "silent": false, "store_history": true,
		"user_expressions": struct{}{}, "allow_stdin": false, "stop_on_error": true,
	}, onOutput)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKernelDied, err)
	}
	select {
	case <-ex.over:
		return ex, nil
	case <-s.proc.Dead:
		err = s.deathError()
	case prompt := <-ex.input:
		err = fmt.Errorf("%w (%q), and nobody is there to give it", ErrInput, prompt)
		s.end(ex)
	case <-ctx.Done():
		err = context.Cause(ctx)
		s.end(ex)
	}
	return ex, err
}

// end interrupts the running cell until it is over, or kills everything.
func (s *Session) end(ex *execution) {
	patience := time.After(interruptGrace)
	for {
		s.proc.interrupt()
		select {
		case <-ex.over:
			return
		case <-s.proc.Dead:
			s.proc.kill()
			return
		case <-patience:
			s.proc.kill()
			return
		case <-time.After(interruptEvery):
		}
	}
}

func (s *Session) deathError() error {
	how := s.proc.Err
	words := s.proc.lastWords()
	s.proc.kill() // and what it left behind
	err := ErrKernelDied
	if how != nil {
		err = fmt.Errorf("%w: %w", err, how)
	}
	if words != "" {
		err = fmt.Errorf("%w; its last words:\n%s", err, words)
	}
	return err
}

func (s *Session) send(msgType string, content any, onOutput func(*Output)) (*execution, error) {
	ex := &execution{onOutput: onOutput, over: make(chan struct{}), input: make(chan string, 1)}
	// The lock is held over sending, so that no answer comes before the entry.
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := s.wire.request(msgType, content)
	if err != nil {
		return nil, err
	}
	s.requests[id] = ex
	return ex, nil
}

// outputsOf returns what has come so far. The slice is a copy, the outputs not.
func (s *Session) outputsOf(ex *execution) []*Output {
	if ex == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Output(nil), ex.out.finish()...)
}

func (s *Session) countOf(ex *execution) int {
	if ex == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return ex.count
}

// Close ends the kernel and everything that it started, and removes the
// session's temporary folder. It may be called more than once.
func (s *Session) Close() {
	s.proc.kill()
	s.stop()
	if s.wire != nil {
		s.wire.close()
		s.readers.Wait()
	}
}
