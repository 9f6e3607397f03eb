package gobwire

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// shapeOf writes what gob sends for t. It goes by the Go type and not by gob's own
// description, whose numbers and names depend on what the process encoded before.
func shapeOf(t reflect.Type) string {
	s := shaper{structs: map[reflect.Type]int{}}
	s.write(t)
	return s.out.String()
}

type shaper struct {
	out     strings.Builder
	structs map[reflect.Type]int // named structs written already, by order
	within  []reflect.Type       // slices, arrays and maps being written
}

func (s *shaper) write(t reflect.Type) {
	base, _ := baseType(t)
	switch enc, _, _ := ownEncoding(t); enc {
	case byGob:
		s.out.WriteString("gob:" + base.Name())
		return
	case binary:
		s.out.WriteString("binary:" + base.Name())
		return
	}
	switch k := base.Kind(); k {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.out.WriteString("int")
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		s.out.WriteString("uint")
	case reflect.Float32, reflect.Float64:
		s.out.WriteString("float")
	case reflect.Complex64, reflect.Complex128:
		s.out.WriteString("complex")
	case reflect.Slice, reflect.Array, reflect.Map:
		s.writeElements(base)
	case reflect.Struct:
		s.writeStruct(base)
	default: // bool, string, interface
		s.out.WriteString(k.String())
	}
}

// writeElements writes a slice, an array or a map. Their names do not show, so a
// type that contains itself is written as the number of levels to go up.
func (s *shaper) writeElements(t reflect.Type) {
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		s.out.WriteString("bytes")
		return
	}
	if i := slices.Index(s.within, t); i >= 0 {
		fmt.Fprintf(&s.out, "^%d", len(s.within)-i)
		return
	}
	s.within = append(s.within, t)
	defer func() { s.within = s.within[:len(s.within)-1] }()
	switch t.Kind() {
	case reflect.Slice:
		s.out.WriteString("[]")
	case reflect.Array:
		fmt.Fprintf(&s.out, "[%d]", t.Len())
	case reflect.Map:
		s.out.WriteString("map[")
		s.write(t.Key())
		s.out.WriteString("]")
	}
	s.write(t.Elem())
}

// writeStruct writes a struct with its name, and on later mention the number of
// its first.
func (s *shaper) writeStruct(t reflect.Type) {
	if i, ok := s.structs[t]; ok {
		fmt.Fprintf(&s.out, "#%d", i)
		return
	}
	s.structs[t] = len(s.structs)
	s.out.WriteString("struct " + t.Name() + "{")
	sep := ""
	for i := range t.NumField() {
		if f := t.Field(i); isSent(f) {
			s.out.WriteString(sep + f.Name + " ")
			s.write(f.Type)
			sep = "; "
		}
	}
	s.out.WriteString("}")
}
