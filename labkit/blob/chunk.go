package blob

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// A chunk is the payload of a frame of a list or a map: for a list one gob message
// with a slice of its next elements, for a map two, with as many keys and values.
// Slices are what gob carries fastest, and on any number of cores at a time. Keys
// that are strings are no gob message but a text block (textkeys.go).
//
// For a plain type the messages that describe the slices stand once in meta, as
// gob wrote them before empty slices; a decoder that has read those can decode any
// chunk. Values that hold interfaces bring descriptions of their own, so there
// every chunk is a gob stream of its own, and meta holds none.
type chunkTypes struct {
	parts    []reflect.Type // slice types: of elements, or of keys and of values
	text     bool           // the keys are a text block
	preamble []byte         // empty: chunks describe themselves
}

func newChunkTypes(t reflect.Type) chunkTypes {
	if t.Kind() == reflect.Map {
		return chunkTypes{
			parts: []reflect.Type{reflect.SliceOf(t.Key()), reflect.SliceOf(t.Elem())},
			text:  t.Key().Kind() == reflect.String && !encodesItself(t.Key()),
		}
	}
	return chunkTypes{parts: []reflect.Type{t}}
}

// notInGob is how many parts in front are no gob messages.
func (c *chunkTypes) notInGob() int {
	if c.text {
		return 1
	}
	return 0
}

// describe makes the preamble.
func (c *chunkTypes) describe() error {
	e := chunkEncoder{types: *c}
	if err := e.prime(); err != nil {
		return err
	}
	c.preamble = bytes.Clone(e.out.Bytes())
	return nil
}

// chunkEncoder encodes one chunk after the other; each worker has its own.
type chunkEncoder struct {
	types chunkTypes
	gob   *gob.Encoder
	out   bytes.Buffer
}

func (e *chunkEncoder) prime() error {
	e.out.Reset()
	e.gob = gob.NewEncoder(&e.out)
	for _, t := range e.types.parts[e.types.notInGob():] {
		if err := e.gob.EncodeValue(reflect.MakeSlice(t, 0, 0)); err != nil {
			return err
		}
	}
	return nil
}

// encode writes a chunk of slices, one for each part, behind the bytes of dst.
func (e *chunkEncoder) encode(dst []byte, slices ...reflect.Value) (_ []byte, err error) {
	// A panic in a type's own encoder must not end the program, as it would on a
	// goroutine that the caller does not know.
	defer recovered(&err, "encoder")
	switch {
	case len(e.types.preamble) == 0:
		e.gob = gob.NewEncoder(&e.out)
	case e.gob == nil:
		if err := e.prime(); err != nil {
			return dst, err
		}
	}
	if e.types.text {
		dst = appendText(dst, view(slices[0]))
	}
	e.out.Reset()
	for _, s := range slices[e.types.notInGob():] {
		if err := e.gob.EncodeValue(s); err != nil {
			return dst, fmt.Errorf("%w: %w", ErrType, err)
		}
	}
	return append(dst, e.out.Bytes()...), nil
}

// chunkDecoder decodes one chunk after the other; each worker has its own.
type chunkDecoder struct {
	types chunkTypes
	gob   *gob.Decoder
	in    bytes.Reader
}

// decode fills slices, one pointer to a slice for each part, from a chunk. They
// are empty, and what they have room for is zero.
func (d *chunkDecoder) decode(chunk []byte, slices ...reflect.Value) (err error) {
	defer recovered(&err, "decoder")
	switch {
	case len(d.types.preamble) == 0:
		d.gob = gob.NewDecoder(&d.in)
	case d.gob == nil:
		d.gob = gob.NewDecoder(&d.in)
		if err := d.read(d.types.preamble, make([]reflect.Value, len(d.types.parts)-d.types.notInGob())); err != nil {
			return err
		}
	}
	if d.types.text {
		if chunk, err = cutText(chunk, slices[0].Elem()); err != nil {
			return err
		}
	}
	return d.read(chunk, slices[d.types.notInGob():])
}

func (d *chunkDecoder) read(messages []byte, into []reflect.Value) error {
	d.in.Reset(messages)
	for _, v := range into {
		if err := d.gob.DecodeValue(v); err != nil {
			if err == io.EOF {
				return corrupt("a chunk is cut short")
			}
			return unfit(err)
		}
	}
	if d.in.Len() > 0 {
		return corrupt("%d bytes after a chunk", d.in.Len())
	}
	return nil
}

// unfit sorts gob's errors, which have no types: the checksum was right, so most
// say that the file holds something else than what it is to be loaded into.
func unfit(err error) error {
	for _, part := range []string{"type mismatch", "local type", `value for "`, "not registered for interface", "is not assignable"} {
		if strings.Contains(err.Error(), part) {
			return fmt.Errorf("%w: %v", ErrType, err)
		}
	}
	return corrupt("%v", err)
}

func recovered(err *error, who string) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: panic in the %s of a type: %v", ErrType, who, p)
	}
}
