package blob_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// resealed returns the file with its header changed and the header's checksum made
// right again.
func resealed(file []byte, change func(header []byte)) []byte {
	b := bytes.Clone(file)
	change(b[:60])
	binary.LittleEndian.PutUint32(b[60:], crc32.Checksum(b[:60], castagnoli))
	return b
}

// resealFrame makes the checksum of the frame at an offset right again.
func resealFrame(file []byte, offset int) {
	f := file[offset:]
	end := min(uint64(len(f)), 16+binary.LittleEndian.Uint64(f))
	if end < 16 {
		return
	}
	sum := crc32.Checksum(binary.LittleEndian.AppendUint64(nil, uint64(offset)), castagnoli)
	sum = crc32.Update(sum, castagnoli, f[:12])
	sum = crc32.Update(sum, castagnoli, f[16:end])
	binary.LittleEndian.PutUint32(f[12:], sum)
}

// sealed makes the checksums and the length of a file right, as far as it has the
// parts.
func sealed(file []byte) []byte {
	if len(file) < 64 {
		return file
	}
	b := resealed(file, func(h []byte) {
		binary.LittleEndian.PutUint64(h[16:], uint64(len(file)))
		if at := 64 + int64(binary.LittleEndian.Uint32(h[12:])); at <= int64(len(file)) {
			binary.LittleEndian.PutUint32(h[40:], crc32.Checksum(file[64:at], castagnoli))
		}
	})
	for at := 64 + uint64(binary.LittleEndian.Uint32(b[12:])); at+16 <= uint64(len(b)); {
		resealFrame(b, int(at))
		at += 16 + min(binary.LittleEndian.Uint64(b[at:]), uint64(len(b)))
	}
	return b
}
