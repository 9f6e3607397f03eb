package blob

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
)

// The file, version 1. Numbers are little-endian; checksums are CRC-32C.
//
//	header   64 bytes, below
//	meta     name, shape, gobwire description and preamble (chunk.go) of the type,
//	         each behind a uvarint length
//	frames   one after the other, without gaps (frame.go); in an indexed blob the
//	         last one is the index (index.go)
//
// and nothing behind the last frame. The header:
//
//	 0  8  magic: 0x93 "blob\r\n" 0x1a, which neither a text nor a transfer that
//	       changes line ends can be mistaken for
//	 8  2  version of the format, 1
//	10  1  kind
//	11  1  zero
//	12  4  length of meta
//	16  8  length of the file
//	24  8  number of records; 1 for a single value
//	32  8  offset of the index frame; the length of the file where there is none
//	40  4  checksum of meta
//	44 16  zero
//	60  4  checksum of the 60 bytes before
//
// A later version keeps the place of magic, version and checksum, so that this
// one can tell a newer blob from a damaged one.
type header struct {
	kind       kind
	metaLength uint32
	length     int64 // of the file, bytes
	records    int64
	index      int64 // offset, bytes
	metaSum    uint32
}

type kind uint8

const (
	kindValue   kind = 1 // one frame with one gobwire body
	kindList    kind = 2 // frames of elements (chunk.go)
	kindMap     kind = 3 // frames of keys and values (chunk.go)
	kindIndexed kind = 4 // blocks of records and an index (block.go)
)

const (
	magic         = "\x93blob\r\n\x1a"
	formatVersion = 1
	headerSize    = 64
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (h header) encode() []byte {
	b := make([]byte, headerSize)
	copy(b, magic)
	binary.LittleEndian.PutUint16(b[8:], formatVersion)
	b[10] = byte(h.kind)
	binary.LittleEndian.PutUint32(b[12:], h.metaLength)
	binary.LittleEndian.PutUint64(b[16:], uint64(h.length))
	binary.LittleEndian.PutUint64(b[24:], uint64(h.records))
	binary.LittleEndian.PutUint64(b[32:], uint64(h.index))
	binary.LittleEndian.PutUint32(b[40:], h.metaSum)
	binary.LittleEndian.PutUint32(b[60:], crc32.Checksum(b[:60], castagnoli))
	return b
}

// parseHeader checks every field against the size of the file, so that what it
// returns may be allocated.
func parseHeader(b []byte, size int64) (header, error) {
	if len(b) < headerSize || string(b[:8]) != magic {
		return header{}, corrupt("does not begin like a blob")
	}
	if crc32.Checksum(b[:60], castagnoli) != binary.LittleEndian.Uint32(b[60:]) {
		return header{}, corrupt("the checksum of the header differs")
	}
	if v := binary.LittleEndian.Uint16(b[8:]); v != formatVersion {
		return header{}, versionError(v)
	}
	h := header{
		kind:       kind(b[10]),
		metaLength: binary.LittleEndian.Uint32(b[12:]),
		length:     toInt64(binary.LittleEndian.Uint64(b[16:])),
		records:    toInt64(binary.LittleEndian.Uint64(b[24:])),
		index:      toInt64(binary.LittleEndian.Uint64(b[32:])),
		metaSum:    binary.LittleEndian.Uint32(b[40:]),
	}
	switch {
	case h.length != size:
		return header{}, corrupt("%d bytes long, but written with %d", size, h.length)
	case h.kind < kindValue || h.kind > kindIndexed:
		return header{}, corrupt("unknown kind %d", h.kind)
	case h.framesAt() > h.index || h.index > h.length:
		return header{}, corrupt("the parts of the file do not fit into it")
	case h.records > h.index-h.framesAt():
		// A record takes a byte at least.
		return header{}, corrupt("%d records cannot be in %d bytes", h.records, h.index-h.framesAt())
	case (h.kind == kindIndexed) != (h.index < h.length):
		return header{}, corrupt("kind %d with the index at byte %d", h.kind, h.index)
	}
	return h, nil
}

func (h header) framesAt() int64 { return headerSize + int64(h.metaLength) }

// toInt64 makes of a number beyond int64 the largest one, which no check passes.
func toInt64(u uint64) int64 { return int64(min(u, math.MaxInt64)) }

// meta is what a reader must know about the type.
type meta struct {
	name, shape string
	description []byte // of gobwire
	preamble    []byte // of chunks; empty where they describe themselves
}

func (m meta) encode() []byte {
	var b []byte
	for _, part := range []string{m.name, m.shape, string(m.description), string(m.preamble)} {
		b = binary.AppendUvarint(b, uint64(len(part)))
		b = append(b, part...)
	}
	return b
}

func parseMeta(b []byte) (meta, error) {
	var parts [4][]byte
	for i := range parts {
		var ok bool
		if parts[i], b, ok = cutBytes(b); !ok {
			return meta{}, corrupt("the description of the type is cut off")
		}
	}
	if len(b) > 0 {
		return meta{}, corrupt("the description of the type is too long")
	}
	return meta{string(parts[0]), string(parts[1]), parts[2], parts[3]}, nil
}

// cutBytes takes a uvarint length and so many bytes from the front of b.
func cutBytes(b []byte) (part, rest []byte, ok bool) {
	n, w := binary.Uvarint(b)
	if w <= 0 || n > uint64(len(b)-w) {
		return nil, nil, false
	}
	end := w + int(n)
	return b[w:end:end], b[end:], true
}

// readHeader reads and checks header and meta of a file that is open.
func readHeader(f *os.File) (header, meta, error) {
	info, err := f.Stat()
	if err != nil {
		return header{}, meta{}, err
	}
	if !info.Mode().IsRegular() {
		return header{}, meta{}, corrupt("%w", ErrTarget)
	}
	// One read serves a small blob; more than that is not needed here.
	buf := make([]byte, min(info.Size(), 4096))
	if err := readFull(f, buf, 0); err != nil {
		return header{}, meta{}, err
	}
	h, err := parseHeader(buf, info.Size())
	if err != nil {
		return header{}, meta{}, err
	}
	if int64(len(buf)) < h.framesAt() {
		buf = make([]byte, h.framesAt())
		if err := readFull(f, buf, 0); err != nil {
			return header{}, meta{}, err
		}
	}
	raw := buf[headerSize:h.framesAt()]
	if crc32.Checksum(raw, castagnoli) != h.metaSum {
		return header{}, meta{}, corrupt("the checksum of the description of the type differs")
	}
	m, err := parseMeta(raw)
	return h, m, err
}
