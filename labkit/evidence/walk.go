package evidence

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// walk compares two trees of JSON and adds a line for each leaf that differs:
// "summaries[3].p50: 12 stands there, the samples give 13".
func walk(lines []string, at string, there, anew any) []string {
	switch y := anew.(type) {
	case map[string]any:
		x, ok := there.(map[string]any)
		if !ok {
			break
		}
		names := slices.Collect(maps.Keys(x))
		for name := range y {
			if _, ok := x[name]; !ok {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			a, ok1 := x[name]
			b, ok2 := y[name]
			place := name
			if at != "" {
				place = at + "." + name
			}
			switch {
			case !ok1:
				lines = append(lines, fmt.Sprintf("%s: it is missing", place))
			case !ok2:
				lines = append(lines, fmt.Sprintf("%s: the lab writes no such field", place))
			default:
				lines = walk(lines, place, a, b)
			}
		}
		return lines
	case []any:
		x, ok := there.([]any)
		if !ok {
			break
		}
		if len(x) != len(y) {
			lines = append(lines, fmt.Sprintf("%s: %d stand there, the samples give %d", at, len(x), len(y)))
		}
		for i := range min(len(x), len(y)) {
			lines = walk(lines, fmt.Sprintf("%s[%d]", at, i), x[i], y[i])
		}
		return lines
	default:
		if there == anew {
			return lines
		}
	}
	if at == "digest" {
		return append(lines, "digest: it does not fit: something that it covers (plan, times, environment, arms, metrics, comparisons, series, observations) was changed")
	}
	x, y := short(there, anew)
	return append(lines, fmt.Sprintf("%s: %s stands there, the samples give %s", at, x, y))
}

// short writes two values of JSON on one line, each of a bearable length, from
// shortly before the place where they differ.
func short(there, anew any) (x, y string) {
	a, b := written(there), written(anew)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	const before, most = 30, 120 // characters
	cut := func(text []rune) string {
		if from := same - before; from > 0 && len(text) > most {
			text = append([]rune("…"), text[from:]...)
		}
		if len(text) > most {
			text = append(text[:most:most], '…')
		}
		return string(text)
	}
	return cut(a), cut(b)
}

func written(v any) []rune {
	text, err := json.Marshal(v)
	if err != nil {
		return []rune(err.Error())
	}
	return []rune(string(text))
}
