package blob

import "sync"

// sequence uses results in their order while several goroutines make them. There
// is no goroutine for it: whoever brings the result that is due uses it, and those
// that wait behind it, while the others go on. Handing over to another goroutine
// would cost more than the use itself.
type sequence[J any] struct {
	use func(*J) error // one call at a time

	mu    sync.Mutex
	moved *sync.Cond // next or err has changed
	next  int        // number of the result that is due
	busy  bool       // someone is in use
	ring  []*J       // results from next on, nil where not made yet
	free  []*J
	err   error
}

func newSequence[J any](workers int, use func(*J) error) *sequence[J] {
	s := &sequence[J]{use: use, ring: make([]*J, 2*workers+2)}
	s.moved = sync.NewCond(&s.mu)
	return s
}

// item returns one that was used before, or a new one.
func (s *sequence[J]) item() *J {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		j := s.free[n-1]
		s.free = s.free[:n-1]
		return j
	}
	return new(J)
}

// put brings result i. It waits while i is too far ahead of the one that is due,
// and returns the first error of all.
func (s *sequence[J]) put(i int, j *J) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil && i-s.next >= len(s.ring) {
		s.moved.Wait()
	}
	s.ring[i%len(s.ring)] = j
	for s.err == nil && !s.busy {
		due := s.ring[s.next%len(s.ring)]
		if due == nil {
			break
		}
		s.ring[s.next%len(s.ring)] = nil
		s.busy = true
		s.mu.Unlock()
		err := s.use(due)
		s.mu.Lock()
		s.busy = false
		s.next++
		s.free = append(s.free, due)
		s.fail(err)
	}
	return s.err
}

// stop makes put return err from now on, if it is the first.
func (s *sequence[J]) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail(err)
}

// failed returns the first error so far.
func (s *sequence[J]) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *sequence[J]) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.moved.Broadcast()
}
