package blob_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit/blob"
)

func TestIndexedRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 40, 5000} {
		for _, workers := range []int{1, 2, 5} {
			t.Run(fmt.Sprintf("n=%d,workers=%d", n, workers), func(t *testing.T) {
				m := makeRecords(n)
				if n > 1 {
					maps.Copy(m, small())
				}
				checkIndexed(t, m, blob.Options{Workers: workers})
			})
		}
	}
}

// checkIndexed checks everything that an indexed blob of m gives.
func checkIndexed[V any](t *testing.T, m map[string]V, opts blob.Options) {
	path := filepath.Join(t.TempDir(), "x.blob")
	b := pack(t, path, m, opts)
	wantOnly(t, path)
	wantEqual(t, b.Len(), len(m))
	check(t, b.Verify())
	wantEqual(t, collect(t, b.All()), m)
	var keys []string
	for key, err := range b.Keys() {
		check(t, err)
		keys = append(keys, key)
	}
	wantEqual(t, keys, slices.Sorted(maps.Keys(m)))
	for key, want := range m {
		wantEqual(t, must[V](t)(b.Get(key)), want)
		wantEqual(t, must[bool](t)(b.Has(key)), true)
	}
	for _, key := range []string{"!", "id_", "id_00000001x", "zz", "\xff\xff"} {
		_, err := b.Get(key)
		wantError(t, err, blob.ErrNotFound, path)
		if !strings.Contains(err.Error(), fmt.Sprintf("%q", key)) {
			t.Errorf("%v does not name the key %q", err, key)
		}
		wantEqual(t, must[bool](t)(b.Has(key)), false)
	}
	backwards := slices.Clone(keys)
	slices.Reverse(backwards)
	backwards = slices.Concat([]string{"zz", "!"}, backwards, keys[:len(keys)/2])
	i := 0
	many := b.GetMany(backwards)
	for range many {
		break // and again from the beginning
	}
	for e, err := range many {
		wantEqual(t, e.Key, backwards[i])
		if want, ok := m[e.Key]; ok {
			check(t, err)
			wantEqual(t, e.Value, want)
		} else {
			wantError(t, err, blob.ErrNotFound, path)
		}
		i++
	}
	wantEqual(t, i, len(backwards))
	for range b.GetMany(nil) {
		t.Error("no keys give an entry")
	}
}

func TestIndexedValueTypes(t *testing.T) {
	t.Run("int", func(t *testing.T) { checkIndexed(t, map[string]int{"a": 0, "b": -1, "c": 1 << 60}, blob.Options{}) })
	t.Run("string", func(t *testing.T) { checkIndexed(t, map[string]string{"a": "", "b": "x"}, blob.Options{}) })
	t.Run("slice", func(t *testing.T) { checkIndexed(t, map[string][]int{"a": nil, "b": {0, 1, 2}}, blob.Options{}) })
	t.Run("bytes", func(t *testing.T) { checkIndexed(t, map[string][]byte{"a": nil, "b": []byte("x")}, blob.Options{}) })
	t.Run("map", func(t *testing.T) {
		checkIndexed(t, map[string]map[string]int{"a": {}, "b": {"x": 1, "y": 2}}, blob.Options{})
	})
	t.Run("pointer", func(t *testing.T) {
		checkIndexed(t, map[string]*record{"a": {ID: 1}, "b": {}, "c": {Name: "x"}}, blob.Options{})
	})
	t.Run("array", func(t *testing.T) { checkIndexed(t, map[string][3]int{"a": {}, "b": {1, 2, 3}}, blob.Options{}) })
	t.Run("own encoding", func(t *testing.T) {
		checkIndexed(t, map[string]celsius{"a": {}, "b": {21.5}}, blob.Options{})
	})
	t.Run("recursive", func(t *testing.T) {
		checkIndexed(t, map[string]tree{"a": {}, "b": {Left: &tree{Value: 1, Right: &tree{Value: 2}}}}, blob.Options{})
	})
	t.Run("interface", func(t *testing.T) {
		checkIndexed(t, map[string]any{"a": 1, "b": "x", "c": 2.5, "d": []int{1}}, blob.Options{})
	})
	t.Run("large", func(t *testing.T) {
		checkIndexed(t, map[string][]byte{"a": make([]byte, 3<<20), "b": {1}, "c": make([]byte, 1<<20)}, blob.Options{})
	})
}

func TestPackRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	want := map[string]int{"old": 1}
	b := pack(t, path, want, blob.Options{})
	entries := func(keys ...string) iter.Seq2[blob.Entry[int], error] {
		return func(yield func(blob.Entry[int], error) bool) {
			for i, key := range keys {
				if !yield(blob.Entry[int]{Key: key, Value: i}, nil) {
					return
				}
			}
		}
	}
	many := make([]string, 10_000)
	for i := range many {
		many[i] = fmt.Sprintf("%05d", i)
	}
	wantError(t, blob.Pack(path, entries("b", "a"), blob.Options{}), blob.ErrOrder, path)
	wantError(t, blob.Pack(path, entries("a", "a"), blob.Options{}), blob.ErrOrder, path)
	wantError(t, blob.Pack(path, entries("", ""), blob.Options{}), blob.ErrOrder, path)
	wantError(t, blob.Pack(path, entries(append(many, "0")...), blob.Options{}), blob.ErrOrder, path)
	wantError(t, blob.Pack(path, entries(strings.Repeat("k", blob.MaxKey+1)), blob.Options{}), blob.ErrKey, path)
	check(t, blob.Pack(path+"2", entries(strings.Repeat("k", blob.MaxKey)), blob.Options{}))
	check(t, os.Remove(path+"2"))

	sick := errors.New("sick source")
	wantError(t, blob.Pack(path, func(yield func(blob.Entry[int], error) bool) {
		for e, err := range entries(many...) {
			if !yield(e, err) {
				return
			}
		}
		yield(blob.Entry[int]{}, sick)
	}, blob.Options{}), sick, path)
	wantError(t, blob.Pack[any](path, func(yield func(blob.Entry[any], error) bool) {
		for _, key := range many {
			if !yield(blob.Entry[any]{Key: key, Value: 1}, nil) {
				return
			}
		}
		yield(blob.Entry[any]{Key: "z", Value: unregistered{}}, nil)
	}, blob.Options{}), blob.ErrType, path)
	// A source without an end ends with the first value that cannot be carried.
	endless := func(yield func(blob.Entry[any], error) bool) {
		for i := 0; ; i++ {
			var v any = i
			if i == 5000 {
				v = unregistered{}
			}
			if !yield(blob.Entry[any]{Key: fmt.Sprintf("%09d", i), Value: v}, nil) {
				return
			}
		}
	}
	for workers := range 5 {
		wantError(t, blob.Pack(path, endless, blob.Options{Workers: workers}), blob.ErrType, path)
	}
	func() {
		defer func() { wantEqual(t, recover(), any("source panics")) }()
		_ = blob.Pack(path, func(yield func(blob.Entry[int], error) bool) {
			yield(blob.Entry[int]{Key: "a"}, nil)
			panic("source panics")
		}, blob.Options{})
	}()
	wantError(t, blob.Pack(path, entries("a"), blob.Options{Workers: -1}), blob.ErrOption, path)
	wantError(t, blob.Pack[int](path, nil, blob.Options{}), blob.ErrOption, path)
	check(t, blob.Pack(path+"2", entries("a"), blob.Options{Workers: 1 << 40}))
	check(t, os.Remove(path+"2"))

	wantOnly(t, path)
	wantEqual(t, collect(t, b.All()), want)
	wantEqual(t, must[int](t)(b.Get("old")), 1)
}
