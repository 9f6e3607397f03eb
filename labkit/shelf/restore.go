package shelf

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"github.com/dgraph-io/badger/v4"
)

// Restore replaces everything in the shelf by what a backup holds. The values must
// be of V's type or another form of it; otherwise ErrType. A stream that is
// damaged, cut short or no backup is ErrCorrupt or ErrFormat. With an error the
// shelf is as it was, and a crash leaves the old contents or the new ones. Reads go
// on meanwhile, writes wait, so r must not write to this shelf itself.
func (s *Shelf[V]) Restore(r io.Reader) error {
	in := blockReader{r: bufio.NewReaderSize(r, 64<<10)}
	err := s.replace(func(_, next *store, _ uint64) ([]description, error) {
		stored, err := in.descriptions()
		if err != nil {
			return nil, err
		}
		all, renumber, err := s.adopt(stored)
		if err != nil {
			return nil, err
		}
		return all, s.restoreAll(&in, next, renumber)
	})
	if err != nil {
		return s.fail("restore", err)
	}
	return nil
}

// adopt returns the shelf's descriptions with those of a backup, and the numbers
// that the backup's have here.
func (s *Shelf[V]) adopt(stored []description) ([]description, map[uint64]uint64, error) {
	var trial registry[V]
	if err := trial.load(s.codec, stored); err != nil {
		return nil, nil, err
	}
	h := *s.headerNow()
	h.Descriptions = slices.Clone(h.Descriptions)
	renumber := map[uint64]uint64{}
	decoders := map[uint64]uint64{}
	for _, d := range stored {
		here := h.find(d)
		if here == 0 {
			here = h.next()
			decoders[uint64(here)] = uint64(d.Number)
			d2 := d
			d2.Number = here
			h.Descriptions = append(h.Descriptions, d2)
		}
		renumber[uint64(d.Number)] = uint64(here)
	}
	s.types.take(&trial, decoders)
	return h.Descriptions, renumber, nil
}

func (s *Shelf[V]) restoreAll(in *blockReader, to *store, renumber map[uint64]uint64) error {
	w := to.NewWriteBatch()
	defer w.Cancel()
	for {
		block, err := in.next()
		if err == io.EOF {
			return w.Flush()
		}
		if err != nil {
			return err
		}
		if err := s.space.take(len(block), reserve); err != nil {
			return err
		}
		for len(block) > 0 {
			key, rest, ok1 := cutCounted(block)
			stored, rest, ok2 := cutCounted(rest)
			if !ok1 || !ok2 {
				return fmt.Errorf("%w: record of a backup", ErrCorrupt)
			}
			block = rest
			in.count++
			if err := restoreOne(w, string(key), stored, renumber); err != nil {
				return atKey(string(key), err)
			}
		}
	}
}

func restoreOne(w *badger.WriteBatch, key string, stored []byte, renumber map[uint64]uint64) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if len(stored) < 4 || len(stored) > MaxValue || binary.BigEndian.Uint32(stored) != checksum(key, stored[4:]) {
		return fmt.Errorf("%w: value of a backup", ErrCorrupt)
	}
	n, size := binary.Uvarint(stored[4:])
	here, ok := renumber[n]
	if size <= 0 || !ok {
		return fmt.Errorf("%w: value of an unknown type %d", ErrCorrupt, n)
	}
	if here != n {
		body := stored[4+size:]
		stored = append(binary.AppendUvarint(make([]byte, 4, len(stored)+4), here), body...)
		binary.BigEndian.PutUint32(stored, checksum(key, stored[4:]))
	}
	return w.Set(storedKey(key), stored)
}

func cutCounted(p []byte) (item, rest []byte, ok bool) {
	n, size := binary.Uvarint(p)
	if size <= 0 || n > uint64(len(p)-size) {
		return nil, nil, false
	}
	p = p[size:]
	return p[:n:n], p[n:], true
}

type blockReader struct {
	r     *bufio.Reader
	count uint64
}

func (b *blockReader) descriptions() ([]description, error) {
	first, err := b.r.ReadSlice('\n')
	v, magic := strings.CutPrefix(strings.TrimSuffix(string(first), "\n"), backupMagic)
	switch {
	case err != nil && err != io.EOF && err != bufio.ErrBufferFull:
		return nil, err
	case !magic || err != nil:
		return nil, fmt.Errorf("%w: it is no backup of a shelf", ErrFormat)
	case v != backupVersion:
		return nil, fmt.Errorf("%w: backup of format %.20q, this program reads format %s", ErrFormat, v, backupVersion)
	}
	block, err := b.next()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("%w: backup: %v", ErrCorrupt, err)
	}
	var all []description
	if err := json.Unmarshal(block, &all); err != nil {
		return nil, fmt.Errorf("%w: descriptions of a backup: %v", ErrCorrupt, err)
	}
	return all, nil
}

// next returns the contents of the next block, in memory of its own; io.EOF after
// a proper end.
func (b *blockReader) next() ([]byte, error) {
	n, err := binary.ReadUvarint(b.r)
	var sum [4]byte
	if err == nil {
		_, err = io.ReadFull(b.r, sum[:])
	}
	size := int64(n)
	if n == 0 {
		size = 8
	}
	if err == nil && n > backupLongest {
		return nil, fmt.Errorf("%w: backup: block of %d bytes", ErrCorrupt, n)
	}
	var block bytes.Buffer // grows with what comes, not with what is promised
	if err == nil {
		_, err = io.CopyN(&block, b.r, size)
	}
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w: backup is cut short", ErrCorrupt)
	case err != nil:
		return nil, err
	case binary.BigEndian.Uint32(sum[:]) != crc32.Checksum(block.Bytes(), castagnoli):
		return nil, fmt.Errorf("%w: checksum of a backup", ErrCorrupt)
	case n > 0:
		return block.Bytes(), nil
	case binary.BigEndian.Uint64(block.Bytes()) != b.count:
		return nil, fmt.Errorf("%w: backup lacks records", ErrCorrupt)
	}
	return nil, io.EOF
}
