package blob

import "encoding/binary"

// The frames of an indexed blob but the last are blocks, in ascending order of
// their keys. The payload of a block is records in ascending order of their keys,
// one after the other:
//
//	uvarint  length of the key
//	uvarint  length of the body
//	...      key
//	...      gobwire body of the value
//
// A block ends before blockBytes unless one record takes more. One pread and one
// checksum serve a key, and the index needs one entry a block.
const blockBytes = 4 << 10

// MaxKey is the length of the longest key of an indexed blob, in bytes. It is above
// that of a shelf, 64,999 (shelf.MaxKey): every key of a shelf may stand in a blob,
// but a longer key of a blob is shelf.ErrKey in a shelf.
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
