package gobwire

import (
	"fmt"
	"reflect"
)

// compare says whether bodies under d decode into t by gob's rules, and which of
// their fields t does not have. gob itself would say so at the first value only.
func compare(d *description, t reflect.Type, name string) (lost []string, err error) {
	c := comparison{types: d.types, seen: map[pair]bool{}}
	if err := c.compare(t, d.root, name); err != nil {
		return nil, err
	}
	base, _ := baseType(t)
	if w := d.types[d.root]; w != nil && w.StructT != nil && len(w.StructT.Field) > 0 && !c.matched && base.NumField() > 0 {
		return nil, refuse(name, "no field in common with what was stored")
	}
	return c.lost, nil
}

type pair struct {
	t  reflect.Type
	id int64
}

type comparison struct {
	types   wireTypes
	seen    map[pair]bool
	lost    []string
	matched bool // some field was found
}

func (c *comparison) compare(t reflect.Type, id int64, path string) error {
	if p := (pair{t, id}); c.seen[p] {
		return nil
	} else {
		c.seen[p] = true
	}
	w := c.types[id]
	if w == nil {
		w = &wireType{}
	}
	_, dec, _ := ownEncoding(t)
	if (dec == byGob) != (w.GobEncoderT != nil) || (dec == binary) != (w.BinaryMarshalerT != nil) || w.TextMarshalerT != nil {
		return refuse(path, "what was stored encodes itself in another way than %s", t)
	}
	if dec != none {
		return nil
	}
	base, _ := baseType(t)
	want := int64(0)
	switch base.Kind() {
	case reflect.Bool:
		want = idBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		want = idInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		want = idUint
	case reflect.Float32, reflect.Float64:
		want = idFloat
	case reflect.Complex64, reflect.Complex128:
		want = idComplex
	case reflect.String:
		want = idString
	case reflect.Interface:
		want = idInterface
	case reflect.Slice:
		if base.Elem().Kind() == reflect.Uint8 {
			want = idBytes
		}
	}
	if want != 0 {
		if id != want {
			return refuse(path, "what was stored is no %s", t)
		}
		return nil
	}
	return c.compareParts(base, w, path)
}

func (c *comparison) compareParts(t reflect.Type, w *wireType, path string) error {
	switch {
	case t.Kind() == reflect.Array && w.ArrayT != nil && w.ArrayT.Len == t.Len():
		return c.compare(t.Elem(), w.ArrayT.Elem, path+"[]")
	case t.Kind() == reflect.Slice && w.SliceT != nil:
		return c.compare(t.Elem(), w.SliceT.Elem, path+"[]")
	case t.Kind() == reflect.Map && w.MapT != nil:
		if err := c.compare(t.Key(), w.MapT.Key, path+"[key]"); err != nil {
			return err
		}
		return c.compare(t.Elem(), w.MapT.Elem, path+"[]")
	case t.Kind() == reflect.Struct && w.StructT != nil:
		for _, f := range w.StructT.Field {
			local, ok := t.FieldByName(f.Name)
			if !ok || !isSent(local) {
				c.lost = append(c.lost, fmt.Sprintf("%s.%s", path, f.Name))
				continue
			}
			c.matched = true
			if err := c.compare(local.Type, f.Id, path+"."+f.Name); err != nil {
				return err
			}
		}
		return nil
	}
	return refuse(path, "what was stored is no %s", t)
}
