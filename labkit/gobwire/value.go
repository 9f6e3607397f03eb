package gobwire

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// reach says what a type can hold.
type reach struct {
	own   bool // encodes itself
	walk  bool // values may be cyclic, nest without bound, or hold interfaces
	iface bool // holds interfaces
}

var reaches sync.Map // reflect.Type -> reach

func needsWalk(t reflect.Type) bool      { return reachOf(t).walk }
func holdsInterface(t reflect.Type) bool { return reachOf(t).iface }

// reachOf looks through all that t is made of.
func reachOf(t reflect.Type) reach {
	if r, ok := reaches.Load(t); ok {
		return r.(reach)
	}
	enc, _, _ := ownEncoding(t)
	r := reach{own: enc != none}
	members := within(t)
	for m := range members {
		if m.Kind() == reflect.Interface {
			r.walk, r.iface = true, true
			break
		}
		// On a way back to itself?
		for _, part := range parts(m) {
			r.walk = r.walk || part == m || within(part)[m]
		}
	}
	reaches.Store(t, r)
	return r
}

// within returns the types that gob meets in t, itself included, without pointers.
func within(t reflect.Type) map[reflect.Type]bool {
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, p := range parts(t) {
			visit(p)
		}
	}
	if base, ok := sent(t); ok {
		visit(base)
	}
	return seen
}

// sent returns the type without pointers; ok is false for what encodes itself.
func sent(t reflect.Type) (base reflect.Type, ok bool) {
	if enc, _, _ := ownEncoding(t); enc != none {
		return nil, false
	}
	return baseType(t)
}

// parts returns what t is directly made of on the wire.
func parts(t reflect.Type) []reflect.Type {
	var all []reflect.Type
	add := func(t reflect.Type) {
		if base, ok := sent(t); ok {
			all = append(all, base)
		}
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		add(t.Elem())
	case reflect.Map:
		add(t.Key())
		add(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); isSent(f) {
				add(f.Type)
			}
		}
	}
	return all
}

// walkValue refuses cyclic and very deep data, and in interfaces what checkType
// would have refused. It looks only where a type allows such things.
func walkValue(v reflect.Value, path string, depth int) error {
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		if reachOf(t).own || v.IsNil() {
			return nil // gob omits it, or refuses it by itself
		}
		return walkValue(v.Elem(), path, depth)
	}
	if !needsWalk(t) {
		return nil
	}
	if depth++; depth > maxDepth {
		// The path is as long as the data is deep: its beginning will do.
		return fmt.Errorf("%w: %.60s…: cyclic, or nested beyond %d levels", ErrType, path, maxDepth)
	}
	switch t.Kind() {
	case reflect.Interface:
		return walkInterface(v, path, depth)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if err := walkValue(v.Index(i), path, depth); err != nil {
				return err
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if err := walkValue(it.Key(), path, depth); err != nil {
				return err
			}
			if err := walkValue(it.Value(), path, depth); err != nil {
				return err
			}
		}
	case reflect.Struct:
		return walkStruct(v, path, depth)
	}
	return nil
}

func walkStruct(v reflect.Value, path string, depth int) error {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if !isSent(f) {
			continue
		}
		at := path
		if depth < 8 { // deeper, names help nobody and cost the square of the depth
			at = path + "." + f.Name
		}
		if err := walkValue(v.Field(i), at, depth); err != nil {
			return err
		}
	}
	return nil
}

func walkInterface(v reflect.Value, path string, depth int) error {
	if v.IsNil() {
		return nil
	}
	v = v.Elem()
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return refuse(path, "gob cannot carry a nil %s in an interface: leave the interface nil", v.Type())
	}
	if err := checkPlace(place{v.Type(), false}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return walkValue(v, path, depth)
}

// remedy adds to an error of gob's what its user can do about it.
func remedy(err error) string {
	if strings.Contains(err.Error(), "not registered for interface") {
		return ": call gob.Register with a value of that type before the store is opened"
	}
	return ""
}
