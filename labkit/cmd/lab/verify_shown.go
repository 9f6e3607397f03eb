package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"shelflab/labkit"
	"shelflab/labkit/chart"
	"shelflab/labkit/evidence"
	"shelflab/labkit/show"
)

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
	e.sentences = append(e.sentences, piece{name: "whose records", words: words([]string{show.OwnRecordsText(run.Plan)})},
		piece{name: "a sweep of no sizes", words: words([]string{show.NoSizes})})
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
	for _, n := range run.Disturbed {
		e.sentences = append(e.sentences, piece{name: "the warning" + of, words: words([]string{show.DisturbedText(n)})})
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

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
