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
		return append(lines, "digest: it does not fit: something that it covers (plan, times, environment, arms, metrics, comparisons, series) was changed")
	}
	return append(lines, fmt.Sprintf("%s: %s stands there, the samples give %s", at, short(there), short(anew)))
}

// short writes a value of JSON on one line of a bearable length.
func short(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	const most = 120
	if runes := []rune(string(text)); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(text)
}
