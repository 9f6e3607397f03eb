// Package msgpack is the engine of github.com/vmihailenco/msgpack. It is by
// itself so that a program without it does not link it.
package msgpack

import (
	"io"

	"github.com/vmihailenco/msgpack/v5"

	"shelflab/labkit/arms/codecs"
)

// Engine is MessagePack with the library's defaults: structs as maps from the
// names of their fields.
func Engine() codecs.Engine {
	return codecs.Engine{Name: "msgpack", Kind: "binary", What: "vmihailenco/msgpack, structs as maps by field name", Codec: codec{}}
}

type codec struct{}

func (codec) Encode(w io.Writer, v any) error { return msgpack.NewEncoder(w).Encode(v) }
func (codec) Decode(r io.Reader, v any) error { return msgpack.NewDecoder(r).Decode(v) }
