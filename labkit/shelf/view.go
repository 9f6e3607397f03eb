package shelf

import (
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// view is a read transaction that reads share until the next write. Badger's
// transactions cost more than a lookup: two messages to a goroutine each.
type view struct {
	txn   *badger.Txn
	store *store
	users int  // guarded by Shelf.mu
	stale bool // no longer shared: the last user ends it; guarded by Shelf.mu
}

// pin keeps the current store open; unpin lets it go.
func (s *Shelf[V]) pin() (*store, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return nil, ErrClosed
	}
	s.store.readers++
	return s.store, nil
}

func (s *Shelf[V]) unpin(st *store) {
	s.mu.Lock()
	st.readers--
	end := st.readers == 0 && st.retired
	if st.readers == 0 {
		s.idle.Broadcast()
	}
	s.mu.Unlock()
	if end {
		s.discard(st)
	}
}

// acquire returns a view of everything written before the call; release gives it
// back.
func (s *Shelf[V]) acquire() (*view, error) {
	s.mu.Lock()
	if s.closed.Load() {
		s.mu.Unlock()
		return nil, ErrClosed
	}
	if v := s.view; v != nil {
		v.users++
		s.mu.Unlock()
		return v, nil
	}
	st, writes := s.store, s.writes
	st.readers++
	s.mu.Unlock()

	// Badger makes a new transaction wait for writes under way.
	v := &view{txn: st.NewTransaction(false), store: st, users: 1}
	s.mu.Lock()
	if s.view == nil && s.writes == writes {
		s.view = v
	} else {
		v.stale = true
	}
	s.mu.Unlock()
	return v, nil
}

func (s *Shelf[V]) release(v *view) {
	s.mu.Lock()
	v.users--
	end := v.stale && v.users == 0
	s.mu.Unlock()
	if end {
		s.end(v)
	}
}

// dropView makes later reads see what was just written.
func (s *Shelf[V]) dropView() {
	s.mu.Lock()
	s.writes++
	v := s.view
	s.view = nil
	end := false
	if v != nil {
		v.stale = true
		end = v.users == 0
	}
	s.mu.Unlock()
	if end {
		s.end(v)
	}
}

func (s *Shelf[V]) end(v *view) {
	v.txn.Discard()
	s.unpin(v.store)
}

// lookup calls do with what is stored under key, valid during the call.
func (v *view) lookup(key string, do func(stored []byte) error) error {
	return lookup(v.txn, storedKey(key), do)
}

func lookup(txn *badger.Txn, key []byte, do func(stored []byte) error) (err error) {
	defer recovered(&err)
	item, err := txn.Get(key)
	if err != nil {
		return err
	}
	return item.Value(do)
}

// recovered turns a panic over damaged tables into an error: Badger has no other
// way to tell.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v", ErrCorrupt, p)
	}
}

const keyPrefix = 'k'

// storedKey is the key in Badger.
func storedKey(key string) []byte {
	k := make([]byte, 0, len(key)+1)
	return append(append(k, keyPrefix), key...)
}

func checkKey(key string) error {
	if len(key) > MaxKey {
		return fmt.Errorf("%w: %d bytes, the limit is %d", ErrKey, len(key), MaxKey)
	}
	return nil
}

func isMissing(err error) bool { return errors.Is(err, badger.ErrKeyNotFound) }
