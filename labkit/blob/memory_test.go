package blob_test

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"shelflab/labkit/blob"
)

// cheap fails if f allocates more than limit bytes in all.
func cheap(t *testing.T, limit uint64, f func()) {
	t.Helper()
	if n := allocated(f); n > uint64(allowance*float64(limit)) {
		t.Errorf("allocates %d bytes, at most %d are allowed", n, limit)
	}
}

// allocated returns how many bytes f allocates in all, whether or not they are
// freed meanwhile: no timing of the collector changes it, and the peak cannot be
// higher.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// live returns how many bytes are in use after a collection.
func live() uint64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

func size(t testing.TB, path string) uint64 {
	return uint64(must[os.FileInfo](t)(os.Stat(path)).Size())
}

const megabyte = 1 << 20

// TestSaveMemory keeps the bound that Save states.
func TestSaveMemory(t *testing.T) {
	const n = 50_000
	m := makeRecords(n)
	list := make([]record, 0, n)
	for _, r := range m {
		list = append(list, r)
	}
	path := filepath.Join(t.TempDir(), "x.blob")
	perRecord := uint64(reflect.TypeFor[string]().Size() + reflect.TypeFor[record]().Size() + 32)
	for _, workers := range []int{1, 2} {
		opts := blob.Options{Workers: workers}
		cheap(t, n*perRecord+2*megabyte, func() { check(t, blob.Save(path, m, opts)) })
		cheap(t, 2*megabyte, func() { check(t, blob.Save(path, list, opts)) })
	}
	raw := make([]byte, 30*megabyte)
	cheap(t, 3*uint64(len(raw))+megabyte, func() { check(t, blob.Save(path, raw, blob.Options{})) })
}

// TestLoadMemory keeps the bound that Load states.
func TestLoadMemory(t *testing.T) {
	const n = 50_000
	m := makeRecords(n)
	path := filepath.Join(t.TempDir(), "x.blob")
	check(t, blob.Save(path, m, blob.Options{}))
	m = nil
	for _, workers := range []int{1, 2} {
		atMostOver(t, 1.3, path, func() any {
			return must[map[string]record](t)(blob.LoadWith[map[string]record](path, blob.Options{Workers: workers}))
		})
	}
	floats := make([]float64, 2_000_000)
	for i := range floats {
		floats[i] = 1 / float64(i+1)
	}
	check(t, blob.Save(path, floats, blob.Options{}))
	floats = nil
	atMostOver(t, 1.3, path, func() any { return must[[]float64](t)(blob.Load[[]float64](path)) })
	check(t, blob.Save(path, make([]byte, 30*megabyte), blob.Options{}))
	atMostOver(t, 8, path, func() any { return must[[]byte](t)(blob.Load[[]byte](path)) })
}

// TestLoadLetsGo: a program that has let go of what it loaded has the memory back
// after the next collection, not the one after that.
func TestLoadLetsGo(t *testing.T) {
	m := makeRecords(50_000)
	path := filepath.Join(t.TempDir(), "x.blob")
	check(t, blob.Save(path, m, blob.Options{}))
	for _, workers := range []int{1, 2} {
		load := func() {
			must[map[string]record](t)(blob.LoadWith[map[string]record](path, blob.Options{Workers: workers}))
		}
		load() // what is compiled once stays
		live()
		before := live()
		load()
		if more := float64(live()) - float64(before); more > allowance*megabyte/4 {
			t.Errorf("%d workers: %.0f bytes are alive after a load and a collection", workers, more)
		}
	}
	runtime.KeepAlive(m)
}

// atMostOver fails if load allocates more beyond what it returns than so many
// times the file, and a megabyte.
func atMostOver(t *testing.T, times float64, path string, load func() any) {
	t.Helper()
	before := live()
	var v any
	all := allocated(func() { v = load() })
	over := float64(all) - float64(live()-before)
	runtime.KeepAlive(v)
	file := float64(size(t, path))
	t.Logf("%T: file %.0f bytes, beyond the value %.2f times as much", v, file, over/file)
	if over > allowance*(times*file+megabyte) {
		t.Errorf("allocates %.0f bytes beyond the value, for a file of %.0f", over, file)
	}
}

// TestStreamsInBoundedMemory looks at what is alive in the middle of Pack, of All
// and of Keys: it does not grow with the number of records, and stays under the
// bound that Pack and All state.
func TestStreamsInBoundedMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	for _, workers := range []int{1, 2, 4, 8} {
		for _, n := range []int{20_000, 200_000} {
			t.Run(fmt.Sprintf("%d workers, %d records", workers, n), func(t *testing.T) {
				streamed(t, path, n, workers)
			})
		}
	}
}

func streamed(t *testing.T, path string, n, workers int) {
	// Four batches of 64 KiB a worker are about 1.5 MB where a record takes six
	// times its bytes in the file.
	limit := (1 + 1.5*float64(workers)) * megabyte
	before := live()
	look := func(what string, i int) {
		if i%(n/4) == n/5 {
			if over := float64(live()) - float64(before); over > limit {
				t.Errorf("%s, record %d of %d: %.0f bytes are alive, at most %.0f are allowed", what, i, n, over, limit)
			}
		}
	}
	var source iter.Seq2[blob.Entry[record], error] = func(yield func(blob.Entry[record], error) bool) {
		r := newRand()
		for i := range n {
			look("Pack", i)
			if !yield(blob.Entry[record]{Key: fmt.Sprintf("%08d", i), Value: makeRecord(r, i)}, nil) {
				return
			}
		}
	}
	opts := blob.Options{Workers: workers}
	check(t, blob.Pack(path, source, opts))
	b := must[*blob.Indexed[record]](t)(blob.OpenWith[record](path, opts))
	i := 0
	for _, err := range b.All() {
		check(t, err)
		look("All", i)
		i++
	}
	i = 0
	for _, err := range b.Keys() {
		check(t, err)
		look("Keys", i)
		i++
	}
	check(t, b.Close())
}
