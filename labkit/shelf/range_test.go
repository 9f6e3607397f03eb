package shelf_test

import (
	"fmt"
	"sync"
	"testing"

	"shelflab/labkit/shelf"
)

const rangeN = 5000 // more than a scan has in flight

func loaded(t *testing.T) *shelf.Shelf[record] {
	t.Helper()
	s := open[record](t, t.TempDir(), shelf.Options{})
	must(t, s.PutAll(samples(0, rangeN)))
	return s
}

func TestLeavingALoop(t *testing.T) {
	s := loaded(t)
	for _, stop := range []int{0, 1, 255, 256, 1000, rangeN - 1} {
		n := 0
		for _, err := range s.All() {
			must(t, err)
			if n == stop {
				break
			}
			n++
		}
		func() {
			defer func() {
				if recover() != "enough" {
					t.Error("the panic of a loop's body was lost")
				}
			}()
			for range s.All() {
				panic("enough")
			}
		}()
		for range s.Keys() {
			break
		}
	}
	must(t, s.Put("after", sample(1)))
	must(t, s.Close()) // nothing is left open
}

func TestWritingWhileRanging(t *testing.T) {
	s := loaded(t)
	n := 0
	for e, err := range s.All() {
		must(t, err)
		switch n % 3 {
		case 0:
			must(t, s.Put(e.Key, record{ID: -1}))
		case 1:
			must(t, s.Delete(e.Key))
		case 2:
			must(t, s.Put(e.Key+"+", e.Value)) // behind the loop: it is not to meet it
		}
		if e.Value.ID != n {
			t.Fatalf("record %d came as number %d", e.Value.ID, n)
		}
		n++
		if n == rangeN/2 {
			must(t, s.Compact())
		}
	}
	if n != rangeN {
		t.Errorf("%d entries of %d", n, rangeN)
	}
	if got, err := s.Len(); err != nil || got != rangeN/3+1+rangeN/3+rangeN/3 {
		t.Errorf("Len = %d, %v", got, err)
	}
}

func TestClosingWhileRanging(t *testing.T) {
	s := loaded(t)
	n := 0
	for _, err := range s.All() {
		if err != nil {
			wants(t, err, shelf.ErrClosed, s.Path())
			break
		}
		if n++; n == 300 {
			must(t, s.Close())
		}
	}
	if n != 300 {
		t.Errorf("%d entries, closed after 300", n)
	}
}

func TestNestedLoops(t *testing.T) {
	s := open[int](t, t.TempDir(), shelf.Options{})
	for i := range 20 {
		must(t, s.Put(keyOf(i), i))
	}
	n := 0
	for _, err := range s.All() {
		must(t, err)
		for _, err := range s.All() {
			must(t, err)
			n++
		}
	}
	if n != 400 {
		t.Errorf("%d pairs", n)
	}
}

// PutAll from a shelf into itself and into another, and a source that uses the
// shelf that it feeds.
func TestPutAllFromAShelf(t *testing.T) {
	s := loaded(t)
	other := open[record](t, t.TempDir(), shelf.Options{})
	must(t, other.PutAll(s.All()))
	sameMap(t, contents(t, s), contents(t, other))
	must(t, s.PutAll(s.All()))
	must(t, s.PutAll(func(yield func(shelf.Entry[record], error) bool) {
		for e, err := range s.Prefix("id_0000") {
			must(t, err)
			must(t, s.Put("own", sample(3)))
			e.Key = "copy of " + e.Key
			if !yield(e, nil) {
				return
			}
			if e.Value.ID == 500 {
				must(t, s.Compact())
			}
		}
	}))
	if n, err := s.Len(); n != rangeN+1000+1 || err != nil {
		t.Errorf("Len = %d, %v", n, err)
	}
}

func TestPutAllSourcePanics(t *testing.T) {
	s := open[record](t, t.TempDir(), shelf.Options{})
	func() {
		defer func() {
			if recover() != "source" {
				t.Error("the panic was lost")
			}
		}()
		must(t, s.PutAll(func(yield func(shelf.Entry[record], error) bool) {
			samples(0, 3000)(yield)
			panic("source")
		}))
	}()
	must(t, s.Put("after", sample(1)))
	must(t, s.Close())
}

func TestConcurrentUse(t *testing.T) {
	s := open[int](t, t.TempDir(), shelf.Options{})
	const workers, steps, counters = 8, 150, 3
	for c := range counters {
		must(t, s.Put(fmt.Sprint("counter", c), 0))
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			own := fmt.Sprint("own", w)
			for i := range steps {
				must(t, s.Put(own, i))
				check(t, s, own, i) // one's own writes show at once
				must(t, s.Update(fmt.Sprint("counter", i%counters), func(n *int) error { *n++; return nil }))
				switch i % 50 {
				case 10:
					if _, err := s.Len(); err != nil {
						t.Error(err)
					}
				case 20:
					if w == 0 {
						must(t, s.Compact())
					}
				case 30:
					for _, err := range s.All() {
						must(t, err)
					}
				}
			}
		})
	}
	wg.Wait()
	total := 0
	for c := range counters {
		n, err := s.Get(fmt.Sprint("counter", c))
		must(t, err)
		total += n
	}
	if total != workers*steps {
		t.Errorf("%d updates were counted of %d", total, workers*steps)
	}
	// Of many that put if absent, one wins.
	won := make(chan int, workers)
	for w := range workers {
		wg.Go(func() {
			ok, err := s.PutIfAbsent("prize", w)
			must(t, err)
			if ok {
				won <- w
			}
		})
	}
	wg.Wait()
	if len(won) != 1 {
		t.Fatalf("%d won", len(won))
	}
	check(t, s, "prize", <-won)
}

func TestCloseDuringUse(t *testing.T) {
	s := loaded(t)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				var err error
				switch i % 4 {
				case 0:
					err = s.Put(keyOf(w), sample(w))
				case 1:
					_, err = s.Get(keyOf(w))
				case 2:
					for _, err = range s.All() {
						if err != nil {
							break
						}
					}
				case 3:
					err = s.PutAll(samples(0, 100))
				}
				if err != nil {
					wants(t, err, shelf.ErrClosed)
					return
				}
			}
		})
	}
	for range 300 {
		_, err := s.Get(keyOf(1))
		must(t, err)
	}
	must(t, s.Close())
	wg.Wait()
	if n, err := open[record](t, s.Path(), shelf.Options{Mode: shelf.ReadOnly}).Len(); n != rangeN || err != nil {
		t.Errorf("Len = %d, %v", n, err)
	}
}
