package shelf

import (
	"errors"
	"fmt"
	"os"
)

// replace makes build fill the store of a new generation, commits it with the
// descriptions that build returns, and retires the old one. Until the commit the
// shelf is what it was; after it, it is the new one, at a power loss too. Writes
// wait; reads go on, and iterators end on the old store. Where it is unsure which
// of the two a power loss would leave, both stay, and the shelf refuses writes.
func (s *Shelf[V]) replace(build func(old, next *store, current uint64) ([]description, error)) error {
	if err := s.writable(); err != nil {
		return err
	}
	current, err := s.number() // from here on the header is this call's alone
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.writable(); err != nil { // as it is after a Compact that was waited for
		return err
	}
	old, err := s.pin()
	if err != nil {
		return err
	}
	defer s.unpin(old)

	h := header{Generation: s.headerNow().Generation + 1}
	dir := generationDir(s.path, h.Generation)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	next, err := s.buildStore(dir, func(next *store) (err error) {
		h.Descriptions, err = build(old, next, current)
		return err
	})
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	h.Next = max(h.next(), s.headerNow().next())
	if err := writeHeader(s.path, &h); err != nil {
		if s.mayBeCommitted(&h) {
			err = fmt.Errorf("%w: %w", ErrUnsure, err)
			s.unsure.Store(true)
		}
		return errors.Join(err, next.close()) // the next opener removes one of the two
	}
	s.headerMu.Lock()
	s.header = &h
	s.headerMu.Unlock()
	s.mu.Lock()
	s.store = next
	s.stores++
	old.retired = true // the last reader discards it, at the earliest this call
	s.mu.Unlock()
	s.dropView()
	return nil
}

// mayBeCommitted says, after an error of writeHeader, whether the disk may have h
// nevertheless, now or after a power loss. Then either generation may be the one
// that the next opener finds, so both are kept, and nothing is written to either.
func (s *Shelf[V]) mayBeCommitted(h *header) bool {
	now, err := readHeader(s.path)
	return err != nil || now == nil || now.Generation == h.Generation
}

// buildStore makes and fills a store, and opens it again: closing brings
// everything into tables and syncs it.
func (s *Shelf[V]) buildStore(dir string, fill func(*store) error) (*store, error) {
	if err := roomToOpen(dir); err != nil {
		return nil, err
	}
	st, err := openStore(dir, false, ProcessCrash)
	if err != nil {
		return nil, err
	}
	if err := fill(st); err != nil {
		return nil, errors.Join(err, st.close())
	}
	if err := errors.Join(st.close(), syncPath(s.path)); err != nil {
		return nil, err
	}
	return openStore(dir, false, s.opts.Durability)
}

// discard closes and deletes a retired store.
func (s *Shelf[V]) discard(st *store) {
	err := errors.Join(st.close(), os.RemoveAll(st.dir))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.discardErr = errors.Join(s.discardErr, err)
	s.stores--
	s.idle.Broadcast()
}
