package shelf

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"shelflab/labkit/gobwire"
)

// registry holds the decoders of the types that values of the shelf have, and the
// number under which V is written.
type registry[V any] struct {
	decoders atomic.Pointer[map[uint64]*gobwire.Decoder[V]]
	current  atomic.Uint64 // 0: V's form is not in the header yet
}

// load checks that what is stored can be read as V.
func (r *registry[V]) load(codec *gobwire.Codec[V], stored []description) error {
	decoders := map[uint64]*gobwire.Decoder[V]{}
	known := len(stored) == 0
	for _, d := range stored {
		known = known || d.Name == codec.Name() || d.Shape == codec.Shape()
	}
	if !known {
		return fmt.Errorf("%w: it holds values of %s, not %s", ErrType, stored[0].Name, codec.Name())
	}
	for _, d := range stored {
		decoder, err := codec.Decoder(d.Wire)
		if err != nil {
			return fmt.Errorf("values of %s: %w", d.Name, err)
		}
		decoders[uint64(d.Number)] = decoder
		if d.Shape == codec.Shape() {
			r.current.Store(uint64(d.Number))
		}
	}
	r.decoders.Store(&decoders)
	return nil
}

// add gives V's form a number.
func (r *registry[V]) add(codec *gobwire.Codec[V], number int) (description, error) {
	d := description{Number: number, Name: codec.Name(), Shape: codec.Shape(), Wire: codec.Description()}
	decoder, err := codec.Decoder(d.Wire)
	if err != nil {
		return d, err
	}
	decoders := map[uint64]*gobwire.Decoder[V]{uint64(number): decoder}
	if old := r.decoders.Load(); old != nil {
		for n, d := range *old {
			decoders[n] = d
		}
	}
	r.decoders.Store(&decoders)
	r.current.Store(uint64(number))
	return d, nil
}

// take adds decoders of another registry, under the numbers that they have here.
func (r *registry[V]) take(from *registry[V], numbers map[uint64]uint64) {
	decoders := maps.Clone(*r.decoders.Load())
	for here, there := range numbers {
		decoders[here] = (*from.decoders.Load())[there]
	}
	r.decoders.Store(&decoders)
}

// headerNow returns the header, which is replaced and not changed.
func (s *Shelf[V]) headerNow() *header {
	s.headerMu.Lock()
	defer s.headerMu.Unlock()
	return s.header
}

// number returns the number to write V under, which is its own as long as the
// shelf is open. Where the shelf was written by other forms of V only, the header
// gets V's own before its first value.
func (s *Shelf[V]) number() (uint64, error) {
	if n := s.types.current.Load(); n != 0 {
		return n, nil
	}
	s.headerMu.Lock()
	defer s.headerMu.Unlock()
	if n := s.types.current.Load(); n != 0 {
		return n, nil
	}
	n := s.header.next()
	d := description{Number: n, Name: s.codec.Name(), Shape: s.codec.Shape(), Wire: s.codec.Description()}
	h := header{Generation: s.header.Generation, Descriptions: append(slices.Clone(s.header.Descriptions), d), Next: n + 1}
	if err := writeHeader(s.path, &h); err != nil {
		return 0, err
	}
	s.header = &h
	_, err := s.types.add(s.codec, n)
	return uint64(n), err
}

// encode appends what is stored for v under key.
func (s *Shelf[V]) encode(dst []byte, key string, v *V) ([]byte, error) {
	n, err := s.number()
	if err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	body, err := s.codec.Append(binary.AppendUvarint(dst, n), v)
	switch size := len(body) - start; {
	case err != nil:
		return dst[:start], err
	case size > MaxValue:
		return dst[:start], fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, size, MaxValue)
	}
	binary.BigEndian.PutUint32(body[start:], checksum(key, body[start+4:]))
	return body, nil
}

func checksum(key string, stored []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte(key), castagnoli), castagnoli, stored)
}

// decoder returns the decoder for what is stored under key, and the body.
func (s *Shelf[V]) decoder(key string, stored []byte) (*gobwire.Decoder[V], []byte, error) {
	// Badger gives an empty value, and no error, for one that it cannot read.
	if len(stored) < 4 || binary.BigEndian.Uint32(stored) != checksum(key, stored[4:]) {
		return nil, nil, fmt.Errorf("%w: checksum of the value", ErrCorrupt)
	}
	n, size := binary.Uvarint(stored[4:])
	d := (*s.types.decoders.Load())[n]
	if size <= 0 || d == nil {
		return nil, nil, fmt.Errorf("%w: value of an unknown type %d", ErrCorrupt, n)
	}
	return d, stored[4+size:], nil
}

// decode decodes what is stored under key; the zero value goes with an error.
func (s *Shelf[V]) decode(key string, stored []byte) (V, error) {
	var v, zero V
	d, body, err := s.decoder(key, stored)
	if err != nil {
		return zero, err
	}
	if err := d.Decode(body, &v); err != nil {
		return zero, err
	}
	return v, nil
}

// lossless refuses to write back what was read through an older form of V.
func (s *Shelf[V]) lossless(key string, stored []byte) error {
	d, _, err := s.decoder(key, stored)
	if err != nil {
		return err
	}
	if lost := d.Lost(); len(lost) > 0 {
		return fmt.Errorf("%w: the value was written by a newer form of %s, and an update would erase %s",
			ErrType, s.codec.Name(), strings.Join(lost, ", "))
	}
	return nil
}
