package rows

import (
	"fmt"
	"sort"
	"strings"
)

// First returns the first n records of the file, or all if it has fewer, as keys
// and rows in the order of the keys. Rows share their memory with the file's.
func (f *File) First(n int) (keys []string, list []Row) {
	n = min(max(n, 0), len(f.Keys))
	keys, list = make([]string, n), make([]Row, n)
	copy(keys, f.Keys)
	copy(list, f.Rows)
	sort.Sort(byKey{keys, list})
	return keys, list
}

type byKey struct {
	keys []string
	rows []Row
}

func (s byKey) Len() int           { return len(s.keys) }
func (s byKey) Less(i, j int) bool { return s.keys[i] < s.keys[j] }
func (s byKey) Swap(i, j int) {
	s.keys[i], s.keys[j] = s.keys[j], s.keys[i]
	s.rows[i], s.rows[j] = s.rows[j], s.rows[i]
}

// Map returns the values of a row of this file by the names of their fields:
// int64, float64, bool or string. What the record lacks is not in it.
func (f *File) Map(r *Row) map[string]any {
	values := map[string]any{}
	var whole, number, truth, text int
	for i, field := range f.Fields {
		if !r.has(i) {
			continue
		}
		switch field.Kind {
		case Whole:
			values[field.Name] = r.Whole[whole]
			whole++
		case Number:
			values[field.Name] = r.Number[number]
			number++
		case Truth:
			values[field.Name] = r.Truth[truth]
			truth++
		default:
			values[field.Name] = r.Text[text]
			text++
		}
	}
	return values
}

// Line writes a row of this file for a reader: "name: Ada, score: 9.5".
func (f *File) Line(r *Row) string {
	values := f.Map(r)
	var parts []string
	for _, field := range f.Fields {
		if value, ok := values[field.Name]; ok {
			parts = append(parts, fmt.Sprintf("%s: %v", field.Name, value))
		}
	}
	return strings.Join(parts, ", ")
}
