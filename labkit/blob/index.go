package blob

import (
	"encoding/binary"
	"sort"
)

// The last frame of an indexed blob is the index, with a record for each block, in
// order. Its payload is a table and after it the first keys of the blocks, one
// after the other:
//
//	8  offset of the block
//	4  end of its first key, counted from where the keys begin
//
// The blocks follow one another from the end of meta to the index. The index is
// used as it is read: taking it apart would be most of what opening costs.
type index struct {
	table, keys []byte
	end         int64 // of the last block
}

const indexEntry = 12

func appendIndexEntry(table []byte, offset int64, keyEnd int) []byte {
	table = binary.LittleEndian.AppendUint64(table, uint64(offset))
	return binary.LittleEndian.AppendUint32(table, uint32(keyEnd))
}

// parseIndex checks the index of n blocks, which must fill the file as h says, so
// that its methods need not.
func parseIndex(payload []byte, n int, h header) (index, error) {
	if n > len(payload)/indexEntry {
		return index{}, corrupt("the index promises more blocks than it holds")
	}
	x := index{payload[:n*indexEntry], payload[n*indexEntry:], h.index}
	at, key := h.framesAt(), 0
	for i := range n {
		offset, keyEnd := x.offset(i), x.keyEnd(i)
		if i == 0 && offset != at || i > 0 && offset < at || keyEnd < key {
			return index{}, corrupt("the index does not ascend at block %d", i)
		}
		at, key = offset+frameHeaderSize, keyEnd
	}
	if key != len(x.keys) || at > h.index || n == 0 && at != h.index || h.records < int64(n) {
		return index{}, corrupt("the index does not account for the whole file")
	}
	return x, nil
}

func (x *index) len() int { return len(x.table) / indexEntry }

func (x *index) offset(i int) int64 {
	return toInt64(binary.LittleEndian.Uint64(x.table[i*indexEntry:]))
}

func (x *index) keyEnd(i int) int {
	return int(binary.LittleEndian.Uint32(x.table[i*indexEntry+8:]))
}

// length is that of block i with its header, in bytes.
func (x *index) length(i int) int { return int(x.until(i) - x.offset(i)) }

// until is where block i ends.
func (x *index) until(i int) int64 {
	if i+1 < x.len() {
		return x.offset(i + 1)
	}
	return x.end
}

// first is the first key of block i.
func (x *index) first(i int) []byte {
	from := 0
	if i > 0 {
		from = x.keyEnd(i - 1)
	}
	return x.keys[from:x.keyEnd(i)]
}

// find returns the only block that may hold key, or -1.
func (x *index) find(key string) int {
	return sort.Search(x.len(), func(i int) bool { return string(x.first(i)) > key }) - 1
}
