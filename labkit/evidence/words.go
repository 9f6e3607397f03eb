package evidence

import (
	"fmt"
	"strings"
)

func rounds(n int) string {
	if n == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", n)
}

// sizes lists sizes: "n = 500, 2,000 and 8,000". The last two are joined by a
// word, since numbers hold commas themselves.
func sizes(ns []int) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = Count(n)
	}
	return "n = " + andList(texts)
}

// andList lists texts: "a, b and c".
func andList(texts []string) string {
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// be is one verb for one size and another for more.
func be(ns []int, one, more string) string { return verb(len(ns), one, more) }

// verb is one verb for one thing and another for more.
func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// slower says which way something changes that takes so many times as long.
func slower(times float64) string {
	if times < 1 {
		return "faster"
	}
	return "slower"
}
