package shelf

import (
	"errors"
	"os"
)

// replace makes build fill the store of a new generation, commits it with the
// descriptions that build returns, and retires the old one. Until the commit the
// shelf is what it was; after it, it is the new one, at a power loss too. Writes
// wait; reads go on, and iterators end on the old store.
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
	unsure := writeHeader(s.path, &h)
	if unsure != nil {
		if committed, err := s.isCommitted(&h); !committed {
			return errors.Join(unsure, err, next.close())
		}
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
	return unsure
}

// isCommitted says, after an error of writeHeader, whether h is on the disk
// nevertheless. If it is not, the new store is left to the next opener to remove;
// if that cannot be told, to find.
func (s *Shelf[V]) isCommitted(h *header) (bool, error) {
	now, err := readHeader(s.path)
	return err == nil && now != nil && now.Generation == h.Generation, err
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
	if err := errors.Join(st.close(), syncDir(s.path)); err != nil {
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
