package blob

import (
	"fmt"
	"hash/crc32"
	"iter"
	"maps"
	"slices"
	"sync"
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
// time. It encodes on all cores and holds at most about four batches of records a
// worker, of 64 KiB in the file each, or of one record where that takes more, so a
// source of any length will do; the index, a key and 12 bytes for 4 KiB of records,
// stays in memory until the end.
//
// Keys must ascend strictly, byte by byte, else the error is [ErrOrder] and names
// the key; [Sorted] helps with a map. Any string of up to [MaxKey] bytes is a key,
// the empty one too; a longer one is [ErrKey]. An error of the source ends Pack,
// is wrapped in its error, and leaves what is at path as it was, like every error
// but the one that [Save] names. No records make an empty blob; a nil source is an
// error.
//
// The file replaces what is at path in the way that [Save] describes.
func Pack[V any](path string, records iter.Seq2[Entry[V], error], opts Options) error {
	return describe("pack", path, pack(path, records, opts))
}

func pack[V any](path string, records iter.Seq2[Entry[V], error], opts Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	if records == nil {
		return fmt.Errorf("%w: the source is nil", ErrOption)
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
	workers := opts.workers(maxWorkers)
	p := packer[V]{codec: c, out: newSequence(workers, func(b *batch[V]) error { return b.write(&w) })}
	if err := p.run(records, workers); err != nil {
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

// packer encodes batches on several goroutines and writes them in order.
type packer[V any] struct {
	codec *codec[V]
	out   *sequence[batch[V]]
	todo  chan numbered[V]
	group sync.WaitGroup
	size  atomic.Int64 // of a batch, records
}

type numbered[V any] struct {
	number int
	*batch[V]
}

// run takes records from the source, on the goroutine of the caller, and hands
// them to the other workers in batches; when those have enough to do, it encodes a
// batch itself.
func (p *packer[V]) run(records iter.Seq2[Entry[V], error], workers int) (err error) {
	p.size.Store(firstBatch)
	p.todo = make(chan numbered[V], workers-1)
	for range workers - 1 {
		p.group.Go(func() {
			for b := range p.todo {
				_ = p.encode(b) // the sequence keeps the error
			}
		})
	}
	// The source may panic: the goroutines must end all the same.
	defer func() {
		close(p.todo)
		p.group.Wait()
		if err == nil {
			err = p.out.failed()
		}
	}()
	return p.feed(records)
}

// feed fills batches. It ends early after an error of another goroutine.
func (p *packer[V]) feed(records iter.Seq2[Entry[V], error]) error {
	b := numbered[V]{0, p.out.item()}
	last, some := "", false
	for e, err := range records {
		switch {
		case err != nil:
			return fmt.Errorf("source: %w", err)
		case some && e.Key <= last:
			return fmt.Errorf("%w: %q after %q", ErrOrder, e.Key, last)
		case len(e.Key) > MaxKey:
			return fmt.Errorf("%w: %.40q… has %d bytes, and %d is the limit", ErrKey, e.Key, len(e.Key), MaxKey)
		}
		last, some = e.Key, true
		b.entries = append(b.entries, e)
		if len(b.entries) < int(p.size.Load()) {
			continue
		}
		if err := p.hand(b); err != nil {
			return err
		}
		b = numbered[V]{b.number + 1, p.out.item()}
	}
	if len(b.entries) > 0 {
		return p.hand(b)
	}
	return nil
}

// hand gives a batch to a worker that is idle, or else encodes it. The first one,
// which shows how large records are, it waits for.
func (p *packer[V]) hand(b numbered[V]) error {
	if b.number > 0 {
		select {
		case p.todo <- b:
			return p.out.failed()
		default:
		}
	}
	return p.encode(b)
}

func (p *packer[V]) encode(b numbered[V]) (err error) {
	b.bodies, b.ends = b.bodies[:0], b.ends[:0]
	for i := range b.entries {
		e := &b.entries[i]
		if b.bodies, err = p.codec.Append(b.bodies, &e.Value); err != nil {
			err = fmt.Errorf("key %q: %w", e.Key, err)
			p.out.stop(err)
			return err
		}
		b.ends = append(b.ends, len(b.bodies))
	}
	p.size.Store(int64(max(1, min(maxBatch, batchBytes*len(b.ends)/(len(b.bodies)+1)))))
	return p.out.put(b.number, b.batch)
}

// write puts a batch into blocks, and empties it.
func (b *batch[V]) write(w *blockWriter) error {
	start := 0
	for i, end := range b.ends {
		if err := w.add(b.entries[i].Key, b.bodies[start:end]); err != nil {
			return err
		}
		start = end
	}
	clear(b.entries) // lets go of the values
	b.entries = b.entries[:0]
	if cap(b.bodies) > 4*batchBytes {
		b.bodies = nil
	}
	return nil
}
