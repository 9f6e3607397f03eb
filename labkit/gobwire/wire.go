package gobwire

import (
	"encoding/gob"
	"fmt"
	mathbits "math/bits"
)

// The numbers that gob gives its own types, fixed by its documentation.
const (
	idBool      = 1
	idInt       = 2
	idUint      = 3
	idFloat     = 4
	idBytes     = 5
	idString    = 6
	idComplex   = 7
	idInterface = 8
	idWireType  = 16
	firstUserID = 64
)

// wireType and its parts mirror the struct of gob's own that describes a type on
// the wire; gob decodes it by field names like any other.
type (
	wireType struct {
		ArrayT           *arrayType
		SliceT           *sliceType
		StructT          *structType
		MapT             *mapType
		GobEncoderT      *encoderType
		BinaryMarshalerT *encoderType
		TextMarshalerT   *encoderType
	}
	commonType struct {
		Name string
		Id   int64
	}
	arrayType struct {
		CommonType commonType
		Elem       int64
		Len        int
	}
	sliceType struct {
		CommonType commonType
		Elem       int64
	}
	structType struct {
		CommonType commonType
		Field      []fieldType
	}
	fieldType struct {
		Name string
		Id   int64
	}
	mapType struct {
		CommonType commonType
		Key, Elem  int64
	}
	encoderType struct{ CommonType commonType }
)

// wireTypes are the described types by their number.
type wireTypes map[int64]*wireType

// bootstrap describes what a description itself looks like on the wire, so that
// one in the middle of a value can be measured.
var bootstrap = wireTypes{
	16: structOf(f("ArrayT", 17), f("SliceT", 19), f("StructT", 20), f("MapT", 23), f("GobEncoderT", 24), f("BinaryMarshalerT", 24), f("TextMarshalerT", 24)),
	17: structOf(f("CommonType", 18), f("Elem", idInt), f("Len", idInt)),
	18: structOf(f("Name", idString), f("Id", idInt)),
	19: structOf(f("CommonType", 18), f("Elem", idInt)),
	20: structOf(f("CommonType", 18), f("Field", 22)),
	21: structOf(f("Name", idString), f("Id", idInt)),
	22: {SliceT: &sliceType{Elem: 21}},
	23: structOf(f("CommonType", 18), f("Key", idInt), f("Elem", idInt)),
	24: structOf(f("CommonType", 18)),
}

func f(name string, id int64) fieldType { return fieldType{name, id} }

func structOf(fields ...fieldType) *wireType {
	return &wireType{StructT: &structType{Field: fields}}
}

// add decodes the description in body and keeps it as number id.
func (ts wireTypes) add(id int64, body []byte) error {
	if id < firstUserID || ts[id] != nil {
		return fmt.Errorf("%w: type %d is described twice", ErrCorrupt, id)
	}
	// As a value of the type that describes types, gob decodes it for us.
	number := appendInt(nil, idWireType)
	feed := &feed{head: append(appendUint(nil, uint64(len(number)+len(body))), number...), body: body}
	wire := new(wireType)
	if err := decodeSafely(gob.NewDecoder(feed), wire); err != nil {
		return fmt.Errorf("%w: description of type %d: %v", ErrCorrupt, id, err)
	}
	ts[id] = wire
	return nil
}

// refs returns the numbers of the types that id is made of.
func (ts wireTypes) refs(id int64) []int64 {
	switch w := ts[id]; {
	case w == nil:
		return nil
	case w.ArrayT != nil:
		return []int64{w.ArrayT.Elem}
	case w.SliceT != nil:
		return []int64{w.SliceT.Elem}
	case w.MapT != nil:
		return []int64{w.MapT.Key, w.MapT.Elem}
	case w.StructT != nil:
		ids := make([]int64, len(w.StructT.Field))
		for i, f := range w.StructT.Field {
			ids[i] = f.Id
		}
		return ids
	}
	return nil
}

// complete checks that all that root is made of is known.
func (ts wireTypes) complete(root int64) error {
	var err error
	ts.visit(root, map[int64]bool{}, func(id int64) {
		if (id < idBool || id > idInterface) && (ts[id] == nil || *ts[id] == wireType{}) {
			err = fmt.Errorf("%w: type %d is not described", ErrCorrupt, id)
		}
	})
	return err
}

// visit calls do for root and all that it is made of, once each. It keeps its own
// stack: a description may nest as deep as it likes.
func (ts wireTypes) visit(root int64, seen map[int64]bool, do func(int64)) {
	stack := []int64{root}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		do(id)
		stack = append(stack, ts.refs(id)...)
	}
}

// gob's unsigned integers: one byte up to 127, else the negated count of the
// big-endian bytes that follow.

func appendUint(dst []byte, x uint64) []byte {
	if x <= 0x7f {
		return append(dst, byte(x))
	}
	n := (mathbits.Len64(x) + 7) / 8
	dst = append(dst, byte(-n))
	for i := n - 1; i >= 0; i-- {
		dst = append(dst, byte(x>>(8*i)))
	}
	return dst
}

func readUint(p []byte) (x uint64, rest []byte, ok bool) {
	if len(p) > 0 && p[0] <= 0x7f {
		return uint64(p[0]), p[1:], true
	}
	return readLongUint(p)
}

// readLongUint is apart so that readUint is small enough to be put in line.
func readLongUint(p []byte) (x uint64, rest []byte, ok bool) {
	if len(p) == 0 {
		return 0, nil, false
	}
	n := -int(int8(p[0]))
	if n > 8 || len(p) <= n {
		return 0, nil, false
	}
	for _, b := range p[1 : 1+n] {
		x = x<<8 | uint64(b)
	}
	return x, p[1+n:], true
}

// gob's signed integers: shifted left by one, complemented if negative.

func appendInt(dst []byte, i int64) []byte {
	if i < 0 {
		return appendUint(dst, uint64(^i)<<1|1)
	}
	return appendUint(dst, uint64(i)<<1)
}

func readInt(p []byte) (i int64, rest []byte, ok bool) {
	x, rest, ok := readUint(p)
	i = int64(x >> 1)
	if x&1 != 0 {
		i = ^i
	}
	return i, rest, ok
}
