package shelf

import (
	"bytes"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
)

const (
	scanEntries = 256
	scanBytes   = 128 << 10
)

// bounds of a scan, as keys in Badger: from inclusive, to exclusive.
type bounds struct{ from, to []byte }

// batch is a run of records in key order, and what became of them.
type batch[V any] struct {
	keys     []byte // one after the other
	keyEnds  []int
	values   []byte
	ends     []int
	keysOnly bool
	err      error // ended the reading, after these records
	last     bool
	weight   int64

	taken   atomic.Bool   // by a goroutine that decodes it
	ready   chan struct{} // closed when that one is done
	entries []Entry[V]
	errs    []error // nil if there is none
}

// reader is a Badger iterator over the records within bounds.
type reader[V any] struct {
	shelf    *Shelf[V]
	view     *view
	it       *badger.Iterator
	in       bounds
	keysOnly bool
}

func (s *Shelf[V]) openReader(in bounds, keysOnly bool) (_ *reader[V], err error) {
	v, err := s.acquire()
	if err != nil {
		return nil, err
	}
	r := &reader[V]{shelf: s, view: v, in: in, keysOnly: keysOnly}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	defer recovered(&err)
	o := badger.DefaultIteratorOptions
	// Prefetching starts a goroutine a value, which only pays for values in the
	// value log.
	o.PrefetchValues = false
	r.it = v.txn.NewIterator(o)
	r.it.Seek(in.from)
	return r, nil
}

// next reads a batch, into the memory of a used one if there is one. Damaged
// tables make Badger panic; that ends the scan.
func (r *reader[V]) next(used *batch[V]) (b *batch[V]) {
	b = &batch[V]{keysOnly: r.keysOnly, ready: make(chan struct{})}
	if used != nil {
		clear(used.entries) // gob decodes into zero values
		b.keys, b.keyEnds, b.values, b.ends, b.entries =
			used.keys[:0], used.keyEnds[:0], used.values[:0], used.ends[:0], used.entries[:0]
	}
	defer func() { b.last = b.last || b.err != nil }()
	defer recovered(&b.err)
	keep := func(stored []byte) error {
		b.values = append(b.values, stored...)
		return nil
	}
	for len(b.keyEnds) < scanEntries && len(b.keys)+len(b.values) < scanBytes {
		if !r.it.Valid() || bytes.Compare(r.it.Item().Key(), r.in.to) >= 0 {
			b.last = true
			return b
		}
		item := r.it.Item()
		b.keys = append(b.keys, item.Key()[1:]...)
		b.keyEnds = append(b.keyEnds, len(b.keys))
		if !r.keysOnly {
			if err := item.Value(keep); err != nil {
				b.values = b.values[:b.lastEnd()] // an empty value is an unreadable one
			}
			b.ends = append(b.ends, len(b.values))
		}
		r.it.Next()
	}
	return b
}

func (b *batch[V]) lastEnd() int {
	if n := len(b.ends); n > 0 {
		return b.ends[n-1]
	}
	return 0
}

func (r *reader[V]) close() {
	defer r.shelf.release(r.view)
	if r.it != nil {
		r.it.Close()
	}
}
