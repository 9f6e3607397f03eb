package blob_test

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/blob"
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError fails unless err wraps want and names path.
func wantError(t testing.TB, err, want error, path string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
	if !strings.Contains(err.Error(), fmt.Sprintf("%q", path)) {
		t.Errorf("error %v does not name %s", err, path)
	}
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

func wantEqual(t testing.TB, got, want any) {
	t.Helper()
	if reflect.DeepEqual(want, got) { // cmp takes its time
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("-want +got\n%.4000s", d)
	}
}

// roundTrip saves v, loads it, and checks that nothing else is in the folder.
func roundTrip[T any](t testing.TB, v T, opts blob.Options) T {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.blob")
	check(t, blob.Save(path, v, opts))
	wantOnly(t, path)
	return must[T](t)(blob.LoadWith[T](path, opts))
}

// wantOnly fails unless the folder holds just the file at path.
func wantOnly(t testing.TB, path string) {
	t.Helper()
	var names []string
	for _, e := range must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(path))) {
		names = append(names, e.Name())
	}
	wantEqual(t, names, []string{filepath.Base(path)})
}

// pack writes m as an indexed blob and opens it.
func pack[V any](t testing.TB, path string, m map[string]V, opts blob.Options) *blob.Indexed[V] {
	t.Helper()
	check(t, blob.Pack(path, blob.Sorted(m), opts))
	b := must[*blob.Indexed[V]](t)(blob.OpenWith[V](path, opts))
	t.Cleanup(func() { check(t, b.Close()) })
	return b
}

// collect reads a whole iteration, and fails on an error or a key out of order.
func collect[V any](t testing.TB, all iter.Seq2[blob.Entry[V], error]) map[string]V {
	t.Helper()
	m := map[string]V{}
	last, some := "", false
	for e, err := range all {
		check(t, err)
		if some && e.Key <= last {
			t.Fatalf("key %q after %q", e.Key, last)
		}
		last, some = e.Key, true
		m[e.Key] = e.Value
	}
	return m
}

// small is a map that fits into a small file but has all kinds of keys.
func small() map[string]record {
	m := makeRecords(5)
	m[""] = record{}
	m["\x00"] = record{Name: "\xff\xfe", Tags: []string{"", "x"}}
	m[strings.Repeat("k", 300)] = record{Note: strings.Repeat("n", 5000)}
	return m
}
