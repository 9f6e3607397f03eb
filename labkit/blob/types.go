package blob

import (
	"encoding"
	"encoding/gob"
	"reflect"
)

// layoutOf says how a value of t, which is no pointer, is written: maps and slices
// in chunks, everything else, byte slices included, as one body.
func layoutOf(t reflect.Type) kind {
	switch {
	case encodesItself(t):
		return kindValue
	case t.Kind() == reflect.Map:
		return kindMap
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return kindList
	}
	return kindValue
}

func encodesItself(t reflect.Type) bool {
	for _, iface := range []reflect.Type{reflect.TypeFor[gob.GobEncoder](), reflect.TypeFor[encoding.BinaryMarshaler]()} {
		if t.Implements(iface) || reflect.PointerTo(t).Implements(iface) {
			return true
		}
	}
	return false
}

// isPlain says whether one description, known beforehand, serves for all values
// of t, and none of them can be cyclic: t holds no interface and not itself.
func isPlain(t reflect.Type) bool { return plain(t, map[reflect.Type]bool{}) }

func plain(t reflect.Type, onTheWay map[reflect.Type]bool) bool {
	if encodesItself(t) {
		return true
	}
	if onTheWay[t] {
		return false
	}
	onTheWay[t] = true
	defer delete(onTheWay, t)
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return plain(t.Elem(), onTheWay)
	case reflect.Map:
		return plain(t.Key(), onTheWay) && plain(t.Elem(), onTheWay)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && !plain(f.Type, onTheWay) {
				return false
			}
		}
	}
	return true
}
