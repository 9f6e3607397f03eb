package shelf_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"shelflab/labkit/shelf"
)

func TestBasics(t *testing.T) {
	dir := t.TempDir()
	s := open[record](t, dir, shelf.Options{})
	must(t, s.Put("b", sample(2)))
	must(t, s.Put("a", sample(1)))
	must(t, s.Put("b", sample(3)))
	check(t, s, "a", sample(1))
	check(t, s, "b", sample(3))
	_, err := s.Get("c")
	wants(t, err, shelf.ErrNotFound, `"c"`, dir)
	for key, want := range map[string]bool{"a": true, "c": false} {
		if got, err := s.Has(key); got != want || err != nil {
			t.Errorf("Has(%q) = %v, %v", key, got, err)
		}
	}
	if v, err := s.GetOr("c", sample(9)); v.ID != 9 || err != nil {
		t.Errorf("GetOr of a missing key: %v, %v", v, err)
	}
	if v, err := s.GetOr("a", sample(9)); v.ID != 1 || err != nil {
		t.Errorf("GetOr of a key: %v, %v", v, err)
	}
	if ok, err := s.PutIfAbsent("a", sample(7)); ok || err != nil {
		t.Errorf("PutIfAbsent of a key: %v, %v", ok, err)
	}
	if ok, err := s.PutIfAbsent("d", sample(7)); !ok || err != nil {
		t.Errorf("PutIfAbsent of a missing key: %v, %v", ok, err)
	}
	if v, err := s.Pop("d"); v.ID != 7 || err != nil {
		t.Errorf("Pop: %v, %v", v, err)
	}
	_, err = s.Pop("d")
	wants(t, err, shelf.ErrNotFound, `"d"`)
	must(t, s.Delete("b"))
	must(t, s.Delete("b"))
	if n, err := s.Len(); n != 1 || err != nil {
		t.Errorf("Len = %d, %v", n, err)
	}
	must(t, s.Sync())
	must(t, s.Close())
	must(t, s.Close())
	sameMap(t, map[string]record{"a": sample(1)}, contents(t, open[record](t, dir, shelf.Options{Mode: shelf.Existing})))
}

func TestAnyStringIsAKey(t *testing.T) {
	dir := t.TempDir()
	s := open[string](t, dir, shelf.Options{})
	want := map[string]string{}
	for _, k := range []string{"", "\x00", "\x00\x00", "k", "!badger!", "!badger!txn", "!badger!head", "\xff\xfe", "\xff\xff\xff",
		"ß", "a\nb", strings.Repeat("x", shelf.MaxKey), strings.Repeat("\xff", shelf.MaxKey)} {
		must(t, s.Put(k, "of "+k))
		want[k] = "of " + k
	}
	sameMap(t, want, contents(t, s))
	must(t, s.Close())
	s = open[string](t, dir, shelf.Options{})
	sameMap(t, want, contents(t, s))
	for k, v := range want {
		check(t, s, k, v)
		must(t, s.Delete(k))
	}
	if n, err := s.Len(); n != 0 || err != nil {
		t.Errorf("Len after deleting all = %d, %v", n, err)
	}

	long := strings.Repeat("x", shelf.MaxKey+1)
	err := s.Put(long, "")
	wants(t, err, shelf.ErrKey, "65000 bytes")
	if len(err.Error()) > 400 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
	_, err = s.Get(long)
	wants(t, err, shelf.ErrNotFound)
	must(t, s.Delete(long))
	wants(t, s.PutAll(func(yield func(shelf.Entry[string], error) bool) { yield(shelf.Entry[string]{Key: long}, nil) }), shelf.ErrKey)
	_, err = s.PutIfAbsent(long, "")
	wants(t, err, shelf.ErrKey)
}

func TestBulkAndScans(t *testing.T) {
	dir := t.TempDir()
	s := open[record](t, dir, shelf.Options{})
	const n = 12_345
	must(t, s.PutAll(samples(0, n)))
	want := map[string]record{}
	for e := range samples(0, n) {
		want[e.Key] = e.Value
	}
	for range 2 {
		sameMap(t, want, contents(t, s))
		if got, err := s.Len(); got != n || err != nil {
			t.Errorf("Len = %d, %v", got, err)
		}
		i := 0
		for k, err := range s.Keys() {
			must(t, err)
			if k != keyOf(i) {
				t.Fatalf("key %d is %q", i, k)
			}
			i++
		}
		if i != n {
			t.Errorf("%d keys", i)
		}
		count := func(seq func(func(shelf.Entry[record], error) bool), from int) (n int) {
			for e, err := range seq {
				must(t, err)
				if e.Key != keyOf(from+n) || !reflect.DeepEqual(e.Value, sample(from+n)) {
					t.Fatalf("%q: %+v", e.Key, e.Value)
				}
				n++
			}
			return n
		}
		if got := count(s.Prefix("id_00001"), 100); got != 100 {
			t.Errorf("Prefix gave %d", got)
		}
		if got := count(s.Prefix("id_0012"), 12_000); got != 345 {
			t.Errorf("Prefix gave %d", got)
		}
		if got := count(s.Prefix(""), 0); got != n {
			t.Errorf("empty Prefix gave %d", got)
		}
		if got := count(s.Prefix("x"), 0); got != 0 {
			t.Errorf("Prefix of nothing gave %d", got)
		}
		if got := count(s.Range(keyOf(3000), keyOf(9000)), 3000); got != 6000 {
			t.Errorf("Range gave %d", got)
		}
		if got := count(s.Range(keyOf(3000), ""), 3000); got != n-3000 {
			t.Errorf("Range to the end gave %d", got)
		}
		if got := count(s.Range("z", "a"), 0); got != 0 {
			t.Errorf("Range backwards gave %d", got)
		}
		must(t, s.Close())
		s = open[record](t, dir, shelf.Options{})
	}
}

func TestGetMany(t *testing.T) {
	s := open[record](t, t.TempDir(), shelf.Options{})
	must(t, s.PutAll(samples(0, 3000)))
	var keys []string
	for i := range 2000 {
		keys = append(keys, keyOf(i*7919%4000)) // some are missing, some come twice
	}
	i := 0
	for e, err := range s.GetMany(keys) {
		if e.Key != keys[i] {
			t.Fatalf("key %d is %q, want %q", i, e.Key, keys[i])
		}
		if id := i * 7919 % 4000; id >= 3000 {
			wants(t, err, shelf.ErrNotFound, keys[i])
		} else if must(t, err); e.Value.ID != id {
			t.Fatalf("%q is record %d", e.Key, e.Value.ID)
		}
		i++
	}
	if i != len(keys) {
		t.Errorf("%d entries of %d keys", i, len(keys))
	}
	for range s.GetMany(nil) {
		t.Error("an entry of no key")
	}
	for range s.GetMany(keys) {
		break
	}
}

func TestPutAllSourceFails(t *testing.T) {
	s := open[record](t, t.TempDir(), shelf.Options{})
	broken := errors.New("source is broken")
	err := s.PutAll(func(yield func(shelf.Entry[record], error) bool) {
		for e := range samples(0, 5000) {
			if !yield(e, nil) {
				t.Error("stopped early")
				return
			}
		}
		if yield(shelf.Entry[record]{Key: "at"}, broken) {
			t.Error("went on after an error")
		}
	})
	wants(t, err, broken, `"at"`)
	n, err := s.Len()
	must(t, err)
	i := 0
	for k := range contents(t, s) { // a prefix of the sequence
		if k >= keyOf(n) {
			t.Errorf("%q is there, but only %d entries", k, n)
		}
		i++
	}
	if i != n {
		t.Errorf("Len = %d, All gave %d", n, i)
	}
}

func TestLastOfEqualKeysWins(t *testing.T) {
	s := open[int](t, t.TempDir(), shelf.Options{})
	must(t, s.PutAll(func(yield func(shelf.Entry[int], error) bool) {
		for i := range 10_000 {
			if !yield(shelf.Entry[int]{Key: keyOf(i % 3), Value: i}, nil) {
				return
			}
		}
	}))
	sameMap(t, map[string]int{keyOf(0): 9999, keyOf(1): 9997, keyOf(2): 9998}, contents(t, s))
}

func TestEmptyShelf(t *testing.T) {
	dir := t.TempDir()
	s := open[record](t, dir, shelf.Options{})
	sameMap(t, map[string]record{}, contents(t, s))
	must(t, s.PutAll(samples(0, 0)))
	must(t, s.Close())
	s = open[record](t, dir, shelf.Options{Mode: shelf.ReadOnly})
	if n, err := s.Len(); n != 0 || err != nil {
		t.Errorf("Len = %d, %v", n, err)
	}
}
