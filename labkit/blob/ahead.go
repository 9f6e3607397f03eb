package blob

import "sync"

// ahead makes results in order on several goroutines, ahead of the one that takes
// them, but never more than a few. The one that takes works too: while the result
// that is due is not there yet, it makes another.
type ahead[J any] struct {
	claim func(*J) (more bool, err error) // begins the next result; one call at a time
	make  func(*J) error                  // finishes it

	claiming sync.Mutex // held around claim
	mu       sync.Mutex // of what follows
	moved    *sync.Cond
	claimed  int         // results begun
	taken    int         // results taken
	ring     []result[J] // results from taken on
	free     []*J
	over     bool // no more are begun
	workers  sync.WaitGroup
}

type result[J any] struct {
	item *J
	err  error
	made bool
}

func newAhead[J any](workers int, claim func(*J) (bool, error), finish func(*J) error) *ahead[J] {
	a := &ahead[J]{claim: claim, make: finish, ring: make([]result[J], 2*workers)}
	a.moved = sync.NewCond(&a.mu)
	for range workers - 1 {
		a.workers.Go(func() {
			for a.step() || a.wait(func() bool { return a.over || a.hasRoom() }) {
			}
		})
	}
	return a
}

func (a *ahead[J]) hasRoom() bool { return a.claimed-a.taken < len(a.ring) }

// step makes one result, if one may be begun.
func (a *ahead[J]) step() bool {
	a.claiming.Lock()
	a.mu.Lock()
	if a.over || !a.hasRoom() {
		a.mu.Unlock()
		a.claiming.Unlock()
		return false
	}
	i, j := a.claimed, new(J)
	if n := len(a.free); n > 0 {
		j, a.free = a.free[n-1], a.free[:n-1]
	}
	a.mu.Unlock()
	more, err := a.claim(j)
	a.mu.Lock()
	if more || err != nil {
		a.claimed++
	}
	a.over = a.over || !more || err != nil
	a.mu.Unlock()
	a.claiming.Unlock()
	if more && err == nil {
		err = a.make(j)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if more || err != nil {
		a.ring[i%len(a.ring)] = result[J]{j, err, true}
		a.over = a.over || err != nil
	}
	a.moved.Broadcast()
	return more
}

// wait waits until the condition holds, and says whether there may be more to do.
func (a *ahead[J]) wait(until func() bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for !until() {
		a.moved.Wait()
	}
	return !a.over
}

// take returns the next result, or nil after the last one. After an error there
// is nothing more to take.
func (a *ahead[J]) take() (*J, error) {
	for {
		a.mu.Lock()
		if due := &a.ring[a.taken%len(a.ring)]; due.made {
			r := *due
			*due = result[J]{}
			a.taken++
			a.moved.Broadcast()
			a.mu.Unlock()
			return r.item, r.err
		}
		if a.over && a.taken == a.claimed {
			a.mu.Unlock()
			return nil, nil
		}
		a.mu.Unlock()
		if !a.step() {
			a.wait(func() bool {
				return a.ring[a.taken%len(a.ring)].made || a.over && a.taken == a.claimed
			})
		}
	}
}

// release makes the memory of a result free for another.
func (a *ahead[J]) release(j *J) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.free = append(a.free, j)
}

// stop ends the workers, and returns when they have ended.
func (a *ahead[J]) stop() {
	a.mu.Lock()
	a.over = true
	a.moved.Broadcast()
	a.mu.Unlock()
	a.workers.Wait()
}
