package rows

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// reader goes through the lines twice: first it understands the fields, then it
// takes the records.
type reader struct {
	file    *File
	options Options
	at      map[string]int // fields by name
	taken   map[string]int // lines by key
	bad     map[int]bool   // lines
	records int            // seen so far, for their numbers
}

func (r *reader) understand(line int, cells []cell, bad error) error {
	key := ""
	if bad == nil && r.options.Key != "" {
		key, bad = r.key(line, cells)
	}
	if bad != nil {
		r.bad[line] = true
		if r.file.Count++; len(r.file.Bad) < mostShown {
			r.file.Bad = append(r.file.Bad, Bad{line, bad.Error()})
		}
		return nil
	}
	r.records++
	if r.options.Key != "" {
		r.taken[key] = line
	}
	for _, c := range cells {
		at, known := r.at[c.field]
		if !known {
			at = len(r.file.Fields)
			if at == MaxFields {
				return fmt.Errorf("%w: more than %d fields, the last of them %.60q in line %d: is it an object whose names are data?", ErrFile, MaxFields, c.field, line)
			}
			r.at[c.field] = at
			r.file.Fields = append(r.file.Fields, Field{Name: c.field})
		}
		r.file.Fields[at].add(c)
	}
	return nil
}

// key is the key of a line, which must not have been there before.
func (r *reader) key(line int, cells []cell) (string, error) {
	i := slices.IndexFunc(cells, func(c cell) bool { return c.field == r.options.Key })
	if i < 0 {
		return "", fmt.Errorf("no key: there is no field %q, only %s", r.options.Key, names(cells))
	}
	if cells[i].text == "" {
		return "", fmt.Errorf("no key: the field %q is empty", r.options.Key)
	}
	switch key := cells[i].text; {
	case cells[i].kind == JSON:
		return "", fmt.Errorf("the key is a list or an object: %.60s", key)
	case len(key) > MaxKey:
		return "", fmt.Errorf("a key of %d bytes, the limit is %d", len(key), MaxKey)
	case r.taken[key] > 0:
		return "", fmt.Errorf("the key %.60q was there in line %d", key, r.taken[key])
	default:
		return key, nil
	}
}

// names lists the first fields of a line.
func names(cells []cell) string {
	const most = 8
	var list []string
	for i, c := range cells {
		if i == most {
			list = append(list, "...")
			break
		}
		list = append(list, fmt.Sprintf("%.60s", c.field))
	}
	return strings.Join(list, ", ")
}

func (r *reader) settle() error {
	f := r.file
	for i := range f.Fields {
		f.Fields[i].settle()
	}
	switch {
	case f.Count > 0 && !r.options.SkipBad:
		return f.badLines()
	case r.records == 0:
		return fmt.Errorf("%w: it has no records%s", ErrFile, f.also())
	case len(f.Fields) == 0:
		return fmt.Errorf("%w: its records have no fields", ErrFile)
	}
	f.Keys, f.Rows = make([]string, 0, r.records), make([]Row, 0, r.records)
	return nil
}

func (f *File) also() string {
	if f.Count == 0 {
		return ""
	}
	return ", since all its lines are bad: " + f.Bad[0].String()
}

func (b Bad) String() string { return fmt.Sprintf("line %d: %s", b.Line, b.Reason) }

// badLines is the error that shows the first bad lines.
func (f *File) badLines() error {
	var b strings.Builder
	for _, bad := range f.Bad {
		b.WriteString("\n  " + bad.String())
	}
	if more := f.Count - len(f.Bad); more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return fmt.Errorf("%w: %d of them:%s\ncorrect them, or leave them out with skip-bad=true", ErrLines, f.Count, b.String())
}

// take makes a row of a line that is not bad.
func (r *reader) take(line int, cells []cell, _ error) error {
	if r.bad[line] {
		return nil
	}
	f := r.file
	key := ""
	values := make([]*cell, len(f.Fields))
	for i := range cells {
		if cells[i].field == r.options.Key {
			key = cells[i].text
		}
		if cells[i].kind != None {
			values[r.at[cells[i].field]] = &cells[i]
		}
	}
	if r.options.Key == "" {
		key = rowKey(len(f.Rows)+1, r.records)
	}
	f.Keys, f.Rows = append(f.Keys, key), append(f.Rows, row(f.Fields, values))
	return nil
}

// rowKey is the key of the i-th of n records, "row_00001" the first: keys sort
// like numbers.
func rowKey(i, n int) string { return fmt.Sprintf("row_%0*d", max(5, len(strconv.Itoa(n))), i) }

func row(fields []Field, values []*cell) Row {
	var r Row
	for i, c := range values {
		if c == nil {
			r.lack(i)
			continue
		}
		switch fields[i].Kind {
		case Whole:
			r.Whole = append(r.Whole, whole(c.text))
		case Number:
			x, _ := strconv.ParseFloat(c.text, 64) // it was parsed before
			r.Number = append(r.Number, x)
		case Truth:
			r.Truth = append(r.Truth, strings.EqualFold(c.text, "true"))
		default:
			r.Text = append(r.Text, c.text)
		}
	}
	return r
}

// whole is a whole number that was parsed before.
func whole(text string) int64 {
	x, _ := strconv.ParseInt(text, 10, 64)
	return x
}
