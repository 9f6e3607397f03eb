package blob

import "reflect"

const (
	// chunkBytes is what a chunk should take in the file: large enough that the
	// cost of a chunk does not show, small enough for the cores' caches and for
	// the cores to end together.
	chunkBytes = 32 << 10
	// maxChunk is the most records of one chunk, whatever their size.
	maxChunk = 8192
)

// chunker divides a list or a map into chunks and encodes them.
type chunker struct {
	types   chunkTypes
	value   reflect.Value
	entries entries // of a map
	size    int     // records in a chunk
	check   func(reflect.Value) error
}

// divide orders the entries of a map and chooses the size of a chunk. What a
// record takes is estimated from a few of them, spread evenly: it must follow from
// the value alone, for a map saved twice to give equal bytes.
func (c *chunker) divide() error {
	if c.value.Kind() == reflect.Map {
		c.entries = sortedEntries(c.value)
	}
	c.size = 1
	n := c.value.Len()
	samples := min(n, 16)
	e := c.encoder()
	empty, err := e.encode(nil, 0, 0)
	if err != nil {
		return err
	}
	var bytes int
	for i := range samples {
		at := i * (n / samples)
		b, err := e.encode(nil, at, at+1)
		if err != nil {
			return err
		}
		bytes += len(b) - len(empty)
	}
	if bytes > 0 {
		c.size = max(1, min(maxChunk, chunkBytes*samples/bytes))
	}
	return nil
}

// rangeEncoder encodes ranges of records; each worker has its own.
type rangeEncoder struct {
	*chunker
	chunkEncoder
	room room // for one chunk of a map
}

func (c *chunker) encoder() *rangeEncoder {
	return &rangeEncoder{chunker: c, chunkEncoder: chunkEncoder{types: c.types}, room: newRoom(c.types)}
}

// encode appends records from up to, not including, to.
func (e *rangeEncoder) encode(dst []byte, from, to int) ([]byte, error) {
	if e.value.Kind() != reflect.Map {
		part := e.value.Slice(from, to)
		if e.check != nil {
			if err := e.check(part); err != nil {
				return dst, err
			}
		}
		return e.chunkEncoder.encode(dst, part)
	}
	e.room.resize(to - from)
	keys, values := e.room.keys.Elem(), e.room.values.Elem()
	e.entries.copy(keys, values, from, to)
	if e.check != nil {
		part := reflect.MakeMapWithSize(e.value.Type(), to-from)
		for i := range to - from {
			part.SetMapIndex(keys.Index(i), values.Index(i))
		}
		if err := e.check(part); err != nil {
			return dst, err
		}
	}
	return e.chunkEncoder.encode(dst, keys, values)
}
