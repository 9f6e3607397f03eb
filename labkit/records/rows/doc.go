// Package rows reads a user's own records, from a JSON Lines or a CSV file, into
// a record type that gob carries without interfaces.
//
//	file   ->  lines  ->  cells, each of a kind  ->  fields, one kind each  ->  rows
//
// Goals: nothing is silently lost or altered. What cannot be read is counted and
// told with its line and the reason; a number that 64 bits do not hold stays the
// text that it was; a field whose values are of several kinds says so. Not
// goals: to guess dates or units, to read files that do not fit into memory, to
// keep the layout of the file.
//
// # The record
//
// Go's types are fixed when a program is built, and a notebook learns the fields
// of a file only when it runs. A map[string]any would do, but gob sends the name
// of the concrete type with every value of an interface, and a codec that sends
// type descriptions once has to fall back for it: the lab would measure that
// fall-back, not the stores. So a [Row] holds its values in one slice a kind,
// and the names and kinds stand once, in [File.Fields].
//
// How fair is that? A program that knows its fields would write a struct, and
// gob sends about the same bytes for both: a struct has a byte before each field
// that is not zero, a slice has none but sends zeros, too. Decoding a Row
// allocates a slice for each kind besides the texts, which a struct does not.
// Every arm keeps the same rows, so the arms compare; an absolute time may differ
// from that of a struct, and BenchmarkRowOrStruct sets the two side by side.
//
// # What is understood
//
//	JSON or CSV                            kind
//	17, -3, to the limits of 64 bits       Whole
//	1.5, 2e9, up to 17 digits, -0          Number
//	true, false; CSV: True, TRUE too       Truth
//	any text                               Text
//	[...], {}, objects below four levels   JSON, as compact text
//	null, a missing field, an empty cell   no value
//
// Objects are flattened: {"a": {"b": 1}} is a field "a.b". Whole and Number mixed
// are Number, if no whole number is beyond 2^53; everything else mixed is Text,
// with each value as it was written. So is a field with a number beyond 64 bits
// or 17 digits. In CSV, 007 and +1 are texts, since a number would lose how they
// are written; a line break inside a cell is "\n", whatever it was.
//
// Blank lines are no records. The delimiter of CSV is whichever of comma,
// semicolon and tab is most frequent in the first line, which names the fields.
package rows
