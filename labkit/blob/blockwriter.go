package blob

import (
	"errors"
	"math"
)

// blockWriter puts records into blocks and blocks into the file, in order. Where
// the blocks end depends on the records alone.
type blockWriter struct {
	file    *atomicFile
	at      int64  // offset in the file of buf's beginning
	buf     []byte // blocks not yet written, the last one open
	open    int    // where in buf the open block begins
	count   int    // records of the open block
	records int64
	table   []byte // of the index
	keys    []byte // first ones of the blocks
}

// writeBytes is how much is written at a time.
const writeBytes = 256 << 10

func (w *blockWriter) add(key string, body []byte) error {
	if w.count > 0 && len(w.buf)-w.open+len(key)+len(body) > blockBytes {
		if err := w.closeBlock(); err != nil {
			return err
		}
	}
	if w.count == 0 {
		w.keys = append(w.keys, key...)
		w.table = appendIndexEntry(w.table, w.at+int64(w.open), len(w.keys))
		w.buf = append(w.buf, make([]byte, frameHeaderSize)...)
	}
	w.buf = appendRecord(w.buf, key, body)
	w.count++
	return nil
}

func (w *blockWriter) closeBlock() error {
	frame := w.buf[w.open:]
	sealFrame(frame, w.count, w.at+int64(w.open))
	w.records += int64(w.count)
	w.count, w.open = 0, len(w.buf)
	if len(w.buf) < writeBytes {
		return nil
	}
	return w.flush()
}

func (w *blockWriter) flush() error {
	_, err := w.file.Write(w.buf)
	w.at += int64(len(w.buf))
	w.open = 0
	if cap(w.buf) > 2*writeBytes {
		w.buf = nil
	}
	w.buf = w.buf[:0]
	return err
}

// finish writes what is left and the index, and returns the index's offset.
func (w *blockWriter) finish() (index int64, err error) {
	if w.count > 0 {
		if err := w.closeBlock(); err != nil {
			return 0, err
		}
	}
	if len(w.keys) > math.MaxUint32 {
		return 0, errors.New("the first keys of the blocks take more than 4 GiB")
	}
	index = w.at + int64(len(w.buf))
	start := len(w.buf)
	w.buf = append(w.buf, make([]byte, frameHeaderSize)...)
	w.buf = append(append(w.buf, w.table...), w.keys...)
	sealFrame(w.buf[start:], len(w.table)/indexEntry, index)
	return index, w.flush()
}
