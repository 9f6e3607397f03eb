// Package cbor is the engine of github.com/fxamacker/cbor. It is by itself so
// that a program without it does not link it.
package cbor

import (
	"io"

	"github.com/fxamacker/cbor/v2"

	"shelflab/labkit/arms/codecs"
)

// Engine is CBOR with the library's defaults, structs as maps from the names of
// their fields, but with its limits raised to the highest that it allows: by
// default it decodes 32 levels and 131,072 elements, which a hierarchy and an
// array of the lab exceed. What is beyond them is refused when it is decoded, not
// when it is encoded.
func Engine() codecs.Engine {
	return codecs.Engine{Name: "CBOR", Kind: "binary", What: "fxamacker/cbor, structs as maps by field name", Codec: codec{}}
}

// The highest limits that the library allows.
const (
	maxLevels   = 65_535
	maxElements = 1<<31 - 1
)

var decoding = func() cbor.DecMode {
	mode, err := cbor.DecOptions{
		MaxNestedLevels: maxLevels, MaxArrayElements: maxElements, MaxMapPairs: maxElements,
	}.DecMode()
	if err != nil {
		panic(err) // the options are constants, and a test makes them
	}
	return mode
}()

type codec struct{}

func (codec) Encode(w io.Writer, v any) error { return cbor.NewEncoder(w).Encode(v) }
func (codec) Decode(r io.Reader, v any) error { return decoding.NewDecoder(r).Decode(v) }
