package blob

import (
	"cmp"
	"reflect"
	"strings"
)

// hasOrder says whether compare can order keys of type t.
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
