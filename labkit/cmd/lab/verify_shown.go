package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"shelflab/labkit"
	"shelflab/labkit/chart"
	"shelflab/labkit/evidence"
	"shelflab/labkit/show"
)

// piece is something that the lab shows of a run, word by word: a table, a box,
// or one sentence of them.
type piece struct {
	name  string
	words []string
	short bool // it says too little for what resembles it to be it: see isSentence
}

// expected is what a page may show of its run.
type expected struct {
	run       *evidence.Run
	parts     []*evidence.Run
	files     map[string][]byte // that the page carries, nil if that does not matter
	model     *evidence.Model   // of all of them, nil if none can be fitted
	whole     []piece           // tables and boxes
	sentences []piece           // in them and elsewhere
	charts    []chart.Chart
	sketches  []chart.Sketch      // what else may be drawn
	known     map[int]chart.Chart // of those, by their place
}

func expect(run *evidence.Run, parts []*evidence.Run) (expected, error) {
	e := expected{run: run, parts: parts, known: map[int]chart.Chart{}}
	e.add("the verdict", show.VerdictHTML(run, parts...))
	err := e.addRun(run, "")
	for _, part := range parts {
		name := " of the part " + evidence.Suffix(part.Plan, run.Plan)
		e.add("the verdict"+name, show.VerdictHTML(part))
		err = errors.Join(err, e.addRun(part, name))
	}
	e.addModel()
	e.addForecasts()
	e.sentences = append(e.sentences, piece{name: "whose records", words: words([]string{show.OwnRecordsText(run.Plan)})})
	return e, err
}

// addRun adds every table that cells can show of a run, and its charts. of is
// "" or says of which part.
func (e *expected) addRun(run *evidence.Run, of string) error {
	add := func(name string, t show.Table) { e.addTable(name+of, t) }
	add("the verdict", show.Winners(run))
	add("the verdict", show.Beyond(run))
	for _, n := range run.Measured() {
		add(fmt.Sprintf("the lead table at n = %s", evidence.Count(n)), show.Lead(run, n))
		if claims := show.Claims(run, n); len(claims.Rows) > 0 {
			add(fmt.Sprintf("the table of claims at n = %s", evidence.Count(n)), claims)
		}
	}
	add("the table of ratios", show.Ratios(run))
	for _, t := range show.Resources(run) {
		add("the table: "+t.Title, t)
	}
	add("the table of bytes written and kept", show.Amplification(run))
	add("the table of cold reads", show.Cold(run))
	if of != "" { // a part that prices nothing says so
		add("the table of durability", show.Durability(run, labkit.Write))
	}
	if len(run.Tallies) > 0 {
		add("the table of trials", show.Trials(run))
	}
	for _, t := range show.Prices(run) {
		add("the table: "+t.Title, t)
	}
	if len(run.Growths) > 0 {
		add("the table of growths", show.Growth(run))
	}
	for _, o := range run.Observed {
		add("the table: "+o.Title, show.ObservedTable(o))
	}
	if len(run.Flats) > 0 {
		add("the table of who stays flat", show.Flat(run))
	}
	if run.Plan.DataLimit > 0 {
		add("the table of a limit on memory", show.Limit(run))
	}
	for _, m := range run.Metrics {
		if t := show.ByN(run, m); len(t.Rows) > 0 {
			add("the table of "+m.Name+" over n", t)
		}
	}
	for _, m := range labkit.WholeMetrics() {
		if t := show.Memory(run, m); len(t.Rows) > 0 {
			add("the table of the memory of "+m.Name, t)
		}
	}
	charts, err := chartsOf(run)
	e.charts = append(e.charts, charts...)
	e.sketches = append(e.sketches, chart.Every(run)...)
	return err
}

// add adds a box, and its sentences.
func (e *expected) add(name, html string) {
	texts := leaves(fragment(html))
	e.whole = append(e.whole, piece{name: name, words: words(texts)})
	for _, text := range texts {
		if list := words([]string{text}); isSentence(list) {
			e.sentences = append(e.sentences, piece{name: name, words: list})
		}
	}
}

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

// addTable adds a table and its notes, which a sweep leaves out.
func (e *expected) addTable(name string, t show.Table) {
	for _, note := range t.Notes {
		list := words([]string{note})
		e.sentences = append(e.sentences, piece{name: "the notes of " + name, words: list, short: !isSentence(list)})
	}
	if t.Notes = nil; len(t.Rows) == 0 && t.Title == "" {
		return // what is left says nothing
	}
	e.add(name, t.HTML())
}

func words(texts []string) []string { return strings.Fields(strings.Join(texts, " ")) }

// outputs looks for what the lab shows of the run in the outputs of the page's
// cells. What resembles a piece or a chart must be one, to the letter; what
// resembles none is the notebook's own, and own says in which cells it stands.
func (e expected) outputs(doc *html.Node) (lines []string, own []string) {
	for _, section := range nodes(doc, func(n *html.Node) bool { return n.Data == "section" }) {
		for _, output := range nodes(section, func(n *html.Node) bool { return attribute(n, "class") == "output" }) {
			place := attribute(section, "id")
			if kind := kindOf(output); kind == printed || kind == pictured {
				own = append(own, strings.TrimPrefix(place, "cell-"))
				continue
			}
			if line, there := e.unlikeGiven(output); there {
				if line != "" {
					lines = append(lines, place+": "+line)
				}
				continue
			}
			unlike := e.unlikePieces
			if kindOf(output) == drawn {
				unlike = e.unlikeCharts
			}
			faults, ours := unlike(output)
			for _, line := range faults {
				lines = append(lines, place+": "+line)
			}
			if !ours && len(faults) == 0 {
				own = append(own, strings.TrimPrefix(place, "cell-"))
			}
		}
	}
	return lines, slices.Compact(own)
}

// The kinds of an output.
type kind int

const (
	shown    kind = iota // tables, boxes and remarks, as HTML
	drawn                // a chart
	pictured             // pixels, which nothing here can compare
	printed              // text
)

func kindOf(output *html.Node) kind {
	holds := func(name string) bool {
		return len(nodes(output, func(n *html.Node) bool { return n.Data == name })) > 0
	}
	switch {
	case holds("pre"):
		return printed
	case holds("svg"):
		return drawn
	case holds("img"):
		return pictured
	}
	return shown
}

// unlikePieces says which words of an output are nearly a piece, but not quite. all
// tells whether every word is of a piece.
func (e expected) unlikePieces(output *html.Node) (lines []string, all bool) {
	there, ours := words(leaves(output)), false
	for i, pieces := range [][]piece{e.whole, e.sentences} {
		// The longest first: a table may stand in a box.
		longest := slices.SortedStableFunc(slices.Values(pieces), func(x, y piece) int { return len(y.words) - len(x.words) })
		for _, p := range longest {
			there = cut(there, p.words)
		}
		if i == 0 {
			ours = slices.Contains(there, gone)
		}
		if line := nearest(there, pieces); line != "" {
			return []string{line}, false
		}
	}
	// The lab displays one thing at a time.
	rest := slices.DeleteFunc(there, func(word string) bool { return word == gone })
	if ours && len(rest) > 0 {
		return []string{fmt.Sprintf("%q stands beside what the lab shows", strings.Join(rest[:min(len(rest), 8)], " "))}, false
	}
	return nil, len(rest) == 0
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

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
