package blob

import (
	"cmp"
	"iter"
	"slices"
	"sync"
)

const (
	// manyAtOnce is how many keys GetMany looks up before it hands them out.
	manyAtOnce = 512
	// keysAlone is how many keys one goroutine finds faster than several do.
	keysAlone = 64
)

// GetMany gives the entries of keys, in the order of keys, some hundred looked up
// at once on all cores. A key without a record comes with ErrNotFound, one that
// cannot be read with ErrCorrupt or ErrType; the others go on. Where keys lie close
// to each other it is faster than as many Gets.
func (b *Indexed[V]) GetMany(keys []string) iter.Seq2[Entry[V], error] {
	return func(yield func(Entry[V], error) bool) {
		for some := range slices.Chunk(keys, manyAtOnce) {
			for _, f := range b.findMany(some) {
				if !yield(f.Entry, f.err) {
					return
				}
			}
		}
	}
}

type found[V any] struct {
	Entry[V]
	err error
}

// findMany looks keys up in ascending order, so that a block that several lie in
// is read once.
func (b *Indexed[V]) findMany(keys []string) []found[V] {
	all := make([]found[V], len(keys))
	order := make([]*found[V], len(keys))
	for i, key := range keys {
		all[i].Key = key
		order[i] = &all[i]
	}
	slices.SortFunc(order, func(x, y *found[V]) int { return cmp.Compare(x.Key, y.Key) })
	workers := b.opts.workers(1 + len(keys)/keysAlone)
	var group sync.WaitGroup
	for part := range slices.Chunk(order, (len(keys)+workers-1)/workers) {
		group.Go(func() { b.findSorted(part) })
	}
	group.Wait()
	return all
}

func (b *Indexed[V]) findSorted(part []*found[V]) {
	buf := b.buffer()
	defer b.recycle(buf)
	var payload []byte
	var readErr error
	have := -1
	for _, f := range part {
		at := b.index.find(f.Key)
		if at >= 0 && at != have {
			payload, readErr = b.readBlock(at, buf)
			have = at
		}
		err := readErr
		switch {
		case at < 0:
			err = b.missing()
		case err == nil:
			err = search(payload, f.Key, func(body []byte) error { return b.decoder.one(body, &f.Value) })
		}
		if err != nil {
			var zero V
			f.Value, f.err = zero, b.keyError(f.Key, err)
		}
	}
}
