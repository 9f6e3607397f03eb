package shelf

import (
	"errors"
	"sync"

	"github.com/dgraph-io/badger/v4"
)

// Put stores value under key, in place of what was there. When it returns without
// an error the value survives what Options.Durability says; with an error, what
// was there before is still there, or, where the disk failed under the write,
// either of the two. The value is encoded during the call and may be changed
// afterwards.
//
// ErrKey: the key is longer than MaxKey. ErrType: gob cannot carry this value.
// ErrTooLarge: it is longer than MaxValue. ErrNoSpace: the disk is nearly full.
func (s *Shelf[V]) Put(key string, value V) error {
	if err := s.put(key, &value); err != nil {
		return s.failKey("put", key, err)
	}
	return nil
}

func (s *Shelf[V]) put(key string, value *V) error {
	p, err := s.prepare(key, value)
	if err != nil {
		return err
	}
	err = s.commit(p.size(), reserve, func(txn *badger.Txn) error { return txn.Set(p.key, p.value) })
	return p.freeAfter(err)
}

// pair is an entry as it goes into Badger.
type pair struct {
	key, value []byte
	buffer     *[]byte // pooled memory of both
}

func (p pair) size() int { return len(p.key) + len(p.value) }

// buffers are for pairs of one transaction. Badger copies what it is given, into
// its log and its memtable, and is done with that when the commit returns.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const maxPooled = 64 << 10

// freeAfter gives the memory back after a commit that went well; after another
// one, who knows what Badger still holds.
func (p pair) freeAfter(err error) error {
	if err == nil && cap(*p.buffer) <= maxPooled {
		buffers.Put(p.buffer)
	}
	return err
}

// prepare checks key and encodes the pair.
func (s *Shelf[V]) prepare(key string, value *V) (pair, error) {
	p := pair{buffer: buffers.Get().(*[]byte)}
	err := s.writable()
	if err == nil {
		p.key, p.value, err = s.encodePair((*p.buffer)[:0], key, value)
	}
	if err != nil {
		return pair{}, err
	}
	*p.buffer = p.key[:0]
	return p, nil
}

// encodePair appends the pair to dst, which must have an end of its own: key and
// value share its memory.
func (s *Shelf[V]) encodePair(dst []byte, key string, value *V) (k, v []byte, err error) {
	if err := checkKey(key); err != nil {
		return nil, nil, err
	}
	start := len(dst)
	dst = append(append(dst, keyPrefix), key...)
	middle := len(dst)
	dst, err = s.encode(dst, key, value)
	if err != nil {
		return nil, nil, err
	}
	return dst[start:middle], dst[middle:], nil
}

func (s *Shelf[V]) writable() error {
	switch {
	case s.closed.Load():
		return ErrClosed
	case s.readOnly():
		return ErrReadOnly
	case s.unsure.Load():
		return ErrUnsure
	}
	return nil
}

// write calls do with the current store, which stays the current one meanwhile.
func (s *Shelf[V]) write(do func(*store) error) error {
	s.writing.RLock()
	defer s.writing.RUnlock()
	if err := s.writable(); err != nil { // as it is after a Compact that was waited for
		return err
	}
	st, err := s.pin()
	if err != nil {
		return err
	}
	defer s.unpin(st)
	return do(st)
}

// commit writes what do sets, about size bytes, in one transaction, where that
// leaves keep bytes free on the disk; again from the start where another writer
// was faster.
func (s *Shelf[V]) commit(size, keep int, do func(*badger.Txn) error) error {
	if err := s.space.take(size, keep); err != nil {
		return err
	}
	return s.write(func(st *store) error {
		for {
			err := s.tryCommit(st, do)
			if !errors.Is(err, badger.ErrConflict) {
				return err
			}
		}
	})
}

func (s *Shelf[V]) tryCommit(st *store, do func(*badger.Txn) error) (err error) {
	defer recovered(&err)
	txn := st.NewTransaction(true)
	defer txn.Discard()
	if err := do(txn); err != nil {
		return err
	}
	defer s.dropView()
	if err := txn.Commit(); err != nil {
		return err
	}
	return s.settle(st)
}

// settle makes new files of the store survive a power loss, where that is asked
// for: Badger syncs what it writes into a new log, but not the log's name.
func (s *Shelf[V]) settle(st *store) error {
	if s.opts.Durability != PowerLoss {
		return nil
	}
	return st.syncNames()
}

// PutIfAbsent stores value under key if there is none, and says whether it did.
func (s *Shelf[V]) PutIfAbsent(key string, value V) (stored bool, err error) {
	p, err := s.prepare(key, &value)
	if err == nil {
		err = p.freeAfter(s.commit(p.size(), reserve, func(txn *badger.Txn) error {
			_, err := txn.Get(p.key)
			if stored = isMissing(err); !stored {
				return err
			}
			return txn.Set(p.key, p.value)
		}))
	}
	if err != nil {
		return false, s.failKey("put", key, err)
	}
	return stored, nil
}

// Delete removes key and its value. A key that is not there is no error.
func (s *Shelf[V]) Delete(key string) error {
	err := s.writable()
	if err == nil && checkKey(key) == nil { // a longer key is not there
		k := storedKey(key)
		err = s.commit(len(k), reserve/2, func(txn *badger.Txn) error { return txn.Delete(k) })
	}
	if err != nil {
		return s.failKey("delete", key, err)
	}
	return nil
}

// Pop removes key and returns the value that it had; ErrNotFound where there is
// none. A value that cannot be read is an error and stays.
func (s *Shelf[V]) Pop(key string) (V, error) {
	var value V
	err := s.writable()
	if err == nil {
		k := storedKey(key)
		err = s.commit(len(k), reserve/2, func(txn *badger.Txn) error {
			err := lookup(txn, k, func(stored []byte) (err error) {
				value, err = s.decode(key, stored)
				return err
			})
			if err != nil {
				return err
			}
			return txn.Delete(k)
		})
	}
	if err != nil {
		var zero V
		return zero, s.failKey("pop", key, err)
	}
	return value, nil
}
