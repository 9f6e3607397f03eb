package blob

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// The keys of a chunk, where they are strings, in a text block:
//
//	uvarint  number of keys
//	uvarint  length of all keys
//	uvarint  length of each key
//	...      keys
//
// They are loaded into one string that they share, which saves an allocation for
// each of them.
func appendText(dst []byte, keys []string) []byte {
	total := 0
	for _, k := range keys {
		total += len(k)
	}
	dst = binary.AppendUvarint(dst, uint64(len(keys)))
	dst = binary.AppendUvarint(dst, uint64(total))
	for _, k := range keys {
		dst = binary.AppendUvarint(dst, uint64(len(k)))
	}
	for _, k := range keys {
		dst = append(dst, k...)
	}
	return dst
}

// cutText takes a text block from the front of a chunk and puts its keys into the
// slice.
func cutText(chunk []byte, into reflect.Value) (rest []byte, err error) {
	short := corrupt("the keys of a chunk are cut short")
	n, w := binary.Uvarint(chunk)
	if w <= 0 {
		return nil, short
	}
	chunk = chunk[w:]
	total, w := binary.Uvarint(chunk)
	if w <= 0 {
		return nil, short
	}
	chunk = chunk[w:]
	left := uint64(len(chunk))
	if n > left || total > left-n { // a length takes a byte or more
		return nil, short
	}
	setLen(into, int(n))
	keys, at := view(into), uint64(0)
	lengths := chunk
	for range keys {
		k, w := binary.Uvarint(chunk)
		if w <= 0 || k > total-at {
			return nil, short
		}
		at += k
		chunk = chunk[w:]
	}
	if at != total || total > uint64(len(chunk)) {
		return nil, short
	}
	text, from := string(chunk[:total]), uint64(0)
	for i := range keys {
		k, w := binary.Uvarint(lengths)
		keys[i] = text[from : from+k]
		from += k
		lengths = lengths[w:]
	}
	return chunk[total:], nil
}

// view is a slice of strings of any type as what it is underneath.
func view(s reflect.Value) []string {
	return unsafe.Slice((*string)(s.UnsafePointer()), s.Len())
}
