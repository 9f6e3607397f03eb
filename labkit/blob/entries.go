package blob

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strings"
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
func sortedEntries(m reflect.Value) entries {
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
	if hasOrder(key) {
		e.sort()
	}
	return e
}

// sort sorts by prefixes, and by whole keys where those are the same.
func (e *entries) sort() {
	exact := e.setPrefixes()
	e.order = sortByPrefix(e.order)
	if exact {
		return
	}
	compareAt := func(a, b ref) int { return compare(e.keys.Index(a.at), e.keys.Index(b.at)) }
	if e.keys.Type().Elem().Kind() == reflect.String {
		keys := view(e.keys)
		compareAt = func(a, b ref) int { return strings.Compare(keys[a.at], keys[b.at]) }
	}
	for from := 0; from < len(e.order); {
		to := from + 1
		for to < len(e.order) && e.order[to].prefix == e.order[from].prefix {
			to++
		}
		slices.SortFunc(e.order[from:to], compareAt)
		from = to
	}
}

// sortByPrefix is a radix sort, which passes over the bytes that are the same in
// all prefixes. The result is refs or another slice.
func sortByPrefix(refs []ref) []ref {
	var differ uint64
	for _, r := range refs {
		differ |= r.prefix ^ refs[0].prefix
	}
	var to []ref
	for shift := 0; shift < 64; shift += 8 {
		if byte(differ>>shift) == 0 {
			continue
		}
		if to == nil {
			to = make([]ref, len(refs))
		}
		var starts [256]int
		for _, r := range refs {
			starts[byte(r.prefix>>shift)]++
		}
		sum := 0
		for b, n := range starts {
			starts[b] = sum
			sum += n
		}
		for _, r := range refs {
			b := byte(r.prefix >> shift)
			to[starts[b]] = r
			starts[b]++
		}
		refs, to = to, refs
	}
	return refs
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
