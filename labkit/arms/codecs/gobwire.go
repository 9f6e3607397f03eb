package codecs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"shelflab/labkit/gobwire"
)

// Gobwire is labkit/gobwire: gob's bytes, with the type looked at once and not
// once a value. It refuses cycles, at which gob crashes, and unexported, func and
// channel fields, which gob leaves out; what else gob loses, it loses too: see
// Facts. Unlike the others it is made for one type, V; values of another are an
// error. A V that it cannot carry is one that wraps gobwire.ErrType.
//
// A value is the length of the type's description, the description, the length of
// the body and the body; lengths are 8 bytes, little endian. A real store keeps
// the description once; here it goes with each value, since a file holds one.
func Gobwire[V any]() (Engine, error) {
	codec, err := gobwire.New[V]()
	if err != nil {
		return Engine{}, err
	}
	return Engine{"gobwire", "binary", "labkit/gobwire: gob with the type looked at once", &gobwireCodec[V]{codec: codec}}, nil
}

type gobwireCodec[V any] struct {
	codec    *gobwire.Codec[V]
	decoders sync.Map // *gobwire.Decoder[V] by description
}

func (c *gobwireCodec[V]) Encode(w io.Writer, v any) error {
	p, ok := v.(*V)
	if !ok {
		return notOf(v, c.codec.Name())
	}
	body, err := c.codec.Append(nil, p)
	if err != nil {
		return err
	}
	for _, piece := range [][]byte{c.codec.Description(), body} {
		if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(piece)))); err != nil {
			return err
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

func (c *gobwireCodec[V]) Decode(r io.Reader, v any) error {
	p, ok := v.(*V)
	if !ok {
		return notOf(v, c.codec.Name())
	}
	description, err := readPiece(r)
	if err != nil {
		return fmt.Errorf("%w: the description: %v", ErrCorrupt, err)
	}
	body, err := readPiece(r)
	if err != nil {
		return fmt.Errorf("%w: the body: %v", ErrCorrupt, err)
	}
	known, ok := c.decoders.Load(string(description))
	if !ok {
		decoder, err := c.codec.Decoder(description)
		if err != nil {
			return err
		}
		known, _ = c.decoders.LoadOrStore(string(description), decoder)
	}
	return known.(*gobwire.Decoder[V]).Decode(body, p)
}

// readPiece reads a length and that many bytes. It makes room for at most
// trusted bytes before they have come, whatever the length says.
func readPiece(r io.Reader) ([]byte, error) {
	var length [8]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, err
	}
	want := binary.LittleEndian.Uint64(length[:])
	if want > math.MaxInt64 {
		return nil, errors.New("its length is not possible")
	}
	var piece bytes.Buffer
	piece.Grow(int(min(want, trusted)))
	if n, err := io.CopyN(&piece, r, int64(want)); err != nil {
		return nil, fmt.Errorf("%d bytes of %d: %w", n, want, err)
	}
	return piece.Bytes(), nil
}

const trusted = 16 << 20
