package notebook

import (
	"context"
	"encoding/json"
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

// sessionState is what the goroutines that read from the kernel share with the
// one that executes.
type sessionState struct {
	readers  sync.WaitGroup
	mu       sync.Mutex
	requests map[string]*execution // by message id; old ones stay, their outputs may be late
	displays map[string][]*Output  // by display id, over all cells: updates change them
}

func (st *sessionState) init() {
	st.requests = map[string]*execution{}
	st.displays = map[string][]*Output{}
}

// execution is one request and what has come back for it.
type execution struct {
	onOutput func(*Output)
	replied  chan struct{} // closed on the shell reply
	idle     chan struct{} // closed when the kernel has published all outputs
	input    chan string   // prompts of the cell's questions

	// Guarded by the session's mutex.
	out   collector
	count int
}

func newExecution(onOutput func(*Output)) *execution {
	return &execution{
		onOutput: onOutput,
		replied:  make(chan struct{}), idle: make(chan struct{}), input: make(chan string, 1),
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
	case <-s.proc.dead:
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
		case <-ex.idle:
			return nil
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.proc.dead:
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
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	ex, err := s.send("execute_request", map[string]any{
		"code": code, "silent": false, "store_history": true,
		"user_expressions": struct{}{}, "allow_stdin": false, "stop_on_error": true,
	}, onOutput)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKernelDied, err)
	}
	done := ex.done()
	select {
	case <-done:
		return ex, nil
	case <-s.proc.dead:
		err = s.deathError()
	case prompt := <-ex.input:
		err = fmt.Errorf("%w (%q), and nobody is there to give it", ErrInput, prompt)
		s.end(done)
	case <-ctx.Done():
		err = context.Cause(ctx)
		s.end(done)
	}
	return ex, err
}

// done is closed when the cell is over: the kernel says so on both channels,
// which are not in step with each other.
func (ex *execution) done() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		<-ex.replied
		<-ex.idle
		close(done)
	}()
	return done
}

// end interrupts the running cell until it is over, or kills everything.
func (s *Session) end(done <-chan struct{}) {
	patience := time.After(interruptGrace)
	for {
		s.proc.interrupt()
		select {
		case <-done:
			return
		case <-s.proc.dead:
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
	how := s.proc.err
	words := s.proc.lastWords()
	s.proc.kill() // what it left behind
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
	ex := newExecution(onOutput)
	// The lock is held over sending, so that no answer comes before the entry.
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	id, err := s.wire.request(msgType, content)
	if err != nil {
		return nil, err
	}
	s.state.requests[id] = ex
	return ex, nil
}

// outputsOf returns what has come so far. The slice is a copy, the outputs not.
func (s *Session) outputsOf(ex *execution) []*Output {
	if ex == nil {
		return nil
	}
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	return append([]*Output(nil), ex.out.finish()...)
}

func (s *Session) countOf(ex *execution) int {
	if ex == nil {
		return 0
	}
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	return ex.count
}

// decodeInto reads a message's content; one that does not fit is left zero, as
// nothing sensible can be done about a kernel that breaks the protocol.
func decodeInto(m message, v any) { _ = json.Unmarshal(m.content, v) }
