package gobwire

import "fmt"

// maxDepth is how deep structs, maps, slices, arrays and interfaces may nest in a
// value: gob recurses, and a goroutine that runs out of stack ends the program.
// At this depth the stack holds about ten megabytes.
const maxDepth = 10_000

// walker reads a body without decoding it, to see that it ends where it should
// and promises no more than it holds. gob itself takes a struct that is cut short
// or followed by something for whole, makes room for any number of map entries
// that a body names, and follows any nesting.
type walker struct {
	cur   []byte // rest of the message at hand
	later []byte // messages after it; self-contained bodies only
	nodes nodes  // types by number; needed where a body names types itself
	types wireTypes
	why   string // what is wrong
}

const cutShort = "value is cut short"

func (w *walker) fail(why string) bool {
	w.why = why
	return false
}

func (w *walker) err() error { return fmt.Errorf("%w: %s", ErrCorrupt, w.why) }

// checkBare checks a body of root without length and number.
func checkBare(root *node, body []byte) error {
	w := walker{cur: body}
	if !w.top(root, 0) {
		return w.err()
	}
	if len(w.cur) > 0 {
		return fmt.Errorf("%w: %d bytes after the value", ErrCorrupt, len(w.cur))
	}
	return nil
}

// checkSelfContained checks a gob stream of one value.
func checkSelfContained(body []byte) error {
	w := walker{later: body, types: wireTypes{}, nodes: newNodes(nil)}
	n, ok := w.typeSequence(false)
	if !ok || !w.top(n, 0) {
		return w.err()
	}
	if left := len(w.cur) + len(w.later); left > 0 {
		return fmt.Errorf("%w: %d bytes after the value", ErrCorrupt, left)
	}
	return nil
}

// top reads an outermost value, or one inside an interface: other than structs
// these start with a zero.
func (w *walker) top(n *node, depth int) bool {
	if n.kind != structKind {
		if delta, ok := w.uint(); !ok || delta != 0 {
			return w.fail("value does not start where it should")
		}
	}
	return w.value(n, depth)
}

func (w *walker) uint() (uint64, bool) {
	x, rest, ok := readUint(w.cur)
	w.cur = rest
	if !ok {
		w.why = cutShort
	}
	return x, ok
}

func (w *walker) value(n *node, depth int) bool {
	switch n.kind {
	case oneUint:
		_, ok := w.uint()
		return ok
	case twoUints:
		_, ok := w.uint()
		if ok {
			_, ok = w.uint()
		}
		return ok
	case counted:
		return w.skip()
	}
	if depth++; depth > maxDepth {
		return w.fail("nested too deep")
	}
	switch n.kind {
	case structKind:
		return w.structure(n, depth)
	case sliceKind, arrayKind:
		return w.elements(n, depth)
	case mapKind:
		return w.pairs(n, depth)
	case interfaceKind:
		return w.dynamic(depth)
	}
	return w.fail("type is not described")
}

// skip reads a count and as many bytes.
func (w *walker) skip() bool {
	size, ok := w.uint()
	if !ok {
		return false
	}
	if size > uint64(len(w.cur)) {
		return w.fail(cutShort)
	}
	w.cur = w.cur[size:]
	return true
}

// structure has the common kinds of fields in line: most of a body is those.
func (w *walker) structure(n *node, depth int) bool {
	p := w.cur
	for next := uint64(0); ; {
		var delta, x uint64
		var ok bool
		if delta, p, ok = readUint(p); !ok {
			return w.fail(cutShort)
		}
		if delta == 0 {
			w.cur = p
			return true
		}
		if delta > uint64(len(n.fields))-next {
			return w.fail("field out of bounds")
		}
		next += delta
		switch f := n.fields[next-1]; f.kind {
		case oneUint:
			if _, p, ok = readUint(p); !ok {
				return w.fail(cutShort)
			}
		case counted:
			if x, p, ok = readUint(p); !ok || x > uint64(len(p)) {
				return w.fail(cutShort)
			}
			p = p[x:]
		default:
			w.cur = p
			if !w.value(f, depth) {
				return false
			}
			p = w.cur
		}
	}
}

func (w *walker) elements(n *node, depth int) bool {
	count, ok := w.uint()
	switch {
	case !ok:
		return false
	case n.kind == arrayKind && count != n.len:
		return w.fail("array of another length")
	case count > w.left(): // each takes a byte or more
		return w.fail("more elements than bytes")
	}
	for range count {
		if !w.value(n.elem, depth) {
			return false
		}
	}
	return true
}

func (w *walker) pairs(n *node, depth int) bool {
	count, ok := w.uint()
	switch {
	case !ok:
		return false
	case count > w.left()/2:
		return w.fail("more map entries than bytes")
	}
	for range count {
		if !w.value(n.key, depth) || !w.value(n.elem, depth) {
			return false
		}
	}
	return true
}

func (w *walker) left() uint64 { return uint64(len(w.cur) + len(w.later)) }

// dynamic reads an interface: name of its type, descriptions where they are new,
// number, length, value.
func (w *walker) dynamic(depth int) bool {
	if w.nodes == nil {
		return w.fail("interface in a bare value")
	}
	before := len(w.cur)
	if !w.skip() {
		return false
	}
	if before-len(w.cur) == 1 {
		return true // no name: nil
	}
	n, ok := w.typeSequence(true)
	if !ok {
		return false
	}
	if _, ok := w.uint(); !ok { // length, which gob does not look at either
		return false
	}
	return w.top(n, depth)
}

// typeSequence reads descriptions up to the number of a value's type. gob ends a
// message at each description, in the middle of a value if need be.
func (w *walker) typeSequence(inInterface bool) (*node, bool) {
	for {
		if len(w.cur) == 0 {
			size, rest, ok := readUint(w.later)
			if !ok || size > uint64(len(rest)) {
				return nil, w.fail("message is cut short")
			}
			w.cur, w.later = rest[:size], rest[size:]
		}
		id, rest, ok := readInt(w.cur)
		if !ok {
			return nil, w.fail("type number is cut short")
		}
		w.cur = rest
		if id >= 0 {
			return w.nodes.get(id), true
		}
		if !w.value(w.nodes.get(idWireType), 0) {
			return nil, false
		}
		if err := w.types.add(-id, rest[:len(rest)-len(w.cur)]); err != nil {
			return nil, w.fail(err.Error())
		}
		w.nodes.describe(-id, w.types[-id])
		if len(w.cur) == 0 {
			continue
		}
		if !inInterface {
			return nil, w.fail("bytes after a description")
		}
		if _, ok := w.uint(); !ok { // length of what follows
			return nil, false
		}
	}
}
