package gobwire

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
)

// maxPooled is the largest value, in bytes, after which an encoder or a decoder is
// used again: it keeps a buffer of that size as long as it lives.
const maxPooled = 4 << 20

// encoder is a gob encoder that has sent its descriptions.
type encoder struct {
	gob *gob.Encoder
	out sink
}

// sink takes the message of one value without its length and root number.
type sink struct {
	root     []byte
	dst      []byte
	size     int // of the message
	messages int
	foreign  bool // a message of another type came
}

func (s *sink) Write(p []byte) (int, error) {
	s.messages++
	s.size = len(p)
	_, message, ok := readUint(p)
	if !ok || !bytes.HasPrefix(message, s.root) {
		s.foreign = true
		return len(p), nil
	}
	s.dst = append(s.dst, message[len(s.root):]...)
	return len(p), nil
}

func newEncoder(d *description, primer any) *encoder {
	e := &encoder{out: sink{root: d.rootBytes}}
	e.gob = gob.NewEncoder(&e.out)
	// A zero value may be refused; its descriptions are sent before that.
	_ = encodeSafely(e.gob, primer)
	return e
}

// Append appends the body of *v to dst and returns the longer slice. The body is
// the value alone, without length, type number or checksum. A value that gob
// cannot carry is an error that wraps ErrType; dst is then returned as it was.
// *v is only read, and must not change meanwhile.
func (c *Codec[V]) Append(dst []byte, v *V) ([]byte, error) {
	if err := c.checkValue(v); err != nil {
		return dst, err
	}
	if c.parsed.selfContained {
		return c.appendSelfContained(dst, v)
	}
	e := c.encoders.Get().(*encoder)
	e.out.dst, e.out.messages, e.out.foreign = dst, 0, false
	err := encodeSafely(e.gob, v)
	body, ok := e.out.dst, e.out.messages == 1 && !e.out.foreign
	e.out.dst = nil
	switch {
	case err != nil: // and the encoder goes too
		return dst, c.cannotCarry(err)
	case !ok:
		return dst, c.cannotCarry(errors.New("gob described a type again"))
	}
	if e.out.size <= maxPooled {
		c.encoders.Put(e)
	}
	return body, nil
}

// appendSelfContained writes a gob stream of one value: what an interface holds
// has descriptions of its own, which no other value can know.
func (c *Codec[V]) appendSelfContained(dst []byte, v *V) ([]byte, error) {
	w := bytes.NewBuffer(dst)
	if err := encodeSafely(gob.NewEncoder(w), v); err != nil {
		return dst, c.cannotCarry(err)
	}
	return w.Bytes(), nil
}

func (c *Codec[V]) cannotCarry(err error) error {
	return fmt.Errorf("%w: %s: %w%s", ErrType, c.name, err, remedy(err))
}

// checkValue refuses what gob would recurse into for ever or panic at.
func (c *Codec[V]) checkValue(v *V) error {
	if v == nil {
		return fmt.Errorf("%w: %s: nil pointer to the value", ErrType, c.name)
	}
	rv := reflect.ValueOf(v).Elem()
	if rv.Kind() != reflect.Pointer && !c.walks {
		return nil
	}
	for rv.Kind() == reflect.Pointer {
		if rv.IsNil() {
			return fmt.Errorf("%w: %s: gob cannot carry a nil pointer as the value", ErrType, c.name)
		}
		rv = rv.Elem()
	}
	if c.walks {
		return walkValue(rv, c.name, 0)
	}
	return nil
}
