package blob

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"

	"shelflab/labkit/gobwire"
)

// runDecoder decodes bodies, one at a time or a run of them at once, which saves what
// gob does for each message: elements of a slice stand in one as bodies do, one after
// the other, so a count in front of a run of bodies makes it the body of a slice.
type runDecoder[V any] struct {
	single *gobwire.Decoder[V]
	run    *gobwire.Decoder[[]V] // nil where a body needs a description of its own
	prefix int                   // bytes of a body that an element does not have
}

// packMeta describes V, and in the preamble []V if bodies can be decoded as runs.
func packMeta[V any](c *codec[V]) (meta, error) {
	m := c.meta()
	if !isPlain(reflect.TypeFor[V]()) {
		return m, nil
	}
	runs, err := codecOf[[]V]()
	if err != nil {
		return m, err
	}
	m.preamble = runs.Description()
	return m, nil
}

func newRunDecoder[V any](c *codec[V], m meta) (d runDecoder[V], err error) {
	if d.single, err = c.decoder(m); err != nil || len(m.preamble) == 0 {
		return d, err
	}
	runs, err := codecOf[[]V]()
	if err != nil {
		return d, err
	}
	of := m
	of.name, of.shape, of.description = runs.Name(), runs.Shape(), m.preamble
	if d.run, err = runs.decoder(of); err != nil {
		return d, err
	}
	// Outermost values other than structs stand behind a zero.
	base := through(reflect.New(reflect.TypeFor[V]()).Elem()).Type()
	if base.Kind() != reflect.Struct || encodesItself(base) {
		d.prefix = 1
	}
	return d, nil
}

func (d *runDecoder[V]) one(body []byte, v *V) error { return d.single.Decode(body, v) }

// run is a number of blocks that follow one another, on their way out.
type run[V any] struct {
	from, to int    // blocks
	frames   []byte // as read
	ends     []int  // of the bodies in body
	body     []byte // bodies, behind room for the head of a slice's body
	keys     []string
	values   []V
}

// sliceHead is the room for a zero and a count in front of a slice's elements.
const sliceHead = 10

// reset empties r and keeps its memory, unless that has grown large.
func (r *run[V]) reset() {
	if cap(r.frames) > 4*runBytes {
		*r = run[V]{}
	}
	clear(r.values)
	clear(r.keys)
	r.frames, r.body, r.ends, r.keys, r.values = r.frames[:0], r.body[:0], r.ends[:0], r.keys[:0], r.values[:0]
}

// collect takes the records of a block's payload into r.
func (d *runDecoder[V]) collect(r *run[V], payload []byte) error {
	if len(r.body) == 0 {
		r.body = append(r.body, make([]byte, sliceHead)...)
	}
	for len(payload) > 0 {
		key, body, rest, err := cutRecord(payload)
		if err != nil {
			return err
		}
		if n := len(r.keys); n > 0 && string(key) <= r.keys[n-1] {
			return corrupt("key %.80q after %.80q", key, r.keys[n-1])
		}
		if d.run != nil {
			if len(body) < d.prefix {
				return corrupt("key %.80q: no value", key)
			}
			body = body[d.prefix:]
		}
		r.keys = append(r.keys, string(key))
		r.body = append(r.body, body...)
		r.ends = append(r.ends, len(r.body))
		payload = rest
	}
	return nil
}

// decode decodes what r has collected.
func (d *runDecoder[V]) decode(r *run[V]) error {
	if d.run == nil {
		start := sliceHead
		for i, end := range r.ends {
			var v V
			if err := d.one(r.body[start:end], &v); err != nil {
				return fmt.Errorf("key %.80q: %w", r.keys[i], err)
			}
			r.values = append(r.values, v)
			start = end
		}
		return nil
	}
	// The values are zero, as Decode wants them, but may have room.
	if err := d.run.Decode(headSlice(r.body, len(r.keys)), &r.values); err != nil {
		return fmt.Errorf("keys %.80q to %.80q: %w", r.keys[0], r.keys[len(r.keys)-1], err)
	}
	if len(r.values) != len(r.keys) {
		return corrupt("%d keys with %d values", len(r.keys), len(r.values))
	}
	return nil
}

// headSlice puts the head of a slice of n elements in front of them, in the room
// that is there, and returns the whole: a zero, and gob's unsigned n (one byte up
// to 127, else the negated number of big-endian bytes that follow).
func headSlice(body []byte, n int) []byte {
	if n <= 127 {
		head := sliceHead - 2
		body[head], body[head+1] = 0, byte(n)
		return body[head:]
	}
	var big [8]byte
	binary.BigEndian.PutUint64(big[:], uint64(n))
	digits := bytes.TrimLeft(big[:], "\x00")
	head := sliceHead - 2 - len(digits)
	body[head], body[head+1] = 0, byte(-len(digits))
	copy(body[head+2:], digits)
	return body[head:]
}
