package blob

import "sync"

// ordered runs work on items on several goroutines and gives them back in the
// order in which they came. One goroutine adds items, another (or the same, when
// it knows that there are items) takes results; the number of items is fixed, and
// with it the memory.
type ordered[J any] struct {
	free    chan *J
	todo    chan *task[J]
	results chan *task[J]
	quit    chan struct{}
	stopped sync.Once
	running sync.WaitGroup
}

type task[J any] struct {
	item *J
	err  error
	done chan struct{}
}

// newOrdered starts the workers.
func newOrdered[J any](workers int, newWork func() func(*J) error) *ordered[J] {
	// Enough for a worker to go on while another's result is waited for.
	items := 2*workers + 1
	o := &ordered[J]{
		free:    make(chan *J, items),
		todo:    make(chan *task[J], items),
		results: make(chan *task[J], items),
		quit:    make(chan struct{}),
	}
	for range items {
		o.free <- new(J)
	}
	for range workers {
		o.running.Go(func() {
			work := newWork()
			for {
				select {
				case t, more := <-o.todo:
					if !more {
						return
					}
					t.err = work(t.item)
					close(t.done)
				case <-o.quit:
					return
				}
			}
		})
	}
	return o
}

// item waits for an item that is free. ok is false after stop.
func (o *ordered[J]) item() (item *J, ok bool) {
	select {
	case <-o.quit:
		return nil, false
	case item := <-o.free:
		return item, true
	}
}

// add hands an item to the workers.
func (o *ordered[J]) add(item *J) {
	t := &task[J]{item: item, done: make(chan struct{})}
	o.results <- t
	o.todo <- t
}

// end says that no more items come.
func (o *ordered[J]) end() {
	close(o.todo)
	close(o.results)
}

// next waits for the next item in order. ok is false after the last one and after
// stop.
func (o *ordered[J]) next() (item *J, err error, ok bool) {
	select {
	case t, more := <-o.results:
		if !more {
			return nil, nil, false
		}
		select {
		case <-t.done:
			return t.item, t.err, true
		case <-o.quit:
		}
	case <-o.quit:
	}
	return nil, nil, false
}

// release makes an item free again.
func (o *ordered[J]) release(item *J) { o.free <- item }

// stop makes all that wait give up; wait returns when the workers have.
func (o *ordered[J]) stop() { o.stopped.Do(func() { close(o.quit) }) }
func (o *ordered[J]) wait() { o.running.Wait() }
