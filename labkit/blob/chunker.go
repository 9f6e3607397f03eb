package blob

import (
	"fmt"
	"reflect"
)

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
	types chunkTypes
	value reflect.Value
	keys  reflect.Value // of a map, in order
	size  int           // records in a chunk
	check func(reflect.Value) error
}

// divide orders the keys and chooses the size of a chunk. What a record takes is
// estimated from a few of them, spread evenly: it must follow from the value
// alone, for a map saved twice to give equal bytes.
func (c *chunker) divide(workers func(pieces int) int) error {
	if c.value.Kind() == reflect.Map {
		c.keys = sortedKeys(c.value, workers)
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
	values reflect.Value // room for the values of one chunk of a map
}

func (c *chunker) encoder() *rangeEncoder {
	return &rangeEncoder{chunker: c, chunkEncoder: chunkEncoder{types: c.types}}
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
	keys := e.keys.Slice(from, to)
	if err := e.fetch(keys); err != nil {
		return dst, err
	}
	return e.chunkEncoder.encode(dst, keys, e.values)
}

// fetch puts the values of keys into e.values.
func (e *rangeEncoder) fetch(keys reflect.Value) error {
	n := keys.Len()
	if !e.values.IsValid() || e.values.Cap() < n {
		e.values = reflect.MakeSlice(e.chunker.types.parts[1], n, n)
	}
	e.values = e.values.Slice(0, n)
	var part reflect.Value
	if e.check != nil {
		part = reflect.MakeMapWithSize(e.value.Type(), n)
	}
	for i := range n {
		key := keys.Index(i)
		v := e.value.MapIndex(key)
		if !v.IsValid() {
			return fmt.Errorf("%w: %v is not equal to itself", ErrKey, key)
		}
		e.values.Index(i).Set(v)
		if e.check != nil {
			part.SetMapIndex(key, v)
		}
	}
	if e.check != nil {
		return e.check(part)
	}
	return nil
}
