package blob

import "encoding/binary"

// The frames of an indexed blob but the last are blocks. The payload of a block is
// records in ascending order of their keys, one after the other:
//
//	uvarint  length of the key
//	uvarint  length of the body
//	...      key
//	...      gobwire body of the value
//
// A block ends before blockBytes unless one record takes more. One pread and one
// checksum serve a key, and the index needs one entry a block.
const blockBytes = 4 << 10

// MaxKey is the length of the longest key of an indexed blob, in bytes.
const MaxKey = 65_535

func appendRecord(dst []byte, key string, body []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(key)))
	dst = binary.AppendUvarint(dst, uint64(len(body)))
	dst = append(dst, key...)
	return append(dst, body...)
}

// cutRecord takes a record from the front of a block's payload.
func cutRecord(payload []byte) (key, body, rest []byte, err error) {
	k, w := binary.Uvarint(payload)
	if w <= 0 {
		return nil, nil, nil, corrupt("a record is cut short")
	}
	payload = payload[w:]
	n, w := binary.Uvarint(payload)
	if w <= 0 {
		return nil, nil, nil, corrupt("a record is cut short")
	}
	payload = payload[w:]
	left := uint64(len(payload))
	if k > left || n > left-k {
		return nil, nil, nil, corrupt("a record promises more than its block holds")
	}
	end := k + n
	return payload[:k], payload[k:end:end], payload[end:], nil
}

// The last frame is the index. Its payload has an entry for each block, in order:
//
//	uvarint  length of the block's frame
//	uvarint  number of records
//	uvarint  length of the first key
//	...      first key
//
// The blocks follow one another from the end of meta to the index.
type block struct {
	first  string
	offset int64
	length int
	count  int
}

func appendIndexEntry(dst []byte, length, count int, first string) []byte {
	dst = binary.AppendUvarint(dst, uint64(length))
	dst = binary.AppendUvarint(dst, uint64(count))
	dst = binary.AppendUvarint(dst, uint64(len(first)))
	return append(dst, first...)
}

// parseIndex reads the index of n blocks, which must fill the file as h says.
func parseIndex(payload []byte, n int, h header) ([]block, error) {
	const smallest = 3 // bytes of an entry
	if n > len(payload)/smallest {
		return nil, corrupt("the index promises more blocks than it holds")
	}
	blocks := make([]block, n)
	text := string(payload) // the keys share it
	at, records := h.framesAt(), int64(0)
	for i := range blocks {
		var numbers [3]uint64
		for j := range numbers {
			x, w := binary.Uvarint(payload)
			if w <= 0 {
				return nil, corrupt("the index is cut short")
			}
			numbers[j], payload = x, payload[w:]
		}
		length, count, key := numbers[0], numbers[1], numbers[2]
		if length < frameHeaderSize || length > uint64(h.index-at) || count < 1 || count > length || key > uint64(len(payload)) {
			return nil, corrupt("entry %d of the index reaches beyond its bounds", i)
		}
		start := len(text) - len(payload)
		blocks[i] = block{text[start : start+int(key)], at, int(length), int(count)}
		if i > 0 && blocks[i].first <= blocks[i-1].first {
			return nil, corrupt("the index does not ascend at entry %d", i)
		}
		payload = payload[key:]
		at += int64(length)
		records += int64(count)
	}
	if len(payload) > 0 || at != h.index || records != h.records {
		return nil, corrupt("the index does not account for the whole file")
	}
	return blocks, nil
}
