// Package blob keeps Go values in single files: a snapshot, which is written and
// read as a whole, and an indexed blob, which is written as a whole and read a key
// at a time.
//
//	err := blob.Save(path, records, blob.Options{})            // any value
//	records, err := blob.Load[map[string]Record](path)
//
//	err := blob.Pack(path, blob.Sorted(records), blob.Options{}) // keys in order
//	b, err := blob.Open[Record](path)
//	record, err := b.Get("id_00042")
//
// # Goals
//
//   - A file is the old content or the new, whole, whatever becomes of the writer.
//     What a finished call survives is one of two classes: see [Durability].
//   - What Load returns is what was saved, or an error: a file that is torn,
//     changed or foreign is never read as another value.
//   - All cores encode and decode. encoding/gob does that, through
//     shelflab/labkit/gobwire, so what a value may be, and how structs may change
//     over the years, follows gob's rules.
//   - Memory is bounded, and the bound is stated with each function.
//   - No input makes it panic, and it prints nothing.
//
// # Non-goals
//
//   - Changing a record in place: that is what shelflab/labkit/shelf is for.
//   - Files from people you do not trust. Damage is found by checksums, and no
//     length in a file costs memory that the file does not justify, but a file that
//     was made to do harm can make gob allocate many times its size.
//   - Other languages, compression, encryption.
//   - File systems that cannot rename atomically.
//
// # Which of the two
//
// Save and Load are for all or nothing: they are the fastest way from memory to
// disk and back. Pack and Open are for files of which a few records are wanted, or
// that do not fit into memory: opening reads a few kilobytes, a record costs one
// read, and [Indexed.All] streams.
//
// # Coming from pickle and shelve
//
//	pickle.dump(v, f)               blob.Save(path, v, blob.Options{})
//	v = pickle.load(f)              v, err := blob.Load[T](path)
//	shelve.open(path, "r")          b, err := blob.Open[V](path)
//	s[key]                          b.Get(key)
//	key in s                        b.Has(key)
//	len(s)                          b.Len(), which costs nothing
//	for key, v in s.items()         for e, err := range b.All(), in the order of keys
//	s.close()                       b.Close()
//	any class, by name              one Go type, stated by the reader
//	runs code of the file's choice  runs no code but the decoders of T
//	shared objects stay shared      are copied
//
// # What comes back
//
// By gob's rules, in Save and Pack alike; the table in package gobwire has all of
// it. The most common surprises:
//
//	what goes in                                what comes out
//	empty slice, nil or not                     nil
//	nil map                                     nil in a struct field, else an empty map
//	pointer to a zero number, string or slice   nil in a struct field
//	pointers that share a target                pointers to separate copies
//	negative zero in a struct field             zero
//	NaN                                         NaN; as map keys each one, in any order
//	time.Time                                   the same instant, no monotonic clock
//
// and refused with [ErrType], before a file is touched or with the old content
// kept: unexported, func and chan fields; a struct whose embedded field's encoder
// hides its siblings; a nil pointer in a slice, map or interface; a type in an
// interface that was not given to gob.Register; cyclic data.
//
// # The files
//
// Save and Pack write one format, version 1: header.go has the outline, frame.go,
// chunk.go, textkeys.go, block.go and index.go the parts. Later versions of this
// package read files of earlier ones; a file of a later one is [ErrVersion].
package blob
