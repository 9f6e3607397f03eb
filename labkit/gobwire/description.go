package gobwire

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
)

// A description on disk, version 1:
//
//	byte     version, 1
//	byte     0: bodies are bare values; 1: bodies are self-contained gobs
//	gob int  number of the root type
//	...      gob's messages that describe types, as gob.Encoder wrote them
//
// A bare body is the root's value message without its length and root number. A
// self-contained body is a gob stream of one value; the description then only
// serves to compare types.
const descriptionVersion = 1

// description is a parsed description.
type description struct {
	selfContained bool
	root          int64
	rootBytes     []byte // root as a gob int, as it stands in front of a value
	messages      []byte
	types         wireTypes
}

// describe has gob write the messages that describe v's type.
func describe(v any, selfContained bool) ([]byte, error) {
	var w messageWriter
	encodeErr := encodeSafely(gob.NewEncoder(&w), v)
	raw := []byte{descriptionVersion, 0}
	if selfContained {
		raw[1] = 1
	}
	var types []byte
	var root int64
	for _, m := range w.messages {
		id, ok := messageID(m)
		switch {
		case !ok:
			return nil, errors.New("gob wrote a message that cannot be read")
		case id < 0:
			if types == nil {
				root = -id // the outermost type goes first
			}
			types = append(types, m...)
		case types == nil:
			root = id
		}
	}
	// A zero value that gob refuses, such as an array of nil pointers, leaves an
	// error here after all types were sent; a type without description leaves none.
	if root == 0 {
		return nil, fmt.Errorf("gob does not describe it: %w", encodeErr)
	}
	raw = appendInt(raw, root)
	return append(raw, types...), nil
}

// messageWriter keeps each message that a gob.Encoder writes: one Write each.
type messageWriter struct{ messages [][]byte }

func (w *messageWriter) Write(p []byte) (int, error) {
	w.messages = append(w.messages, bytes.Clone(p))
	return len(p), nil
}

// messageID returns the number that opens a message, negative for a description.
func messageID(m []byte) (int64, bool) {
	_, rest, ok := readUint(m)
	if !ok {
		return 0, false
	}
	id, _, ok := readInt(rest)
	return id, ok
}

// parseDescription reads a description; what Description did not write is an
// error that wraps ErrCorrupt.
func parseDescription(raw []byte) (*description, error) {
	if len(raw) < 2 || raw[0] != descriptionVersion || raw[1] > 1 {
		return nil, fmt.Errorf("%w: description of an unknown version", ErrCorrupt)
	}
	root, rest, ok := readInt(raw[2:])
	if !ok || root <= 0 {
		return nil, fmt.Errorf("%w: description without a root type", ErrCorrupt)
	}
	d := &description{
		selfContained: raw[1] == 1,
		root:          root,
		rootBytes:     appendInt(nil, root),
		messages:      bytes.Clone(rest),
		types:         wireTypes{},
	}
	for len(rest) > 0 {
		n, body, ok := readUint(rest)
		if !ok || n > uint64(len(body)) {
			return nil, fmt.Errorf("%w: description is cut short", ErrCorrupt)
		}
		message := body[:n]
		rest = body[n:]
		id, wire, ok := readInt(message)
		if !ok || id >= 0 {
			return nil, fmt.Errorf("%w: description holds a value", ErrCorrupt)
		}
		if err := d.types.add(-id, wire); err != nil {
			return nil, err
		}
	}
	if err := d.types.complete(root); err != nil {
		return nil, err
	}
	return d, nil
}

// encodeSafely encodes v. gob panics where it calls an encoder on a nil pointer,
// and so does an encoder that is wrong itself.
func encodeSafely(enc *gob.Encoder, v any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in an encoder: %v", p)
		}
	}()
	return enc.Encode(v)
}

// decodeSafely decodes into v, or only reads descriptions where v is nil.
func decodeSafely(dec *gob.Decoder, v any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a decoder: %v", p)
		}
	}()
	return dec.Decode(v)
}

// prime makes dec know the types of messages, through the feed that it reads.
func prime(dec *gob.Decoder, f *feed, messages []byte) error {
	if len(messages) == 0 {
		return nil
	}
	f.head, f.body = nil, messages
	// Descriptions without a value after them: gob keeps them and misses the value.
	if err := decodeSafely(dec, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: description: %v", ErrCorrupt, err)
	}
	return nil
}
