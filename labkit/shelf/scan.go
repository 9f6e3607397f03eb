package shelf

import (
	"context"
	"iter"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"
)

// scanInFlight is how many bytes a scan has read and not handed out yet; a larger
// value goes alone.
const scanInFlight = 4 << 20

// scan yields the records between the bounds in key order, as they were when it
// was ranged over. One goroutine reads, several decode, the caller's hands out.
// The one that reads never runs the caller's code, so Close and Compact need not
// wait for a caller that takes its time.
func (s *Shelf[V]) scan(doing string, in bounds, keysOnly bool) iter.Seq2[Entry[V], error] {
	return func(yield func(Entry[V], error) bool) {
		if err := s.runScan(in, keysOnly, yield); err != nil {
			yield(Entry[V]{}, s.fail(doing, err))
		}
	}
}

func (s *Shelf[V]) runScan(in bounds, keysOnly bool, yield func(Entry[V], error) bool) error {
	r, err := s.openReader(in, keysOnly)
	if err != nil {
		return err
	}
	// A small shelf is one batch: no goroutine is worth it.
	first := r.next(nil)
	if first.last {
		r.close()
		s.decodeBatch(first)
		_, err := s.handOut(first, yield)
		return err
	}
	p := s.startPipeline(r, first)
	defer p.stop() // after a break, a return and a panic as well
	for b := range p.ordered {
		if b.taken.CompareAndSwap(false, true) {
			s.decodeBatch(b)
		} else {
			<-b.ready
		}
		more, err := s.handOut(b, yield)
		if err != nil || !more || b.last {
			return err
		}
		p.inFlight.Release(b.weight)
		select {
		case p.used <- b:
		default:
		}
	}
	return ErrClosed
}

// handOut yields a decoded batch; more is false when the caller has had enough.
func (s *Shelf[V]) handOut(b *batch[V], yield func(Entry[V], error) bool) (more bool, err error) {
	for i := range b.entries {
		if s.closed.Load() {
			return false, ErrClosed
		}
		var err error
		if b.errs != nil && b.errs[i] != nil {
			err = s.failKey("read", b.entries[i].Key, b.errs[i])
		}
		if !yield(b.entries[i], err) {
			return false, nil
		}
	}
	return true, b.err
}

// decodeBatch fills in the entries.
func (s *Shelf[V]) decodeBatch(b *batch[V]) {
	keys := string(b.keys) // one allocation for all
	if n := len(b.keyEnds); n <= cap(b.entries) {
		b.entries = b.entries[:n]
	} else {
		b.entries = make([]Entry[V], n, max(n, scanEntries))
	}
	keyStart, start := 0, 0
	for i := range b.entries {
		e := &b.entries[i]
		e.Key = keys[keyStart:b.keyEnds[i]]
		keyStart = b.keyEnds[i]
		if b.keysOnly {
			continue
		}
		var err error
		if e.Value, err = s.decode(e.Key, b.values[start:b.ends[i]]); err != nil {
			if b.errs == nil {
				b.errs = make([]error, len(b.entries))
			}
			b.errs[i] = err
		}
		start = b.ends[i]
	}
}

// pipeline reads and decodes ahead of the caller.
type pipeline[V any] struct {
	ordered  chan *batch[V] // in key order; closed after the last or when stopped
	work     chan *batch[V] // the same ones, to be decoded
	used     chan *batch[V] // handed out: their memory is free again
	inFlight *semaphore.Weighted
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

func (s *Shelf[V]) startPipeline(r *reader[V], first *batch[V]) *pipeline[V] {
	ctx, cancel := context.WithCancel(s.open) // Close ends it too
	helpers := max(1, min(runtime.GOMAXPROCS(0), 8)-1)
	p := &pipeline[V]{
		ordered:  make(chan *batch[V], 2*helpers),
		work:     make(chan *batch[V], 2*helpers),
		used:     make(chan *batch[V], 2*helpers+2),
		inFlight: semaphore.NewWeighted(scanInFlight),
		cancel:   cancel,
	}
	p.running.Go(func() {
		defer close(p.ordered)
		defer close(p.work)
		defer r.close()
		for b := first; p.pass(ctx, b) && !b.last; {
			select {
			case used := <-p.used:
				b = r.next(used)
			default:
				b = r.next(nil)
			}
		}
	})
	for range helpers {
		p.running.Go(func() {
			for b := range p.work {
				if ctx.Err() == nil && b.taken.CompareAndSwap(false, true) {
					s.decodeBatch(b)
					close(b.ready)
				}
			}
		})
	}
	return p
}

// pass hands b on; false when the scan was stopped.
func (p *pipeline[V]) pass(ctx context.Context, b *batch[V]) bool {
	b.weight = min(int64(len(b.keys)+len(b.values)), scanInFlight)
	if p.inFlight.Acquire(ctx, b.weight) != nil {
		return false
	}
	for _, to := range []chan *batch[V]{p.work, p.ordered} {
		select {
		case to <- b:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (p *pipeline[V]) stop() {
	p.cancel()
	p.running.Wait()
}
