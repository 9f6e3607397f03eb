package notebook

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
)

// take removes a field and returns it when it has the type.
func take[T any](m map[string]any, key string) (T, bool) {
	v, ok := m[key].(T)
	delete(m, key)
	return v, ok
}

func intOf(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return int(i), err == nil
}

func countOrNull(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func notNil(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func withRest(rest map[string]any) map[string]any {
	m := make(map[string]any, len(rest)+6)
	maps.Copy(m, rest)
	return m
}

// joinLines reads a multi-line string, which nbformat allows as one string or
// as a list of lines.
func joinLines(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []any:
		var b strings.Builder
		for _, l := range v {
			s, ok := l.(string)
			if !ok {
				return "", false
			}
			b.WriteString(s)
		}
		return b.String(), true
	}
	return "", false
}

// splitLines is the inverse as Jupyter does it, with Python's splitlines(True):
// that cuts at more than newlines, and following it keeps bytes the same.
func splitLines(s string) []string {
	lines := []string{}
	start, cr := 0, false
	for i, r := range s {
		if cr {
			// A lone \r ends a line, \r\n is one end.
			cr = false
			if r != '\n' {
				lines = append(lines, s[start:i])
				start = i
			}
		}
		switch r {
		case '\r':
			cr = true
		case '\n', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
			end := i + len(string(r))
			lines = append(lines, s[start:end])
			start = end
		}
	}
	if start < len(s) {
		lines = append(lines, s[start:])
	}
	return lines
}

// plainSeparators undoes the one escape of encoding/json that cannot be
// switched off: U+2028 and U+2029, which Jupyter writes as they are.
func plainSeparators(data []byte) []byte {
	if !bytes.Contains(data, []byte(`\u202`)) {
		return data
	}
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			out = append(out, data[i])
			continue
		}
		switch {
		case bytes.HasPrefix(data[i:], []byte(`\u2028`)):
			out = append(out, "\u2028"...)
			i += 5
		case bytes.HasPrefix(data[i:], []byte(`\u2029`)):
			out = append(out, "\u2029"...)
			i += 5
		default: // another escape: its second byte may be a backslash
			out = append(out, data[i], data[i+1])
			i++
		}
	}
	return out
}
