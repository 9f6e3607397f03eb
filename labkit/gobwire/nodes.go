package gobwire

// kind of a node: how its value is laid out on the wire.
type kind uint8

const (
	undescribed kind = iota
	oneUint          // bool, int, uint, float
	twoUints         // complex
	counted          // bytes, string, and what encodes itself
	sliceKind
	arrayKind
	mapKind
	structKind
	interfaceKind
)

// node is a described type with its parts resolved, which makes measuring a body
// some ten times cheaper than decoding it.
type node struct {
	kind      kind
	key, elem *node
	fields    []*node
	len       uint64 // of an array
}

// nodes are the types of one description, by number. A number that is only
// referred to is undescribed until its description comes.
type nodes map[int64]*node

func newNodes(types wireTypes) nodes {
	ns := nodes{}
	for _, id := range []int64{idBool, idInt, idUint, idFloat} {
		ns[id] = &node{kind: oneUint}
	}
	ns[idComplex] = &node{kind: twoUints}
	ns[idBytes] = &node{kind: counted}
	ns[idString] = &node{kind: counted}
	ns[idInterface] = &node{kind: interfaceKind}
	for id, wire := range bootstrap {
		ns.describe(id, wire)
	}
	for id, wire := range types {
		ns.describe(id, wire)
	}
	return ns
}

func (ns nodes) get(id int64) *node {
	n := ns[id]
	if n == nil {
		n = &node{}
		ns[id] = n
	}
	return n
}

func (ns nodes) describe(id int64, w *wireType) {
	n := ns.get(id)
	switch {
	case w.ArrayT != nil:
		n.kind, n.elem, n.len = arrayKind, ns.get(w.ArrayT.Elem), uint64(w.ArrayT.Len)
	case w.SliceT != nil:
		n.kind, n.elem = sliceKind, ns.get(w.SliceT.Elem)
	case w.MapT != nil:
		n.kind, n.key, n.elem = mapKind, ns.get(w.MapT.Key), ns.get(w.MapT.Elem)
	case w.StructT != nil:
		n.kind = structKind
		for _, f := range w.StructT.Field {
			n.fields = append(n.fields, ns.get(f.Id))
		}
	case w.GobEncoderT != nil, w.BinaryMarshalerT != nil, w.TextMarshalerT != nil:
		n.kind = counted
	}
}
