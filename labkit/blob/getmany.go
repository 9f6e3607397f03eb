package blob

import (
	"slices"

	"golang.org/x/sync/errgroup"
)

// keysAlone is how many keys one goroutine finds faster than several do.
const keysAlone = 64

// GetMany returns the values at keys, which may come in any order. A key without a
// record is not in the result, and no error. Where keys lie close to each other it
// is faster than as many Gets, and many keys are read on all cores.
func (b *Indexed[V]) GetMany(keys []string) (map[string]V, error) {
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	values, found := make([]V, len(keys)), make([]bool, len(keys))
	workers := b.opts.workers(1 + len(keys)/keysAlone)
	var group errgroup.Group
	for w := range workers {
		from, to := w*len(keys)/workers, (w+1)*len(keys)/workers
		group.Go(func() error { return b.getSorted(keys[from:to], values[from:to], found[from:to]) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	result := make(map[string]V, len(keys))
	for i, key := range keys {
		if found[i] {
			result[key] = values[i]
		}
	}
	return result, nil
}

// getSorted reads each block that keys lie in once.
func (b *Indexed[V]) getSorted(keys []string, values []V, found []bool) error {
	buf := b.buffer()
	defer b.recycle(buf)
	var payload []byte
	have := -1
	for i, key := range keys {
		at := b.blockOf(key)
		if at < 0 {
			if b.closed.Load() {
				return b.keyError(key, ErrClosed)
			}
			continue
		}
		if at != have {
			var err error
			if payload, err = b.readBlock(at, buf); err != nil {
				return b.keyError(key, err)
			}
			have = at
		}
		err := search(payload, key, func(body []byte) error { return b.decoder.one(body, &values[i]) })
		if err != nil && err != ErrNotFound {
			return b.keyError(key, err)
		}
		found[i] = err == nil
	}
	return nil
}
