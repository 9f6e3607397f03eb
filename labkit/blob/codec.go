package blob

import (
	"fmt"
	"reflect"
	"sync"

	"shelflab/labkit/gobwire"
)

// codec is a gobwire codec with the decoder that was used last: making either
// takes longer than a small blob does, and a program has few types and usually one
// description of each.
type codec[V any] struct {
	*gobwire.Codec[V]
	mu          sync.Mutex
	description string
	last        *gobwire.Decoder[V]
}

var codecs sync.Map // reflect.Type -> *codec[V]

func codecOf[V any]() (*codec[V], error) {
	t := reflect.TypeFor[V]()
	if c, ok := codecs.Load(t); ok {
		return c.(*codec[V]), nil
	}
	wire, err := gobwire.New[V]()
	if err != nil {
		return nil, err
	}
	c, _ := codecs.LoadOrStore(t, &codec[V]{Codec: wire})
	return c.(*codec[V]), nil
}

func (c *codec[V]) meta() meta {
	return meta{name: c.Name(), shape: c.Shape(), description: c.Description()}
}

// decoder returns the decoder for what m describes. gob would take any struct
// that has one field name in common: here either the name of the type is the
// same, or what it is made of.
func (c *codec[V]) decoder(m meta) (*gobwire.Decoder[V], error) {
	if err := c.fits(m); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && c.description == string(m.description) {
		return c.last, nil
	}
	d, err := c.Decoder(m.description)
	if err != nil {
		return nil, err
	}
	c.last, c.description = d, string(m.description)
	return d, nil
}

func (c *codec[V]) fits(m meta) error {
	if m.shape == c.Shape() || m.name == c.Name() {
		return nil
	}
	return fmt.Errorf("%w: it holds %s, not %s", ErrType, m.name, c.Name())
}

// through follows and fills in the pointers of a value of V down to what gob
// sends.
func through(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	return v
}
