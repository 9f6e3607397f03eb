package shelf

import (
	"iter"

	"github.com/dgraph-io/badger/v4"
)

// A batch of PutAll is one transaction. Its size is a compromise: larger ones cost
// less an entry, but what is in flight grows, and Badger allows about 600 kB.
const (
	batchEntries = 2_000
	batchBytes   = 256 << 10
)

// PutAll stores every entry of seq, some thousands in one transaction, which is
// several times faster than Put. Of entries with one key the last wins.
//
// It ends at the first error, of the source or its own. What came before the
// error, in the order of seq, is then stored up to some point, and nothing after
// that point: PutAll is atomic by batches, not as a whole. In PowerLoss durability
// everything is synced when PutAll returns, and a batch at a time before that.
//
// seq runs in the caller's goroutine and may use the shelf.
func (s *Shelf[V]) PutAll(seq iter.Seq2[Entry[V], error]) error {
	b := s.startBulk()
	key, err := func() (string, error) {
		defer b.finish() // after a panic of seq as well
		return b.fill(seq)
	}()
	if err == nil {
		err = b.err
	}
	if err != nil {
		return s.failKey("put all, at key", key, err)
	}
	return nil
}

// bulk encodes in one goroutine and commits in another.
type bulk[V any] struct {
	shelf   *Shelf[V]
	batches chan []pair
	failed  chan struct{} // closed with err set
	err     error
	done    chan struct{}

	pairs []pair
	arena []byte // what is left of the memory that pairs point into
	bytes int    // of pairs
}

func (s *Shelf[V]) startBulk() *bulk[V] {
	b := &bulk[V]{shelf: s, batches: make(chan []pair, 1), failed: make(chan struct{}), done: make(chan struct{})}
	go b.commitAll()
	return b
}

// fill takes the entries of seq; with an error goes the key that it came at.
func (b *bulk[V]) fill(seq iter.Seq2[Entry[V], error]) (key string, err error) {
	for e, err := range seq {
		if err == nil {
			err = b.add(&e)
		}
		if err != nil {
			return e.Key, err
		}
		key = e.Key
	}
	return key, b.flush()
}

func (b *bulk[V]) add(e *Entry[V]) error {
	if err := b.shelf.writable(); err != nil {
		return err
	}
	if b.arena == nil {
		b.arena = make([]byte, 0, batchBytes+batchBytes/8)
	}
	key, value, err := b.shelf.encodePair(b.arena, e.Key, &e.Value)
	if err != nil {
		return err
	}
	b.pairs = append(b.pairs, pair{key: key, value: value})
	b.arena = value[len(value):] // what is left; a larger array if append made one
	b.bytes += len(key) + len(value)
	if len(b.pairs) >= batchEntries || b.bytes >= batchBytes {
		return b.flush()
	}
	return nil
}

// flush hands the batch over. Its memory goes with it: Badger reads it until the
// commit returns, in the other goroutine.
func (b *bulk[V]) flush() error {
	if len(b.pairs) == 0 {
		return nil
	}
	select {
	case b.batches <- b.pairs:
		b.pairs, b.arena, b.bytes = make([]pair, 0, len(b.pairs)), nil, 0
		return nil
	case <-b.failed:
		return b.err
	}
}

// finish waits until what was handed over is committed; err is settled then.
func (b *bulk[V]) finish() {
	close(b.batches)
	<-b.done
}

func (b *bulk[V]) commitAll() {
	defer close(b.done)
	for pairs := range b.batches {
		if b.err != nil {
			continue // after the point
		}
		if b.err = b.commit(pairs); b.err != nil {
			close(b.failed)
		}
	}
}

func (b *bulk[V]) commit(pairs []pair) error {
	size := 0
	for _, p := range pairs {
		size += p.size()
	}
	return b.shelf.commit(size, reserve, func(txn *badger.Txn) error {
		for _, p := range pairs {
			if err := txn.Set(p.key, p.value); err != nil {
				return err
			}
		}
		return nil
	})
}
