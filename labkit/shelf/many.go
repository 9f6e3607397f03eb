package shelf

import (
	"iter"
	"runtime"
	"sync"
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
	look := func(from, to int) {
		for i := from; i < to; i++ {
			e := &entries[i]
			e.Key = keys[i]
			errs[i] = v.lookup(e.Key, func(stored []byte) (err error) {
				e.Value, err = s.decode(e.Key, stored)
				return err
			})
		}
	}
	const worthwhile = 32 // keys for a goroutine of their own
	workers := max(1, min(runtime.GOMAXPROCS(0), len(keys)/worthwhile))
	var helpers sync.WaitGroup
	share := (len(keys) + workers - 1) / workers
	for from := share; from < len(keys); from += share {
		helpers.Go(func() { look(from, min(from+share, len(keys))) })
	}
	look(0, min(share, len(keys)))
	helpers.Wait()
	return entries, errs
}
