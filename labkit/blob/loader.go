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
	value  reflect.Value // *T without its pointers

	at     int64 // offset of the next frame
	before int64 // records of the frames before it

	// decoders holds *chunkDecoders: each is compiled first, so as few as workers. It
	// is no part of the loader: the runtime holds on to a pool until the second
	// collection after its last use, and would hold on to the loaded value with it.
	decoders *sync.Pool
}

// piece is a frame on its way into the value.
type piece struct {
	frame  []byte
	offset int64
	first  int64 // records before it
	n      int   // records in it
	room   room  // of a map
}

// run has all workers decode frames. Elements of a list go straight to their
// place; keys and values go into the map on the goroutine of the caller alone: two
// cores that take turns at one hash table slow each other down.
func (l *loader) run(opts Options) error {
	n := int(l.header.records)
	isMap := l.value.Kind() == reflect.Map
	switch {
	case isMap:
		l.value.Set(reflect.MakeMapWithSize(l.value.Type(), n))
	case n > 0: // an empty slice comes back nil, as everywhere in gob
		l.value.Set(reflect.MakeSlice(l.value.Type(), n, n))
	}
	workers := opts.workers(1 + int((l.header.length-l.at)/chunkBytes))
	a := newAhead(workers, l.read, l.decode)
	defer a.stop()
	for {
		p, err := a.take()
		if err != nil {
			return err
		}
		if p == nil {
			break
		}
		if isMap {
			p.fill(l.value)
		}
		a.release(p)
	}
	if l.before != l.header.records || l.value.Len() != n {
		return corrupt("%d records of %d", min(l.before, int64(l.value.Len())), l.header.records)
	}
	return nil
}

// read reads the next frame. The number of records in it, and so before, is not to
// be relied on until decode has checked it.
func (l *loader) read(p *piece) (more bool, err error) {
	if l.at >= l.header.length {
		return false, nil
	}
	p.offset, p.first = l.at, l.before
	if p.frame, err = readFrame(l.file, p.frame, l.at, l.header.length); err != nil {
		return false, err
	}
	l.at += int64(len(p.frame))
	l.before += int64(binary.LittleEndian.Uint32(p.frame[8:]))
	return true, nil
}

func (l *loader) decode(p *piece) error {
	chunk, n, err := openFrame(p.frame, p.offset)
	if err != nil {
		return err
	}
	if p.first+int64(n) > l.header.records {
		return corrupt("more records than the header counts")
	}
	p.n = n
	d, ok := l.decoders.Get().(*chunkDecoder)
	if !ok {
		d = &chunkDecoder{types: l.types}
	}
	defer l.decoders.Put(d)
	if l.value.Kind() == reflect.Map {
		return p.decodeMap(d, chunk)
	}
	return p.decodeList(d, chunk, l.value)
}

// decodeList decodes elements straight into their place in the list.
func (p *piece) decodeList(d *chunkDecoder, chunk []byte, list reflect.Value) error {
	first := int(p.first)
	place := reflect.New(list.Type())
	place.Elem().Set(list.Slice3(first, first, first+p.n))
	if err := d.decode(chunk, place); err != nil {
		return err
	}
	if place.Elem().Len() != p.n {
		return corrupt("a chunk of %d records holds %d", p.n, place.Elem().Len())
	}
	return nil
}

func (p *piece) decodeMap(d *chunkDecoder, chunk []byte) error {
	if !p.room.keys.IsValid() {
		p.room = newRoom(d.types)
	}
	if err := d.decode(chunk, p.room.keys, p.room.values); err != nil {
		return err
	}
	keys, values := p.room.keys.Elem().Len(), p.room.values.Elem().Len()
	if keys != p.n || values != p.n {
		return corrupt("a chunk of %d records holds %d keys and %d values", p.n, keys, values)
	}
	return nil
}

// fill puts the keys and values into the map.
func (p *piece) fill(m reflect.Value) {
	keys, values := p.room.keys.Elem(), p.room.values.Elem()
	for i := range p.n {
		m.SetMapIndex(keys.Index(i), values.Index(i))
	}
	p.room.reset()
}
