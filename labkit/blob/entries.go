package blob

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"sync"
)

// entries are the keys and values of a map, and their order. They are copied out
// of the map in one pass: looking the values up again, in the order of the keys,
// takes longer than encoding them.
type entries struct {
	keys, values reflect.Value // slices, as the map gave them
	order        []ref
}

// ref is a place in keys. Prefixes of keys compare like the keys as far as they
// tell them apart; most of the time they do, and the keys need not be touched.
type ref struct {
	prefix uint64
	at     int
}

// sortedEntries takes a map apart: in the order of the keys where keys of this
// type have one that depends on nothing but themselves, and as they come
// otherwise; pointers and interfaces have none.
func sortedEntries(m reflect.Value, workers func(pieces int) int) entries {
	n, key := m.Len(), m.Type().Key()
	e := entries{
		keys:   reflect.MakeSlice(reflect.SliceOf(key), n, n),
		values: reflect.MakeSlice(reflect.SliceOf(m.Type().Elem()), n, n),
		order:  make([]ref, n),
	}
	it := m.MapRange()
	for i := 0; it.Next(); i++ {
		e.keys.Index(i).SetIterKey(it)
		e.values.Index(i).SetIterValue(it)
		e.order[i].at = i
	}
	if !hasOrder(key) {
		return e
	}
	exact := e.setPrefixes()
	compareRefs := func(a, b ref) int {
		switch {
		case a.prefix < b.prefix:
			return -1
		case a.prefix > b.prefix:
			return 1
		case exact:
			return 0
		}
		return compare(e.keys.Index(a.at), e.keys.Index(b.at))
	}
	sortParallel(e.order, compareRefs, workers(1+n/sortAlone))
	return e
}

// copy copies entries from up to, not including, to, in order.
func (e *entries) copy(keys, values reflect.Value, from, to int) {
	for i, r := range e.order[from:to] {
		keys.Index(i).Set(e.keys.Index(r.at))
		values.Index(i).Set(e.values.Index(r.at))
	}
}

// setPrefixes says whether prefixes tell all keys apart.
func (e *entries) setPrefixes() (exact bool) {
	set := func(prefix func(reflect.Value) uint64) {
		for i := range e.order {
			e.order[i].prefix = prefix(e.keys.Index(i))
		}
	}
	switch kind := e.keys.Type().Elem().Kind(); {
	case kind == reflect.String:
		e.setTextPrefixes()
	case kind >= reflect.Int && kind <= reflect.Int64:
		set(func(v reflect.Value) uint64 { return uint64(v.Int()) ^ 1<<63 })
		return true
	case kind >= reflect.Uint && kind <= reflect.Uintptr:
		set(reflect.Value.Uint)
		return true
	case kind == reflect.Float32 || kind == reflect.Float64:
		set(func(v reflect.Value) uint64 { return orderedBits(v.Float()) })
		return true
	}
	return false
}

// orderedBits is a number that compares like f.
func orderedBits(f float64) uint64 {
	bits := math.Float64bits(f)
	if bits>>63 != 0 {
		return ^bits
	}
	return bits | 1<<63
}

// setTextPrefixes takes the eight bytes after what all keys begin with.
func (e *entries) setTextPrefixes() {
	keys := view(e.keys)
	if len(keys) == 0 {
		return
	}
	common := len(keys[0])
	for _, k := range keys {
		common = min(common, len(k))
		for i := range common {
			if k[i] != keys[0][i] {
				common = i
				break
			}
		}
	}
	for i, k := range keys {
		var next [8]byte
		copy(next[:], k[common:])
		e.order[i].prefix = binary.BigEndian.Uint64(next[:])
	}
}

// sortAlone is how many keys a core sorts faster than several do.
const sortAlone = 1024

// sortParallel sorts in place with so many goroutines.
func sortParallel(s []ref, cmp func(a, b ref) int, workers int) {
	if workers < 2 || len(s) < sortAlone {
		slices.SortFunc(s, cmp)
		return
	}
	// The median of a sample divides well enough.
	var sample [63]ref
	for i := range sample {
		sample[i] = s[i*(len(s)/len(sample))]
	}
	slices.SortFunc(sample[:], cmp)
	middle := partition(s, sample[len(sample)/2], cmp)
	var wg sync.WaitGroup
	wg.Go(func() { sortParallel(s[:middle], cmp, workers/2) })
	sortParallel(s[middle:], cmp, workers-workers/2)
	wg.Wait()
}

// partition moves what is below pivot to the front and returns how many that are.
func partition(s []ref, pivot ref, cmp func(a, b ref) int) int {
	i, j := 0, len(s)-1
	for {
		for i <= j && cmp(s[i], pivot) < 0 {
			i++
		}
		for i <= j && cmp(s[j], pivot) >= 0 {
			j--
		}
		if i > j {
			return i
		}
		s[i], s[j] = s[j], s[i]
	}
}
