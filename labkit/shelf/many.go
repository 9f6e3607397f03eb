package shelf

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// manyAtOnce is how many keys GetMany looks up before it hands them out.
const manyAtOnce = 512

// GetMany yields the entries of keys, in the order of keys, some hundred looked up
// at once on all cores. A key that is missing comes with ErrNotFound, one that
// cannot be read with ErrCorrupt or ErrType; the others go on. The entries of one
// such run are of one moment.
func (s *Shelf[V]) GetMany(keys []string) iter.Seq2[Entry[V], error] {
	return func(yield func(Entry[V], error) bool) {
		for len(keys) > 0 {
			run := keys[:min(len(keys), manyAtOnce)]
			keys = keys[len(run):]
			entries, errs := s.getRun(run)
			for i, e := range entries {
				if errs[i] != nil {
					errs[i] = s.failKey("get", e.Key, errs[i])
				}
				if !yield(e, errs[i]) {
					return
				}
			}
		}
	}
}

func (s *Shelf[V]) getRun(keys []string) ([]Entry[V], []error) {
	entries, errs := make([]Entry[V], len(keys)), make([]error, len(keys))
	v, err := s.acquire()
	if err != nil {
		for i, key := range keys {
			entries[i].Key, errs[i] = key, err
		}
		return entries, errs
	}
	defer s.release(v)
	// Whoever is free takes the next few keys, so that a helper which gets no core
	// holds nobody up.
	const few = 16
	var next atomic.Int64
	look := func() {
		for {
			to := int(next.Add(few))
			for i := to - few; i < min(to, len(keys)); i++ {
				e := &entries[i]
				e.Key = keys[i]
				errs[i] = v.lookup(e.Key, func(stored []byte) (err error) {
					e.Value, err = s.decode(e.Key, stored)
					return err
				})
			}
			if to >= len(keys) {
				return
			}
		}
	}
	var helpers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0)-1, len(keys)/(4*few)) {
		helpers.Go(look)
	}
	look()
	helpers.Wait()
	return entries, errs
}
