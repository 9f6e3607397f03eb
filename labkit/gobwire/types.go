package gobwire

import (
	"encoding"
	"encoding/gob"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// method is the way in which a type encodes itself, by gob's order of preference.
type method int

const (
	none   method = iota
	byGob         // GobEncode, GobDecode
	binary        // MarshalBinary, UnmarshalBinary
)

var (
	gobEncoder = reflect.TypeFor[gob.GobEncoder]()
	gobDecoder = reflect.TypeFor[gob.GobDecoder]()
	marshaler  = reflect.TypeFor[encoding.BinaryMarshaler]()
	unmarsh    = reflect.TypeFor[encoding.BinaryUnmarshaler]()
)

// implements follows gob: t, or what it points to, or (for a type that is no
// pointer) the pointer to it, in which case the value must be addressable.
func implements(t, iface reflect.Type) (ok, byAddress bool) {
	for rt := t; ; rt = rt.Elem() {
		if rt.Implements(iface) {
			return true, false
		}
		if rt.Kind() != reflect.Pointer {
			break
		}
	}
	ok = t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(iface)
	return ok, ok
}

// ownEncoding returns how t encodes and decodes itself, and whether encoding
// needs its address.
func ownEncoding(t reflect.Type) (enc, dec method, byAddress bool) {
	if ok, addr := implements(t, gobEncoder); ok {
		enc, byAddress = byGob, addr
	} else if ok, addr := implements(t, marshaler); ok {
		enc, byAddress = binary, addr
	}
	if ok, _ := implements(t, gobDecoder); ok {
		dec = byGob
	} else if ok, _ := implements(t, unmarsh); ok {
		dec = binary
	}
	return enc, dec, byAddress
}

// baseType follows pointers to what gob sends. ok is false for a pointer that
// only ever points to itself.
func baseType(t reflect.Type) (base reflect.Type, ok bool) {
	seen := map[reflect.Type]bool{}
	for t.Kind() == reflect.Pointer {
		if seen[t] {
			return t, false
		}
		seen[t] = true
		t = t.Elem()
	}
	return t, true
}

// place is a type at an addressable or another place: elements of maps and of
// interfaces have no address.
type place struct {
	t           reflect.Type
	addressable bool
}

var checked sync.Map // place -> error: the verdict on types met before

// checkType returns an error wrapping ErrType for a type that gob would not carry
// whole.
func checkType(t reflect.Type) error { return checkPlace(place{t, true}) }

func checkPlace(p place) error {
	if err, ok := checked.Load(p); ok {
		err, _ := err.(error)
		return err
	}
	err := typeChecker{}.check(p, typeName(p.t))
	checked.Store(p, err)
	return err
}

// typeChecker holds the places on the way, so that recursive types end.
type typeChecker map[place]bool

func refuse(path, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrType, path, fmt.Sprintf(format, args...))
}

func (c typeChecker) check(p place, path string) error {
	if c[p] {
		return nil
	}
	c[p] = true
	base, ok := baseType(p.t)
	if !ok {
		return refuse(path, "a pointer that only points to itself carries no data: use a struct")
	}
	if enc, dec, byAddress := ownEncoding(p.t); enc != none || dec != none {
		switch {
		case enc != dec:
			return refuse(path, "%s does not encode and decode itself in one way: give it both GobEncode and GobDecode, or both MarshalBinary and UnmarshalBinary", base)
		case byAddress && !p.addressable:
			return refuse(path, "the encoder of %s has a pointer receiver, and gob cannot take the address here: use *%s", base, base)
		}
		return checkSwallow(base, enc, path)
	}
	inner := p.addressable || p.t.Kind() == reflect.Pointer
	switch base.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return refuse(path, "gob cannot carry a %s", base.Kind())
	case reflect.Slice:
		return c.check(place{base.Elem(), true}, path+"[]")
	case reflect.Array:
		return c.check(place{base.Elem(), inner}, path+"[]")
	case reflect.Map:
		if err := c.check(place{base.Key(), false}, path+"[key]"); err != nil {
			return err
		}
		return c.check(place{base.Elem(), false}, path+"[]")
	case reflect.Struct:
		return c.checkStruct(base, inner, path)
	}
	return nil
}

func (c typeChecker) checkStruct(t reflect.Type, addressable bool, path string) error {
	sent := 0
	for i := range t.NumField() {
		f := t.Field(i)
		at := path + "." + f.Name
		switch {
		case isSent(f):
			sent++
			if err := c.check(place{f.Type, addressable}, at); err != nil {
				return err
			}
		case f.Name == "_" || f.Tag.Get("gobwire") == "-":
		case exported(f.Name):
			return refuse(at, "gob would lose this %s: remove it, give %s GobEncode and GobDecode, or mark the field `gobwire:\"-\"`", f.Type, t)
		default:
			return refuse(at, "gob would lose this unexported field: export it, give %s GobEncode and GobDecode, or mark the field `gobwire:\"-\"`", t)
		}
	}
	if sent == 0 && t.NumField() > 0 {
		return refuse(path, "%s has no field that gob carries: export one, or give it GobEncode and GobDecode", t)
	}
	return nil
}

// exported follows gob, which looks at the name and not at the package.
func exported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// isSent says whether gob sends the field.
func isSent(f reflect.StructField) bool {
	base, _ := baseType(f.Type)
	return exported(f.Name) && base.Kind() != reflect.Func && base.Kind() != reflect.Chan
}

// checkSwallow refuses a struct that encodes itself only because an embedded
// field does: the encoder of an embedded time.Time knows nothing of the fields
// beside it.
func checkSwallow(t reflect.Type, enc method, path string) error {
	if t.Kind() != reflect.Struct {
		return nil
	}
	names := []string{"GobEncode", "GobDecode"}
	if enc == binary {
		names = []string{"MarshalBinary", "UnmarshalBinary"}
	}
	for _, name := range names {
		from, ok := promotedFrom(t, name)
		if !ok {
			continue
		}
		var lost []string
		for i := range t.NumField() {
			if f := t.Field(i); i != from && f.Name != "_" && f.Tag.Get("gobwire") != "-" {
				lost = append(lost, f.Name)
			}
		}
		if len(lost) > 0 {
			return refuse(path, "the %s of the embedded %s would stand for all of %s and lose %s: give the embedded field a name, or give %s its own %s and %s",
				name, t.Field(from).Name, t, strings.Join(lost, ", "), t, names[0], names[1])
		}
	}
	return nil
}

// promotedFrom returns the embedded field that t's method comes from. A method of
// t's own hides it; reflection does not tell the two apart, but the compiler
// writes the forwarding method itself, and so in no file.
func promotedFrom(t reflect.Type, name string) (field int, ok bool) {
	for _, rt := range []reflect.Type{t, reflect.PointerTo(t)} {
		if m, ok := rt.MethodByName(name); ok {
			fn := runtime.FuncForPC(m.Func.Pointer())
			if file, _ := fn.FileLine(fn.Entry()); file != "<autogenerated>" {
				return 0, false
			}
		}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous {
			continue
		}
		_, direct := f.Type.MethodByName(name)
		_, byAddress := reflect.PointerTo(f.Type).MethodByName(name)
		if direct || byAddress {
			return i, true
		}
	}
	return 0, false
}
