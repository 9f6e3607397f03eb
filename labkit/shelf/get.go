package shelf

// Get returns the value under key; ErrNotFound where there is none. A value that
// cannot be read is ErrCorrupt, or ErrType where it was written by a form of V
// with which V does not go together; the zero value goes with every error.
func (s *Shelf[V]) Get(key string) (V, error) {
	v, err := s.get(key)
	if err != nil {
		return v, s.failKey("get", key, err)
	}
	return v, nil
}

func (s *Shelf[V]) get(key string) (V, error) {
	var value V
	view, err := s.acquire()
	if err != nil {
		return value, err
	}
	defer s.release(view)
	err = view.lookup(key, func(stored []byte) (err error) {
		value, err = s.decode(key, stored)
		return err
	})
	return value, err
}

// GetOr returns the value under key, and otherwise where there is none.
func (s *Shelf[V]) GetOr(key string, otherwise V) (V, error) {
	v, err := s.get(key)
	switch {
	case isMissing(err):
		return otherwise, nil
	case err != nil:
		return v, s.failKey("get", key, err)
	}
	return v, nil
}

// Has says whether there is a value under key, readable or not.
func (s *Shelf[V]) Has(key string) (bool, error) {
	view, err := s.acquire()
	if err != nil {
		return false, s.failKey("has", key, err)
	}
	defer s.release(view)
	err = hasKey(view, key)
	switch {
	case isMissing(err):
		return false, nil
	case err != nil:
		return false, s.failKey("has", key, err)
	}
	return true, nil
}

func hasKey(v *view, key string) (err error) {
	defer recovered(&err)
	_, err = v.txn.Get(storedKey(key))
	return err
}
