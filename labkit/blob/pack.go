package blob

import (
	"fmt"
	"hash/crc32"
	"iter"
	"maps"
	"slices"
	"sync/atomic"

	"shelflab/labkit/gobwire"
)

// Entry is a value with its key: what Pack takes and All gives.
type Entry[V any] = gobwire.Entry[V]

// Sorted gives the records of m in the order that Pack needs. It collects the
// keys first; m must not change meanwhile.
func Sorted[V any](m map[string]V) iter.Seq2[Entry[V], error] {
	return func(yield func(Entry[V], error) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(Entry[V]{Key: key, Value: m[key]}, nil) {
				return
			}
		}
	}
}

// Pack writes records as an indexed blob at path, which Open reads a key at a
// time. It encodes on all cores and holds a few hundred kilobytes of records at a
// time, or a few records where one takes more, so a source of any length will do;
// the index, about 30 bytes for 4 KiB of records, stays in memory until the end.
//
// Keys must ascend strictly, byte by byte, else the error is [ErrOrder] and names
// the key; [Sorted] helps with a map. Any string of up to [MaxKey] bytes is a key,
// the empty one too; a longer one is [ErrKey]. An error of the source ends Pack,
// is wrapped in its error, and like every error leaves what is at path as it was.
// No records make an empty blob.
//
// The file replaces what is at path in the way that [Save] describes.
func Pack[V any](path string, records iter.Seq2[Entry[V], error], opts Options) error {
	return describe("pack", path, pack(path, records, opts))
}

func pack[V any](path string, records iter.Seq2[Entry[V], error], opts Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	c, err := codecOf[V]()
	if err != nil {
		return err
	}
	m, err := packMeta(c)
	if err != nil {
		return err
	}
	f, err := createAtomic(path, opts.Durability)
	if err != nil {
		return err
	}
	defer f.abandon()
	raw := m.encode()
	h := header{kind: kindIndexed, metaLength: uint32(len(raw)), metaSum: crc32.Checksum(raw, castagnoli)}
	if _, err := f.Write(append(make([]byte, headerSize), raw...)); err != nil {
		return err
	}
	w := blockWriter{file: f, at: h.framesAt()}
	if err := encodeInto(&w, c, records, opts.workers(1<<30)); err != nil {
		return err
	}
	if h.index, err = w.finish(); err != nil {
		return err
	}
	h.length, h.records = w.at, w.records
	if _, err := f.WriteAt(h.encode(), 0); err != nil {
		return err
	}
	return f.commit()
}

// batch is a run of records on its way into the file.
type batch[V any] struct {
	entries []Entry[V]
	bodies  []byte
	ends    []int // of each body in bodies
}

const (
	firstBatch = 16   // records, before their size is known
	maxBatch   = 1024 // records
	batchBytes = 64 << 10
)

// encodeInto takes records from the source, on the goroutine of the caller, has
// workers encode them, and another goroutine write them.
func encodeInto[V any](w *blockWriter, c *codec[V], records iter.Seq2[Entry[V], error], workers int) (err error) {
	o := newOrdered(workers, func() func(*batch[V]) error {
		return func(b *batch[V]) error { return b.encode(c) }
	})
	var size atomic.Int64 // of a batch, records
	size.Store(firstBatch)
	written := make(chan error, 1)
	go func() {
		err := writeBatches(w, o, &size)
		if err != nil {
			o.stop()
		}
		written <- err
	}()
	// The source may panic: the goroutines must end all the same.
	finished := false
	defer func() {
		if !finished || err != nil {
			o.stop()
		}
		if e := <-written; e != nil {
			err = e
		}
		o.wait()
	}()
	defer o.end()
	err = feed(o, records, &size)
	finished = true
	return err
}

// feed fills batches. It ends early, without an error of its own, when writing
// has failed.
func feed[V any](o *ordered[batch[V]], records iter.Seq2[Entry[V], error], size *atomic.Int64) error {
	b, ok := o.item()
	last, some := "", false
	for e, err := range records {
		switch {
		case !ok:
			return nil
		case err != nil:
			return fmt.Errorf("source: %w", err)
		case some && e.Key <= last:
			return fmt.Errorf("%w: %q after %q", ErrOrder, e.Key, last)
		case len(e.Key) > MaxKey:
			return fmt.Errorf("%w: %.40q… has %d bytes, and %d is the limit", ErrKey, e.Key, len(e.Key), MaxKey)
		}
		last, some = e.Key, true
		b.entries = append(b.entries, e)
		if len(b.entries) >= int(size.Load()) {
			o.add(b)
			b, ok = o.item()
		}
	}
	if ok && len(b.entries) > 0 {
		o.add(b)
	}
	return nil
}

func (b *batch[V]) encode(c *codec[V]) (err error) {
	b.bodies, b.ends = b.bodies[:0], b.ends[:0]
	for i := range b.entries {
		e := &b.entries[i]
		if b.bodies, err = c.Append(b.bodies, &e.Value); err != nil {
			return fmt.Errorf("key %q: %w", e.Key, err)
		}
		b.ends = append(b.ends, len(b.bodies))
	}
	return nil
}

// writeBatches writes what the workers have encoded, and sets the size of the
// batches by what they took.
func writeBatches[V any](w *blockWriter, o *ordered[batch[V]], size *atomic.Int64) error {
	for {
		b, err, ok := o.next()
		if !ok || err != nil {
			return err
		}
		start := 0
		for i, end := range b.ends {
			if err := w.add(b.entries[i].Key, b.bodies[start:end]); err != nil {
				return err
			}
			start = end
		}
		n := len(b.ends)
		size.Store(int64(max(1, min(maxBatch, batchBytes*n/(len(b.bodies)+1)))))
		clear(b.entries) // lets go of the values
		b.entries = b.entries[:0]
		if cap(b.bodies) > 4*batchBytes {
			b.bodies = nil
		}
		o.release(b)
	}
}
