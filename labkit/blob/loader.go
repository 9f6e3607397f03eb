package blob

import (
	"encoding/binary"
	"os"
	"reflect"
	"sync"
)

// loader reads the frames of a list or a map and fills in the value.
type loader struct {
	file   *os.File
	header header
	types  chunkTypes

	reading sync.Mutex // of what follows
	at      int64      // offset of the next frame
	before  int64      // records of the frames before it

	filling sync.Mutex    // of value, where it is a map
	value   reflect.Value // *T without its pointers
}

// run has each worker read a frame, decode it and put it into the value, until
// none is left. Only the last of these needs the other workers to wait.
func (l *loader) run(opts Options) error {
	n := int(l.header.records)
	switch {
	case l.value.Kind() == reflect.Map:
		l.value.Set(reflect.MakeMapWithSize(l.value.Type(), n))
	case n > 0: // an empty slice comes back nil, as everywhere in gob
		l.value.Set(reflect.MakeSlice(l.value.Type(), n, n))
	}
	workers := opts.workers(1 + int((l.header.length-l.at)/chunkBytes))
	if err := together(workers, l.work); err != nil {
		return err
	}
	if l.before != l.header.records || l.value.Len() != n {
		return corrupt("%d records of %d", min(l.before, int64(l.value.Len())), l.header.records)
	}
	return nil
}

func (l *loader) work() error {
	d := chunkDecoder{types: l.types}
	room := newRoom(l.types)
	var frame []byte
	for {
		var offset, first int64
		var err error
		frame, offset, first, err = l.nextFrame(frame)
		if err != nil || frame == nil {
			return err
		}
		chunk, n, err := openFrame(frame, offset)
		if err != nil {
			return l.fail(err)
		}
		if first+int64(n) > l.header.records {
			return l.fail(corrupt("more records than the header counts"))
		}
		if l.value.Kind() == reflect.Map {
			err = l.fillMap(&d, chunk, n, room)
		} else {
			err = l.fillList(&d, chunk, n, int(first))
		}
		if err != nil {
			return l.fail(err)
		}
	}
}

// fail makes the other workers end at their next frame.
func (l *loader) fail(err error) error {
	l.reading.Lock()
	defer l.reading.Unlock()
	l.at = l.header.length
	return err
}

// nextFrame reads the next frame into buf. It is nil after the last one. The
// number of records, and so first, is not to be relied on before openFrame.
func (l *loader) nextFrame(buf []byte) (frame []byte, offset, first int64, err error) {
	l.reading.Lock()
	defer l.reading.Unlock()
	if l.at >= l.header.length {
		return nil, 0, 0, nil
	}
	offset, first = l.at, l.before
	frame, err = readFrame(l.file, buf, offset, l.header.length)
	if err != nil {
		l.at = l.header.length
		return nil, 0, 0, err
	}
	l.at += int64(len(frame))
	l.before += int64(binary.LittleEndian.Uint32(frame[8:]))
	return frame, offset, first, nil
}

// fillList decodes n elements straight into their place.
func (l *loader) fillList(d *chunkDecoder, chunk []byte, n, first int) error {
	place := reflect.New(l.value.Type())
	place.Elem().Set(l.value.Slice3(first, first, first+n))
	if err := d.decode(chunk, place); err != nil {
		return err
	}
	if place.Elem().Len() != n {
		return corrupt("a chunk of %d records holds %d", n, place.Elem().Len())
	}
	return nil
}

// fillMap decodes n keys and values and puts them into the map.
func (l *loader) fillMap(d *chunkDecoder, chunk []byte, n int, r room) error {
	if err := d.decode(chunk, r.keys, r.values); err != nil {
		return err
	}
	keys, values := r.keys.Elem(), r.values.Elem()
	if keys.Len() != n || values.Len() != n {
		return corrupt("a chunk of %d records holds %d keys and %d values", n, keys.Len(), values.Len())
	}
	l.filling.Lock()
	for i := range n {
		l.value.SetMapIndex(keys.Index(i), values.Index(i))
	}
	l.filling.Unlock()
	r.reset()
	return nil
}
