package rows

import (
	"hash/maphash"
	"math"
)

// Row is one record of a file. Its values stand in the order of the fields, those
// of a kind in one slice; a value that the record does not have stands in none.
type Row struct {
	Whole  []int64
	Number []float64
	Truth  []bool
	Text   []string // texts, and JSON as text
	// Absent has a bit for each field, the lowest of the first byte first, that
	// is set where the record has no value. Zero bytes at its end are left out.
	Absent []byte
}

// has tells whether the record has a value of field i.
func (r *Row) has(i int) bool {
	return i/8 >= len(r.Absent) || r.Absent[i/8]&(1<<(i%8)) == 0
}

// lack says that the record has no value of field i.
func (r *Row) lack(i int) {
	for len(r.Absent) <= i/8 {
		r.Absent = append(r.Absent, 0)
	}
	r.Absent[i/8] |= 1 << (i % 8)
}

var seed = maphash.MakeSeed()

// Sum is a checksum of a row under its key, over all its fields. Sums add up to
// the checksum of a set in any order. It is cheap enough to be taken while rows
// are read, and it is meaningful within one process only.
func Sum(key string, r *Row) uint64 {
	h := maphash.String(seed, key)
	for _, x := range r.Whole {
		h = mix(h, uint64(x))
	}
	h = mix(h, uint64(len(r.Whole)))
	for _, x := range r.Number {
		h = mix(h, math.Float64bits(x))
	}
	h = mix(h, uint64(len(r.Number)))
	for _, x := range r.Truth {
		if x {
			h = mix(h, 1)
		} else {
			h = mix(h, 2)
		}
	}
	h = mix(h, uint64(len(r.Truth)))
	for _, x := range r.Text {
		h = mix(h, maphash.String(seed, x))
	}
	h = mix(h, uint64(len(r.Text)))
	return mix(h, maphash.Bytes(seed, r.Absent))
}

// Payload is how many bytes a row is under its key, whatever keeps it: texts by
// their length, numbers by 8 and truth values by 1. Names of fields and what is
// absent count for nothing.
func Payload(key string, r *Row) int {
	size := len(key) + 8*len(r.Whole) + 8*len(r.Number) + len(r.Truth)
	for _, text := range r.Text {
		size += len(text)
	}
	return size
}

// mix folds x into h; the multiplier is the 64-bit FNV prime.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x100000001b3
	return h ^ h>>29
}
