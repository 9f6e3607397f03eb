package gobwire

import (
	"encoding/gob"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
)

// A Decoder decodes bodies that were written under one description. It is safe
// for concurrent use; goroutines do not wait for one another.
type Decoder[V any] struct {
	name     string
	parsed   *description
	root     *node
	lost     []string
	decoders sync.Pool // of *decoder, primed
}

// decoder is a gob decoder that knows its descriptions.
type decoder struct {
	gob  *gob.Decoder
	in   feed
	head [24]byte // room for length and root number
}

// feed hands one message to a gob decoder. It reads bytes singly too, which keeps
// gob from reading ahead.
type feed struct {
	head []byte // length and number
	body []byte
}

func (f *feed) Read(p []byte) (int, error) {
	if len(f.head) > 0 {
		n := copy(p, f.head)
		f.head = f.head[n:]
		return n, nil
	}
	if len(f.body) == 0 {
		return 0, io.EOF
	}
	n := copy(p, f.body)
	f.body = f.body[n:]
	return n, nil
}

func (f *feed) ReadByte() (byte, error) {
	var p [1]byte
	_, err := f.Read(p[:])
	return p[0], err
}

// Decoder returns a decoder for bodies that were written under description, by
// this or any other process, for V or an older or newer form of it. A description
// that is damaged is ErrCorrupt; one whose types gob would not decode into V is
// ErrType.
func (c *Codec[V]) Decoder(description []byte) (*Decoder[V], error) {
	d, err := parseDescription(description)
	if err != nil {
		return nil, err
	}
	lost, err := compare(d, reflect.TypeFor[V](), c.name)
	if err != nil {
		return nil, err
	}
	dec := &Decoder[V]{name: c.name, parsed: d, lost: lost, root: newNodes(d.types).get(d.root)}
	if !d.selfContained {
		first, err := dec.primed()
		if err != nil {
			return nil, err
		}
		dec.decoders.Put(first)
		c.warm(dec)
	}
	return dec, nil
}

// warm has gob compile the decoder, which takes it as long as twenty values. Where
// the description is of another form of V the zero value may not decode, and the
// first value pays instead.
func (c *Codec[V]) warm(d *Decoder[V]) {
	if body, err := c.Append(nil, primer[V]()); err == nil {
		_ = d.Decode(body, new(V))
	}
}

// Lost returns the fields of the description that V does not have, as paths
// ("Record.Address.Zip"). Decode drops them, so a value that is decoded and
// encoded again loses them.
func (d *Decoder[V]) Lost() []string { return append([]string(nil), d.lost...) }

func (d *Decoder[V]) primed() (*decoder, error) {
	p := new(decoder)
	p.gob = gob.NewDecoder(&p.in)
	if err := prime(p.gob, &p.in, d.parsed.messages); err != nil {
		return nil, err
	}
	return p, nil
}

// Decode decodes body into *v, which must be the zero value: gob leaves alone
// what a body does not mention. A body that is cut short, continued, or promises
// more than it holds is ErrCorrupt; one that is whole but does not fit V (a number
// too large for its field, an unregistered type in an interface) is ErrType. *v
// may then be partly filled. Neither disturbs later calls.
//
// Memory: about the size of the body, plus the value. Before gob allocates
// anything, the counts in a body are checked against its length; what remains is
// the size of V's own parts, since an element of many kilobytes may be one byte
// on the wire.
func (d *Decoder[V]) Decode(body []byte, v *V) error {
	if d.parsed.selfContained {
		return d.decodeSelfContained(body, v)
	}
	if err := checkBare(d.root, body); err != nil {
		return fmt.Errorf("%w: %s", err, d.name)
	}
	p, _ := d.decoders.Get().(*decoder)
	if p == nil {
		var err error
		if p, err = d.primed(); err != nil {
			return err
		}
	}
	root := d.parsed.rootBytes
	p.in.head = append(appendUint(p.head[:0], uint64(len(root)+len(body))), root...)
	p.in.body = body
	if err := decodeSafely(p.gob, v); err != nil {
		return d.refused(err) // and the decoder goes too: it may be confused now
	}
	p.in.body = nil
	if len(body) <= maxPooled { // gob keeps the last one
		d.decoders.Put(p)
	}
	return nil
}

func (d *Decoder[V]) decodeSelfContained(body []byte, v *V) error {
	if err := checkSelfContained(body); err != nil {
		return fmt.Errorf("%w: %s", err, d.name)
	}
	if err := decodeSafely(gob.NewDecoder(&feed{body: body}), v); err != nil {
		return d.refused(err)
	}
	return nil
}

// refused wraps gob's refusal of a body that is whole. gob has no types for its
// errors. %v: an io.EOF of gob's must not end a caller's loop.
func (d *Decoder[V]) refused(err error) error {
	for _, unfit := range []string{`value for "`, "not registered for interface", "is not assignable to type"} {
		if strings.Contains(err.Error(), unfit) {
			return fmt.Errorf("%w: %s: %v%s", ErrType, d.name, err, remedy(err))
		}
	}
	return fmt.Errorf("%w: %s: %v", ErrCorrupt, d.name, err)
}
