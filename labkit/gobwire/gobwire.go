package gobwire

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
)

var (
	// ErrType says that a type, or this one value of it, cannot be carried, or
	// that a description does not fit the type that it is to be decoded into.
	ErrType = errors.New("type does not fit")

	// ErrCorrupt says that a body or a description is not what Append or
	// Description gave.
	ErrCorrupt = errors.New("corrupt")
)

// Entry is a value with its key: what the stores take in and give out.
type Entry[V any] struct {
	Key   string
	Value V
}

// A Codec encodes values of type V and makes decoders for them. It is safe for
// concurrent use; goroutines do not wait for one another.
type Codec[V any] struct {
	name        string
	shape       string
	description []byte
	parsed      *description
	walks       bool      // values may be cyclic or hold interfaces: look before encoding
	encoders    sync.Pool // of *encoder, primed
}

// New returns the codec of V: a struct, a basic type, a slice, an array, a map, a
// pointer to one of these, an interface, or a type with its own GobEncode or
// MarshalBinary. A type that gob would carry with silent loss, or not at all, is
// an error that wraps ErrType, names the field and gives the remedy; the package
// comment has the list.
func New[V any]() (*Codec[V], error) {
	t := reflect.TypeFor[V]()
	if err := checkType(t); err != nil {
		return nil, err
	}
	c := &Codec[V]{name: typeName(t), shape: shapeOf(t), walks: needsWalk(t)}
	raw, err := describe(primer[V](), holdsInterface(t))
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrType, c.name, err)
	}
	c.description = raw
	if c.parsed, err = parseDescription(raw); err != nil {
		return nil, fmt.Errorf("%w: %s: its own description cannot be read: %w", ErrType, c.name, err)
	}
	c.encoders.New = func() any { return newEncoder(c.parsed, primer[V]()) }
	return c, nil
}

// Name returns the name of V's type as Go prints it, without leading pointers:
// "records.Record", "map[string]int".
func (c *Codec[V]) Name() string { return c.name }

// Shape returns what goes over the wire for V in one canonical line: names of
// structs and fields, kinds, nesting. It is equal in every process and build
// whose V is encoded alike, so it can key a stored description. Widths of
// numbers and pointers do not show, since gob does not send them.
func (c *Codec[V]) Shape() string { return c.shape }

// Description returns what a decoder in another process needs to know before it
// can read bodies of this codec. The bytes are opaque, versioned, and differ from
// process to process even for one Shape; a body must be decoded under the
// description of the process that wrote it, or of any other process with the
// same Shape. The caller may keep and change the slice.
func (c *Codec[V]) Description() []byte { return append([]byte(nil), c.description...) }

// typeName is the printed name of t without leading pointers, which gob does not
// send.
func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	return t.String()
}

// primer returns a value that makes an encoder send every description that V
// needs: zero, with the pointers in front of it filled in, since gob refuses a
// nil pointer there.
func primer[V any]() *V {
	p := new(V)
	for v := reflect.ValueOf(p).Elem(); v.Kind() == reflect.Pointer; v = v.Elem() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	return p
}
