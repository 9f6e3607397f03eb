package blob

import (
	"hash/crc32"
	"reflect"
	"sync/atomic"
)

// Save writes v as one file at path, in place of what was there: atomically, so
// that a reader, and what is left after a crash, has the old content or the new.
//
// A map or a slice is encoded on all cores, in chunks; a map in the order of its
// keys where these are numbers, strings, bools, or arrays and structs of those, so
// that a map saved twice gives equal bytes (if its values hold no maps). Anything
// else, a []byte too, is one gob. A nil map loads as an empty one, an empty slice as
// nil.
//
// A value or type that gob would not carry whole is ErrType. After every error
// what is at path stays as it was, but for one: with [PowerLoss], where the sync of
// the folder fails, the last step, the new content is there, and a power cut may
// bring back the old. v must not change meanwhile. Two Saves to one path at once
// leave the content of one of them.
//
// The mode of a file that is replaced is kept, its owner is not; a new file gets
// 0666 without the umask. A symbolic link stays and its target is replaced. A
// folder, a pipe or a device at path is ErrTarget. The names ".NAME.blobtmp0" to
// ".NAME.blobtmp7" beside a file NAME belong to this package: they are its
// temporary files, and those of killed programs are cleared by the next Save or
// Pack to the same path. More than eight writers of one path at once are an error.
//
// Memory beyond v: for a map its keys and values once more, without what they
// point to, and 32 bytes a record; and for each worker a few chunks of 32 KiB of
// records (of as much as one record needs where that is more; the estimate goes by
// a sample, so where a few records are far larger than the rest, a chunk may hold
// several of these). For anything but a map or a slice up to three times the file.
func Save[T any](path string, v T, opts Options) error {
	return describe("save", path, save(path, v, opts))
}

func save[T any](path string, v T, opts Options) error {
	if err := opts.check(); err != nil {
		return err
	}
	c, err := codecOf[T]()
	if err != nil {
		return err
	}
	value := reflect.ValueOf(&v).Elem()
	for value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	s := saver{kind: layoutOf(value.Type()), value: value, workers: opts.workers}
	s.meta = c.meta()
	if s.kind == kindValue {
		if s.body, err = c.Append(make([]byte, frameHeaderSize), &v); err != nil {
			return err
		}
	} else if err := s.prepare(gobwireCheck(c)); err != nil {
		return err
	}
	f, err := createAtomic(path, opts.Durability)
	if err != nil {
		return err
	}
	defer f.abandon()
	if err := s.write(f); err != nil {
		return err
	}
	return f.commit()
}

// gobwireCheck returns what tells whether gobwire would carry a part of a value.
func gobwireCheck[T any](c *codec[T]) func(part reflect.Value) error {
	return func(part reflect.Value) error {
		whole := new(T)
		through(reflect.ValueOf(whole).Elem()).Set(part)
		_, err := c.Append(nil, whole)
		return err
	}
}

// saver writes one value.
type saver struct {
	kind    kind
	meta    meta
	value   reflect.Value
	body    []byte // of a single value, behind room for its frame's header
	chunks  chunker
	workers func(pieces int) int
}

// prepare divides a map or a slice into chunks. check is asked where values may
// hold what gob does not carry.
func (s *saver) prepare(check func(reflect.Value) error) error {
	t := s.value.Type()
	types := newChunkTypes(t)
	if isPlain(t) {
		check = nil
		if err := types.describe(); err != nil {
			return err
		}
		s.meta.preamble = types.preamble
	}
	s.chunks = chunker{types: types, value: s.value, check: check}
	return s.chunks.divide()
}

// write writes the file in order, but for the header, which knows the length and
// so comes last.
func (s *saver) write(f *atomicFile) error {
	m := s.meta.encode()
	h := header{kind: s.kind, metaLength: uint32(len(m)), metaSum: crc32.Checksum(m, castagnoli)}
	if _, err := f.Write(append(make([]byte, headerSize), m...)); err != nil {
		return err
	}
	h.length = h.framesAt()
	put := func(frame []byte, records int) error {
		sealFrame(frame, records, h.length)
		h.length += int64(len(frame))
		h.records += int64(records)
		_, err := f.Write(frame)
		return err
	}
	var err error
	if s.kind == kindValue {
		err = put(s.body, 1)
	} else {
		err = s.writeChunks(put)
	}
	if err != nil {
		return err
	}
	h.index = h.length
	_, err = f.WriteAt(h.encode(), 0)
	return err
}

// encoded is a chunk on its way into the file.
type encoded struct {
	frame   []byte
	records int
}

// writeChunks has each worker, the caller among them, encode the next chunk until
// none is left.
func (s *saver) writeChunks(put func(frame []byte, records int) error) error {
	n, size := s.value.Len(), s.chunks.size
	chunks := (n + size - 1) / size
	workers := s.workers(chunks)
	out := newSequence(workers, func(c *encoded) error { return put(c.frame, c.records) })
	var claimed atomic.Int64
	work := func() error {
		e := s.chunks.encoder()
		for {
			i := int(claimed.Add(1)) - 1
			if i >= chunks {
				return nil
			}
			c, from, to := out.item(), i*size, min((i+1)*size, n)
			c.records = to - from
			var err error
			c.frame, err = e.encode(append(c.frame[:0], make([]byte, frameHeaderSize)...), from, to)
			if err != nil {
				out.stop(err)
				return err
			}
			if err := out.put(i, c); err != nil {
				return err
			}
		}
	}
	return together(workers, work)
}
