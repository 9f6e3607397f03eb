// Package gobwire carries many small values in encoding/gob with the type
// description once, not once a value.
//
// A fresh gob.Encoder sends the description of the type in front of every value,
// and a fresh gob.Decoder compiles it again: for a record of seven fields that
// costs ten times the value itself. A [Codec] keeps encoders and decoders that
// have already seen the description, so a value is its body alone:
//
//	codec, err := gobwire.New[Record]()        // is the type fit for gob?
//	description := codec.Description()         // store once, beside the bodies
//	body, err := codec.Append(nil, &record)    // store for every value
//
//	decoder, err := codec.Decoder(description) // in any process, any build
//	err = decoder.Decode(body, &record)
//
// # Goals
//
//   - encoding/gob is the engine, and values follow its rules: fields are matched
//     by name, so structs may gain, lose and reorder fields over the years.
//   - What gob would lose without a word is refused by name, with the remedy.
//   - No body and no description makes it panic, loop, or allocate far more than
//     its own size: see [Decoder.Decode].
//
// # Non-goals
//
//   - A stable byte encoding: a map's entries come in random order, so equal
//     values may have different bodies.
//   - Integrity: a flipped bit inside a string is still a string. The stores
//     above keep checksums.
//   - Defence against an attacker who can also register types in this program.
//
// # What comes back
//
// gob's rules, which hold for shelf and blob alike:
//
//	what goes in                                   what comes out
//	empty slice, nil or not                        nil
//	empty map in a struct field, not nil           empty map, not nil
//	nil map in a struct field                      nil
//	nil map as V or as an element                  empty map, not nil
//	nil pointer in a struct field                  nil
//	pointer to a zero number, string, bool, slice  nil (in a struct field)
//	pointer to a zero struct or array              pointer to a zero value
//	pointers that share a target                   pointers to separate copies
//	negative zero in a struct field                zero (elements keep their sign)
//	NaN and infinities                             the same; any NaN stays a NaN
//	invalid UTF-8 in a string                      the same bytes
//	time.Time                                      the same instant and offset; no monotonic clock
//	nil interface                                  nil
//
// And what is refused with an error that wraps [ErrType]:
//
//	unexported field                               by New; `gobwire:"-"` says that the loss is meant
//	func or chan field                             by New; `gobwire:"-"` says that the loss is meant
//	embedded field whose encoder hides its siblings   by New
//	encoder without its decoder, or the other way     by New
//	map element whose encoder has a pointer receiver  by New
//	func, chan, unsafe.Pointer elsewhere           by New
//	pointer to itself (type T *T)                  by New
//	nil pointer as V, in a slice, array or map     by Append
//	nil pointer, or unregistered type, in an interface   by Append
//	cyclic data, or nesting beyond 10,000 levels   by Append
package gobwire
