package dicts

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

// The text form, one line each:
//
//	dicts TAB number of dictionaries TAB number of keys
//	the keys, in order, separated by tabs
//	the values of a dictionary, in the order of the keys, separated by tabs
//	...
//
// A backslash, a tab, a line feed and a carriage return inside a string are
// written as \\ \t \n \r; every other byte stands as it is. So a line is split
// at its tabs. The number of dictionaries makes a cut visible; there is no
// checksum.
const (
	textMagic = "dicts"
	maxKeys   = 1 << 20
)

var (
	// ErrKeys: the text form has one set of keys for all dictionaries, and a
	// dictionary of the list has another.
	ErrKeys = errors.New("not the keys of the first dictionary")

	// ErrText: the file is not what SaveText writes: cut short, extended, with
	// too few or too many values in a line, or another kind of file.
	ErrText = errors.New("no whole text file of dictionaries")
)

var escape = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// SaveText writes a list in the text form. Dictionaries of unequal keys are
// ErrKeys; what the path held before is gone then.
func SaveText(path string, class labkit.Durability, list []map[string]string) error {
	return whole.Create(path, class, func(f *os.File) error { return writeText(f, list) })
}

func writeText(to io.Writer, list []map[string]string) error {
	var keys []string
	if len(list) > 0 {
		keys = slices.Sorted(maps.Keys(list[0]))
	}
	w := bufio.NewWriterSize(to, 64<<10)
	fmt.Fprintf(w, "%s\t%d\t%d\n", textMagic, len(list), len(keys))
	writeLine(w, keys)
	values := make([]string, len(keys))
	for i, m := range list {
		if len(m) != len(keys) {
			return fmt.Errorf("dictionary %d: %w: it has %d keys, the first has %d", i, ErrKeys, len(m), len(keys))
		}
		for j, key := range keys {
			value, ok := m[key]
			if !ok {
				return fmt.Errorf("dictionary %d: %w: it lacks %q", i, ErrKeys, key)
			}
			values[j] = value
		}
		writeLine(w, values)
	}
	return w.Flush() // tells of every error before it
}

func writeLine(w *bufio.Writer, fields []string) {
	for j, field := range fields {
		if j > 0 {
			w.WriteByte('\t')
		}
		escape.WriteString(w, field)
	}
	w.WriteByte('\n')
}

// LoadText reads a list in the text form by splitting its lines. A file that was
// cut or extended, or whose lines do not have as many values as there are keys,
// is ErrText and names the line. A letter that was changed into another one is
// not noticed. The values of one dictionary share their line's memory, and all
// dictionaries share the keys.
func LoadText(path string) ([]map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := readText(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

func readText(from io.Reader) ([]map[string]string, error) {
	lines := textLines{r: bufio.NewReaderSize(from, 64<<10)}
	head, err := lines.next()
	if err != nil {
		return nil, err
	}
	var count, columns int
	if _, err := fmt.Sscanf(head, textMagic+"\t%d\t%d", &count, &columns); err != nil ||
		head != fmt.Sprintf("%s\t%d\t%d", textMagic, count, columns) || count < 0 || columns < 0 || columns > maxKeys {
		return nil, lines.bad("it begins with %.40q", head)
	}
	line, err := lines.next()
	if err != nil {
		return nil, err
	}
	keys := make([]string, 0, min(columns, len(line)+1))
	if err := lines.split(line, columns, func(_ int, key string) { keys = append(keys, key) }); err != nil {
		return nil, err
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(keys))); len(distinct) != len(keys) {
		return nil, lines.bad("a key stands there twice")
	}
	var list []map[string]string // grows with what is there, whatever the head says
	for range count {
		line, err := lines.next()
		if err != nil {
			return nil, err
		}
		m := make(map[string]string, columns)
		if err := lines.split(line, columns, func(j int, value string) { m[keys[j]] = value }); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	if _, err := lines.r.ReadByte(); err != io.EOF {
		return nil, errors.Join(err, lines.bad("it goes on after %d dictionaries", count))
	}
	return list, nil
}

// textLines reads lines and knows where it is.
type textLines struct {
	r      *bufio.Reader
	number int
}

func (l *textLines) bad(format string, args ...any) error {
	return fmt.Errorf("line %d: %w: %s", l.number, ErrText, fmt.Sprintf(format, args...))
}

// next returns the next line without its end.
func (l *textLines) next() (string, error) {
	l.number++
	line, err := l.r.ReadString('\n')
	switch {
	case err == io.EOF:
		return "", l.bad("it ends here")
	case err != nil:
		return "", err
	}
	return line[:len(line)-1], nil
}

// split gives the fields of a line to use, of which there must be columns.
func (l *textLines) split(line string, columns int, use func(j int, field string)) error {
	j := 0
	escaped := strings.Contains(line, `\`)
	for field := range strings.SplitSeq(line, "\t") {
		if columns == 0 && line == "" {
			return nil
		}
		if j == columns {
			return l.bad("it has more than %d values", columns)
		}
		if escaped {
			var ok bool
			if field, ok = unescape(field); !ok {
				return l.bad("a backslash before something else than \\, t, n or r")
			}
		}
		use(j, field)
		j++
	}
	if j != columns {
		return l.bad("it has %d values, the keys are %d", j, columns)
	}
	return nil
}

func unescape(field string) (string, bool) {
	before, rest, found := strings.Cut(field, `\`)
	if !found {
		return field, true
	}
	var b strings.Builder
	for found {
		b.WriteString(before)
		at := -1
		if rest != "" {
			at = strings.IndexByte(`\tnr`, rest[0])
		}
		if at < 0 {
			return "", false
		}
		b.WriteByte("\\\t\n\r"[at])
		before, rest, found = strings.Cut(rest[1:], `\`)
	}
	b.WriteString(before)
	return b.String(), true
}
