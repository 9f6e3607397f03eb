package blob

import (
	"iter"
)

// runBytes is about how many bytes of blocks are read and decoded at a time.
const runBytes = 64 << 10

// All gives all records in the order of their keys. It decodes on all cores, two
// runs of 64 KiB a worker ahead (or of one record, where that takes more), so memory
// does not grow with the blob. The first error, such as a damaged block, is given with
// a zero Entry and ends the iteration; every record before it was right. Leaving
// the loop early is fine, and so are several iterations at once.
func (b *Indexed[V]) All() iter.Seq2[Entry[V], error] {
	return func(yield func(Entry[V], error) bool) {
		err := b.runs(func(r *run[V]) bool {
			for i, key := range r.keys {
				if !yield(Entry[V]{Key: key, Value: r.values[i]}, nil) {
					return false
				}
			}
			return true
		})
		if err != nil {
			yield(Entry[V]{}, describe("read", b.path, err))
		}
	}
}

// Verify reads and decodes every record. It is nil if all of them are whole and in
// order.
func (b *Indexed[V]) Verify() error {
	return describe("verify", b.path, b.runs(func(*run[V]) bool { return true }))
}

// Keys gives all keys in order. It reads the whole file, but decodes no value. An
// error is given with an empty key and ends the iteration.
func (b *Indexed[V]) Keys() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		r, total := new(run[V]), 0
		for next := 0; next < b.index.len(); {
			r.reset()
			err := b.readRun(r, next)
			if err == nil {
				err = b.collectRun(r)
			}
			if err != nil {
				yield("", describe("read", b.path, err))
				return
			}
			for _, key := range r.keys {
				if !yield(key, nil) {
					return
				}
			}
			total += len(r.keys)
			next = r.to
		}
		if err := b.checkEnd(total); err != nil {
			yield("", describe("read", b.path, err))
		}
	}
}

// runs decodes the whole file and gives use one run after the other, on the
// goroutine of the caller, which decodes too while the run that is due is not
// there yet.
func (b *Indexed[V]) runs(use func(*run[V]) bool) error {
	pieces, next, total := 1+b.index.len()*blockBytes/runBytes, 0, 0
	read := func(r *run[V]) (more bool, err error) {
		if next == b.index.len() {
			return false, nil
		}
		err = b.readRun(r, next)
		next = r.to
		return true, err
	}
	a := newAhead(b.opts.workers(pieces), read, b.makeRun)
	defer a.stop() // also when the loop's body panics
	for {
		r, err := a.take()
		if err != nil {
			return err
		}
		if r == nil {
			break
		}
		total += len(r.keys)
		if !use(r) {
			return nil
		}
		r.reset()
		a.release(r)
	}
	return b.checkEnd(total)
}

// checkEnd is the last check of an iteration that has met so many records.
func (b *Indexed[V]) checkEnd(total int) error {
	if b.closed.Load() {
		return ErrClosed
	}
	if total != b.records {
		return corrupt("%d records, and %d by the header", total, b.records)
	}
	return nil
}

func (b *Indexed[V]) makeRun(r *run[V]) error {
	if err := b.collectRun(r); err != nil {
		return err
	}
	return b.decoder.decode(r)
}

// readRun reads blocks from the given one on, until they are a run.
func (b *Indexed[V]) readRun(r *run[V], from int) error {
	start, to := b.index.offset(from), from+1
	for to < b.index.len() && b.index.until(to)-start <= runBytes {
		to++
	}
	r.from, r.to, r.frames = from, to, sized(r.frames, int(b.index.until(to-1)-start))
	return readFull(b.file, r.frames, start)
}

// collectRun checks the blocks of r and takes them apart. That the runs are in order
// it can tell from each of them alone: the index has the key that the next one must
// begin with.
func (b *Indexed[V]) collectRun(r *run[V]) error {
	frames := r.frames
	for i := r.from; i < r.to; i++ {
		length, before := b.index.length(i), len(r.keys)
		payload, count, err := openFrame(frames[:length], b.index.offset(i))
		if err != nil {
			return err
		}
		if err := b.decoder.collect(r, payload); err != nil {
			return err
		}
		if n := len(r.keys) - before; n != count || n == 0 || r.keys[before] != string(b.index.first(i)) {
			return corrupt("the block at byte %d is not what the index says", b.index.offset(i))
		}
		frames = frames[length:]
	}
	if last := r.keys[len(r.keys)-1]; r.to < b.index.len() && last >= string(b.index.first(r.to)) {
		return corrupt("key %.80q before %.80q", last, b.index.first(r.to))
	}
	return nil
}
