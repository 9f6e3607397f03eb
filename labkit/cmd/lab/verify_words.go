package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is something that the lab shows of a run, word by word: a table, a box,
// or one sentence of them.
type piece struct {
	name  string
	words []string
	short bool // it says too little for what resembles it to be it: see isSentence
}

func words(texts []string) []string { return strings.Fields(strings.Join(texts, " ")) }

// isSentence tells whether words say so much that what resembles them must be
// them. A heading such as "n = 60 rows" is found in whatever speaks of rows, and
// the names of two arms in whatever speaks of both.
func isSentence(list []string) bool {
	const enough, letters = 4, 24 // words that are no numbers, signs or single letters; letters in them
	spoken, long := 0, 0
	for _, word := range list {
		n := 0
		for _, r := range word {
			if unicode.IsLetter(r) {
				n++
			}
		}
		if n > 1 {
			spoken, long = spoken+1, long+n
		}
	}
	names := slices.Contains(list, "over") && !strings.HasSuffix(list[len(list)-1], ".") // what is set over what, in a row's head
	return spoken >= enough && long >= letters && !names
}

// nearest says where a list of words parts from the piece that it resembles
// most, "" if it resembles none.
func nearest(there []string, pieces []piece) string {
	best, at, most := piece{}, 0, 0.0
	for _, p := range pieces {
		if p.short {
			continue
		}
		if part, from := resemblance(there, p.words); part > most {
			best, at, most = p, from, part
		}
	}
	// Labels take about half of the letters of a table: it still resembles the
	// lab's when every number in it is another.
	const nearly = 0.5
	if most < nearly {
		return ""
	}
	window := there[at:min(at+len(best.words), len(there))]
	for i, word := range best.words {
		if i >= len(window) {
			return fmt.Sprintf("%s: %q is missing", best.name, word)
		}
		if window[i] != word {
			around := func(list []string) string { return strings.Join(list[max(0, i-2):min(len(list), i+3)], " ") }
			return fmt.Sprintf("%s: %q stands there, the evidence gives %q", best.name, around(window), around(best.words))
		}
	}
	return "" // it would have been cut out
}

// gone stands where a piece was cut out, so that what was around it does not
// come together.
const gone = "\x00"

// cut takes every place out of list at which part stands.
func cut(list, part []string) []string {
	if len(part) == 0 {
		return list
	}
	var rest []string
	for at := 0; at < len(list); {
		if list[at] == part[0] && len(list)-at >= len(part) && slices.Equal(list[at:at+len(part)], part) {
			rest = append(rest, gone)
			at += len(part)
			continue
		}
		rest = append(rest, list[at])
		at++
	}
	return rest
}

// resemblance is the largest part of the letters of want that are in words
// found, in any order, in as long a stretch of list, 0 to 1, and where that
// stretch begins.
func resemblance(list, want []string) (most float64, at int) {
	left := map[string]int{} // how often each word of want is still looked for
	all := 0
	for _, word := range want {
		left[word]++
		all += utf8.RuneCountInString(word)
	}
	found := 0
	for i, word := range list {
		if n, wanted := left[word]; wanted {
			if n > 0 {
				found += utf8.RuneCountInString(word)
			}
			left[word]--
		}
		if from := i - len(want); from >= 0 {
			if n, wanted := left[list[from]]; wanted {
				if n >= 0 {
					found -= utf8.RuneCountInString(list[from])
				}
				left[list[from]]++
			}
		}
		if part := float64(found) / float64(all); part > most {
			most, at = part, max(0, i-len(want)+1)
		}
	}
	return most, at
}
