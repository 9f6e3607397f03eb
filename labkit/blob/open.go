package blob

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

// Indexed is an open indexed blob. All methods are safe for concurrent use; after
// Close they return an error that wraps [ErrClosed]. A file that is replaced,
// renamed or removed while it is open stays readable as it was.
type Indexed[V any] struct {
	path    string
	opts    Options
	file    *os.File
	decoder runDecoder[V]
	index   index
	records int
	closed  atomic.Bool
	buffers sync.Pool // of *[]byte
}

// Open opens the indexed blob that Pack wrote to path. It reads the index, a
// key and 12 bytes for each 4 KiB of records, and keeps it; records are read when
// they are asked for, and checked each time.
//
// No file at path is ErrNotFound. A file that is cut short, extended, has a damaged
// header or index, or is no blob is ErrCorrupt; damage in a record is found when it
// is read, or by [Indexed.Verify]. A file that holds another type is ErrType, by
// the rule of [Load], and so is one that Save wrote.
func Open[V any](path string) (*Indexed[V], error) { return OpenWith[V](path, Options{}) }

// OpenWith is Open with options.
func OpenWith[V any](path string, opts Options) (*Indexed[V], error) {
	b, err := open[V](path, opts)
	if err != nil {
		return nil, describe("open", path, err)
	}
	return b, nil
}

func open[V any](path string, opts Options) (_ *Indexed[V], err error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	c, err := codecOf[V]()
	if err != nil {
		return nil, err
	}
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	h, m, err := readHeader(f)
	if err != nil {
		return nil, err
	}
	if h.kind != kindIndexed {
		return nil, fmt.Errorf("%w: it is not an indexed blob: use Load", ErrType)
	}
	d, err := newRunDecoder(c, m)
	if err != nil {
		return nil, err
	}
	frame, err := readFrame(f, nil, h.index, h.length)
	if err != nil {
		return nil, err
	}
	payload, n, err := openFrame(frame, h.index)
	if err != nil {
		return nil, err
	}
	if h.index+int64(len(frame)) != h.length {
		return nil, corrupt("%d bytes after the index", h.length-h.index-int64(len(frame)))
	}
	x, err := parseIndex(payload, n, h)
	if err != nil {
		return nil, err
	}
	return &Indexed[V]{path: path, opts: opts, file: f, decoder: d, index: x, records: int(h.records)}, nil
}

// Len returns the number of records. It costs nothing, and works after Close.
func (b *Indexed[V]) Len() int { return b.records }

// Close ends reading; an iteration that is under way gets ErrClosed. A second
// Close does nothing.
func (b *Indexed[V]) Close() error {
	if b.closed.Swap(true) {
		return nil
	}
	return describe("close", b.path, b.file.Close())
}

// Get returns the value at key, or an error that wraps ErrNotFound and names the
// key. It reads one block: 4 KiB, or more where the record itself is larger.
func (b *Indexed[V]) Get(key string) (V, error) {
	var v, zero V
	err := b.find(key, func(body []byte) error { return b.decoder.one(body, &v) })
	if err != nil {
		return zero, b.keyError(key, err)
	}
	return v, nil
}

// Has says whether there is a record at key, without decoding its value.
func (b *Indexed[V]) Has(key string) (bool, error) {
	switch err := b.find(key, func([]byte) error { return nil }); err {
	case nil:
		return true, nil
	case ErrNotFound:
		return false, nil
	default:
		return false, b.keyError(key, err)
	}
}

func (b *Indexed[V]) keyError(key string, err error) error {
	return describe("get", b.path, fmt.Errorf("key %.80q: %w", key, err))
}

// find gives use the body at key, or returns ErrNotFound as it is.
func (b *Indexed[V]) find(key string, use func(body []byte) error) error {
	at := b.index.find(key)
	if at < 0 {
		return b.missing()
	}
	buf := b.buffer()
	defer b.recycle(buf)
	payload, err := b.readBlock(at, buf)
	if err != nil {
		return err
	}
	return search(payload, key, use)
}

// missing is the error for a key before the first block, which takes no reading.
func (b *Indexed[V]) missing() error {
	if b.closed.Load() {
		return ErrClosed
	}
	return ErrNotFound
}

// search looks for key in a block.
func search(payload []byte, key string, use func(body []byte) error) error {
	for len(payload) > 0 {
		k, body, rest, err := cutRecord(payload)
		switch {
		case err != nil:
			return err
		case string(k) == key:
			return use(body)
		case string(k) > key:
			return ErrNotFound
		}
		payload = rest
	}
	return ErrNotFound
}

// readBlock reads block i into *buf, which may grow, and checks it.
func (b *Indexed[V]) readBlock(i int, buf *[]byte) (payload []byte, err error) {
	offset := b.index.offset(i)
	*buf = sized(*buf, b.index.length(i))
	if err := readFull(b.file, *buf, offset); err != nil {
		return nil, err
	}
	payload, _, err = openFrame(*buf, offset)
	return payload, err
}

func (b *Indexed[V]) buffer() *[]byte {
	if buf, ok := b.buffers.Get().(*[]byte); ok {
		return buf
	}
	return new([]byte)
}

// recycle keeps buffers of usual size.
func (b *Indexed[V]) recycle(buf *[]byte) {
	if cap(*buf) <= 16*blockBytes {
		b.buffers.Put(buf)
	}
}
