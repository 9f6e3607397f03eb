package shelf

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
)

// A backup, version 1, is
//
//	"shelflab shelf backup 1\n"
//	the descriptions, a JSON array on one line
//	blocks: uvarint length, 4 bytes CRC-32C of the contents, contents
//	a block of length zero, its checksum that of the count that follows
//	8 bytes   count of the records, big-endian
//
// The contents of a block are whole records: uvarint length and key, uvarint
// length and what is stored for the value. The first line of contents is the
// block of the descriptions.
const (
	backupMagic   = "shelflab shelf backup "
	backupVersion = "1"
	backupBlock   = 256 << 10
	backupLongest = MaxKey + MaxValue + backupBlock + 32
)

// Backup writes everything that is in the shelf, as of one moment, to w. Reads and
// writes go on meanwhile; Close waits for w's Write. The stream has checksums and an end of its own, so
// Restore notices when some of it is missing. A value that cannot be read is
// ErrCorrupt, and what was written by then is no whole backup.
func (s *Shelf[V]) Backup(w io.Writer) error {
	if err := s.backup(w); err != nil {
		return s.fail("backup", err)
	}
	return nil
}

func (s *Shelf[V]) backup(w io.Writer) error {
	st, err := s.pin()
	if err != nil {
		return err
	}
	defer s.unpin(st)
	out := blockWriter{w: bufio.NewWriterSize(w, 64<<10)}
	descriptions, err := json.Marshal(s.headerNow().Descriptions)
	if err != nil {
		return err
	}
	if _, err := out.w.WriteString(backupMagic + backupVersion + "\n"); err != nil {
		return err
	}
	out.block = descriptions
	if err := out.flush(); err != nil {
		return err
	}
	err = eachStored(st, func(key, stored []byte) error {
		if s.closed.Load() {
			return ErrClosed
		}
		if _, _, err := s.decoder(string(key[1:]), stored); err != nil {
			return atKey(string(key[1:]), err)
		}
		return out.record(key[1:], stored)
	})
	if err != nil {
		return err
	}
	return out.end()
}

type blockWriter struct {
	w     *bufio.Writer
	block []byte
	count uint64
}

func (b *blockWriter) record(key, stored []byte) error {
	b.block = append(binary.AppendUvarint(b.block, uint64(len(key))), key...)
	b.block = append(binary.AppendUvarint(b.block, uint64(len(stored))), stored...)
	b.count++
	if len(b.block) >= backupBlock {
		return b.flush()
	}
	return nil
}

func (b *blockWriter) flush() error {
	if len(b.block) == 0 {
		return nil
	}
	head := binary.AppendUvarint(nil, uint64(len(b.block)))
	head = binary.BigEndian.AppendUint32(head, crc32.Checksum(b.block, castagnoli))
	_, err1 := b.w.Write(head)
	_, err2 := b.w.Write(b.block)
	b.block = b.block[:0]
	return errors.Join(err1, err2)
}

func (b *blockWriter) end() error {
	if err := b.flush(); err != nil {
		return err
	}
	count := binary.BigEndian.AppendUint64(nil, b.count)
	head := binary.BigEndian.AppendUint32([]byte{0}, crc32.Checksum(count, castagnoli))
	_, err := b.w.Write(append(head, count...))
	return errors.Join(err, b.w.Flush())
}
