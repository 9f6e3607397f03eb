package blob

import "reflect"

// room is where a worker has the keys and values of one chunk after the other.
type room struct{ keys, values reflect.Value } // pointers to slices

func newRoom(types chunkTypes) room {
	if len(types.parts) == 1 {
		return room{}
	}
	return room{reflect.New(types.parts[0]), reflect.New(types.parts[1])}
}

// resize makes both slices n long. What they hold is undefined.
func (r *room) resize(n int) {
	setLen(r.keys.Elem(), n)
	setLen(r.values.Elem(), n)
}

// setLen makes a slice n long, a new one where it has not the room.
func setLen(s reflect.Value, n int) {
	if s.Cap() < n {
		s.Set(reflect.MakeSlice(s.Type(), n, n))
	}
	s.SetLen(n)
}

// reset makes both slices empty, and what they have room for zero, which is how
// a decoder wants it.
func (r *room) reset() {
	for _, p := range []reflect.Value{r.keys, r.values} {
		p.Elem().Clear()
		p.Elem().SetLen(0)
	}
}
