package shelf_test

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/shelf"
)

// record is the lab's record: about 120 bytes of payload.
type record struct {
	ID     int
	Name   string
	Email  string
	Tags   []string
	Score  float64
	Active bool
	Note   string
}

var samplesMade sync.Map // int -> record

// sample returns record i, the same every time; its fields are not to be changed.
func sample(i int) record {
	if r, ok := samplesMade.Load(i); ok {
		return r.(record)
	}
	rng := rand.New(rand.NewPCG(1, uint64(i)))
	word := func(n int) string {
		b := make([]byte, n)
		for j := range b {
			b[j] = "abcdefghijklmnopqrstuvwxyz     "[rng.IntN(31)]
		}
		return string(b)
	}
	r := record{
		ID: i, Name: word(14), Email: word(10) + "@example.org", Tags: []string{word(6), word(6)},
		Score: rng.Float64(), Active: i%2 == 0, Note: word(40),
	}
	samplesMade.Store(i, r)
	return r
}

func keyOf(i int) string { return fmt.Sprintf("id_%07d", i) }

// samples yields records from <= i < to.
func samples(from, to int) iter.Seq2[shelf.Entry[record], error] {
	return func(yield func(shelf.Entry[record], error) bool) {
		for i := from; i < to; i++ {
			if !yield(shelf.Entry[record]{Key: keyOf(i), Value: sample(i)}, nil) {
				return
			}
		}
	}
}

func open[V any](t testing.TB, dir string, o shelf.Options) *shelf.Shelf[V] {
	t.Helper()
	s, err := shelf.Open[V](dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wants checks that err is of sentinel and mentions words.
func wants(t testing.TB, err, sentinel error, words ...string) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Errorf("got %v, want an error of %q", err, sentinel)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not mention %q", err, w)
		}
	}
}

// contents returns all that is in s, checking that keys ascend.
func contents[V any](t testing.TB, s *shelf.Shelf[V]) map[string]V {
	t.Helper()
	all := map[string]V{}
	last := ""
	for e, err := range s.All() {
		must(t, err)
		if len(all) > 0 && e.Key <= last {
			t.Fatalf("key %q after %q", e.Key, last)
		}
		last = e.Key
		all[e.Key] = e.Value
	}
	return all
}

func sameMap[V any](t testing.TB, want, got map[string]V) {
	t.Helper()
	if reflect.DeepEqual(want, got) {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		if len(diff) > 2000 {
			diff = diff[:2000] + "…"
		}
		t.Fatalf("contents (-want +got):\n%s", diff)
	}
}

func check[V any](t testing.TB, s *shelf.Shelf[V], key string, want V) {
	t.Helper()
	got, err := s.Get(key)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q (-want +got):\n%s", key, diff)
	}
}
