package blob

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
)

// A frame is a piece of the file with its own checksum:
//
//	 0  8  length of the payload
//	 8  4  number of records in it
//	12  4  checksum of the frame's offset in the file (8 bytes), the 12 bytes
//	       before and the payload
//	16     payload
//
// The offset is in the checksum so that a frame at another place, or another
// blob's frame, is found.
const frameHeaderSize = 16

// sealFrame fills in the header of a frame that is to be written at offset. The
// first frameHeaderSize bytes of frame are room for it.
func sealFrame(frame []byte, records int, offset int64) {
	binary.LittleEndian.PutUint64(frame[0:], uint64(len(frame)-frameHeaderSize))
	binary.LittleEndian.PutUint32(frame[8:], uint32(records))
	binary.LittleEndian.PutUint32(frame[12:], frameSum(frame, offset))
}

func frameSum(frame []byte, offset int64) uint32 {
	var at [8]byte
	binary.LittleEndian.PutUint64(at[:], uint64(offset))
	sum := crc32.Update(0, castagnoli, at[:])
	sum = crc32.Update(sum, castagnoli, frame[:12])
	return crc32.Update(sum, castagnoli, frame[frameHeaderSize:])
}

// openFrame checks a whole frame that was read at offset, and returns its payload.
func openFrame(frame []byte, offset int64) (payload []byte, records int, err error) {
	if len(frame) < frameHeaderSize ||
		binary.LittleEndian.Uint64(frame) != uint64(len(frame)-frameHeaderSize) {
		return nil, 0, corrupt("the frame at byte %d has another length", offset)
	}
	if frameSum(frame, offset) != binary.LittleEndian.Uint32(frame[12:]) {
		return nil, 0, corrupt("the checksum of the frame at byte %d differs", offset)
	}
	return frame[frameHeaderSize:], int(binary.LittleEndian.Uint32(frame[8:])), nil
}

// readFrame reads the frame at offset into buf, which grows as needed, and leaves
// the check to openFrame, so that it can be done on another core. No frame may
// reach beyond end.
func readFrame(f *os.File, buf []byte, offset, end int64) ([]byte, error) {
	if end-offset < frameHeaderSize {
		return nil, corrupt("no room for a frame at byte %d", offset)
	}
	var head [frameHeaderSize]byte
	if err := readFull(f, head[:], offset); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint64(head[:])
	if length > uint64(end-offset-frameHeaderSize) {
		return nil, corrupt("the frame at byte %d claims %d bytes, beyond the end", offset, length)
	}
	buf = sized(buf, frameHeaderSize+int(length))
	copy(buf, head[:])
	return buf, readFull(f, buf[frameHeaderSize:], offset+frameHeaderSize)
}

// sized returns buf with length n, or a new one where it is too small, with room
// for the next frame to be a little larger. What it holds is undefined.
func sized(buf []byte, n int) []byte {
	if cap(buf) < n {
		return make([]byte, n, n+n/8)
	}
	return buf[:n]
}

// readFull reads len(b) bytes at offset. A file that has become shorter since its
// length was read is corrupt.
func readFull(f *os.File, b []byte, offset int64) error {
	if len(b) == 0 {
		return nil
	}
	n, err := f.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return corrupt("ends at byte %d", offset+int64(n))
	}
	return err
}
