// Package codecs puts several engines behind one interface, so that only the
// engine differs between two arms. It is the trick of the engine.
//
// The engines of the standard library and gobwire are here; those that need a
// module of their own are in packages below, so that a program links the engines
// that it uses. [Facts] says what each of them carries, refuses and loses.
//
// Goals: engines as a program would use them, with their own defaults; the limits
// of each stated and tested. Not a goal: to hide that they differ.
package codecs

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrCorrupt says that what was to be decoded is cut short, or not what the
// engine's Encode wrote. Engines with errors of their own give those as they are.
var ErrCorrupt = errors.New("corrupt")

// Codec is an engine: it writes a value as bytes and reads it back. v is a
// pointer to the value, for Decode to a zero one. Decode may read beyond the end
// of the value. What an engine refuses is an error; v may then be partly filled.
// A Codec is safe for concurrent use. Cyclic values end the program in some
// engines: see Facts.
type Codec interface {
	Encode(w io.Writer, v any) error
	Decode(r io.Reader, v any) error
}

// Engine is a Codec with what tables say of it.
type Engine struct {
	Name string // as tables show it
	Kind string // "text" or "binary"
	What string // one line
	Codec
}

// Gob is encoding/gob with a fresh encoder and decoder for each value: the type's
// description is sent and compiled each time.
func Gob() Engine {
	return Engine{"gob", "binary", "encoding/gob, a fresh encoder and decoder", gobCodec{}}
}

type gobCodec struct{}

func (gobCodec) Encode(w io.Writer, v any) error { return gob.NewEncoder(w).Encode(v) }
func (gobCodec) Decode(r io.Reader, v any) error { return gob.NewDecoder(r).Decode(v) }

// JSON is encoding/json.
func JSON() Engine { return Engine{"JSON", "text", "encoding/json", jsonCodec{}} }

type jsonCodec struct{}

func (jsonCodec) Encode(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }
func (jsonCodec) Decode(r io.Reader, v any) error { return json.NewDecoder(r).Decode(v) }

// notOf says that an engine that is made for one type was given another.
func notOf(v any, want string) error { return fmt.Errorf("%T is not a pointer to %s", v, want) }
