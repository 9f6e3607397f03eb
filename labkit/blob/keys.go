package blob

import (
	"cmp"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
	"unsafe"
)

// sortedKeys returns a slice of m's keys, in order where keys of this type have
// one that depends on nothing but themselves, and as they come otherwise: pointers
// and interfaces have none.
func sortedKeys(m reflect.Value, workers func(pieces int) int) reflect.Value {
	keys := reflect.MakeSlice(reflect.SliceOf(m.Type().Key()), m.Len(), m.Len())
	it := m.MapRange()
	for i := 0; it.Next(); i++ {
		keys.Index(i).SetIterKey(it)
	}
	n := workers(1 + keys.Len()/sortAlone)
	switch keys.Type().Elem().Kind() {
	case reflect.String:
		sortParallel(view[string](keys), n)
	case reflect.Int:
		sortParallel(view[int](keys), n)
	case reflect.Int64:
		sortParallel(view[int64](keys), n)
	case reflect.Uint64:
		sortParallel(view[uint64](keys), n)
	default:
		if hasOrder(keys.Type().Elem()) {
			sort.Sort(byValue{keys, reflect.Swapper(keys.Interface())})
		}
	}
	return keys
}

// view is a slice of keys as one of the basic type that they are made of.
func view[E any](keys reflect.Value) []E {
	return unsafe.Slice((*E)(keys.UnsafePointer()), keys.Len())
}

// sortAlone is how many keys a core sorts faster than several do.
const sortAlone = 1024

// sortParallel sorts in place with so many goroutines. No two keys are equal.
func sortParallel[E cmp.Ordered](s []E, workers int) {
	if workers < 2 || len(s) < sortAlone {
		slices.Sort(s)
		return
	}
	// The median of a sample divides well enough.
	var sample [63]E
	for i := range sample {
		sample[i] = s[i*(len(s)/len(sample))]
	}
	slices.Sort(sample[:])
	middle := partition(s, sample[len(sample)/2])
	var wg sync.WaitGroup
	wg.Go(func() { sortParallel(s[:middle], workers/2) })
	sortParallel(s[middle:], workers-workers/2)
	wg.Wait()
}

// partition moves what is below pivot to the front and returns how many that are.
func partition[E cmp.Ordered](s []E, pivot E) int {
	i, j := 0, len(s)-1
	for {
		for i <= j && s[i] < pivot {
			i++
		}
		for i <= j && !(s[j] < pivot) {
			j--
		}
		if i > j {
			return i
		}
		s[i], s[j] = s[j], s[i]
	}
}

// byValue sorts keys of any type that has an order.
type byValue struct {
	keys reflect.Value
	swap func(i, j int)
}

func (b byValue) Len() int           { return b.keys.Len() }
func (b byValue) Swap(i, j int)      { b.swap(i, j) }
func (b byValue) Less(i, j int) bool { return compare(b.keys.Index(i), b.keys.Index(j)) < 0 }

func hasOrder(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return hasOrder(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !hasOrder(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Pointer, reflect.Interface, reflect.Chan, reflect.UnsafePointer:
		return false
	}
	return true
}

func compare(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Bool:
		return cmp.Compare(bit(a.Bool()), bit(b.Bool()))
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		return cmp.Or(cmp.Compare(real(a.Complex()), real(b.Complex())), cmp.Compare(imag(a.Complex()), imag(b.Complex())))
	case reflect.Array:
		for i := range a.Len() {
			if c := compare(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
		return 0
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compare(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
		return 0
	}
	if a.CanInt() {
		return cmp.Compare(a.Int(), b.Int())
	}
	return cmp.Compare(a.Uint(), b.Uint())
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
