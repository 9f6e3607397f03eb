package main

import (
	"strings"

	"golang.org/x/net/html"

	"shelflab/labkit/chart"
	"shelflab/labkit/evidence"
	"shelflab/labkit/show"
)

// addModel adds what cells can show of the model of the run and its parts, if one
// can be fitted.
func (e *expected) addModel() {
	m, err := evidence.ModelOf(e.run, e.parts...)
	if err != nil {
		return
	}
	e.model = m
	e.addTable("the table of formulas", show.Formulas(m))
	e.addTable("the table of what was held out", show.HeldOut(m))
	e.addTable("the sentences of the model", show.Cheapest(m))
	e.sketches = append(e.sketches, chart.Maps(m)...)
}

// unlikeGiven checks an output that depends on what a cell has given besides the
// evidence: published figures, or a day. there is false if it is none of these.
func (e expected) unlikeGiven(output *html.Node) (line string, there bool) {
	if line, there := e.unlikeDay(output); there {
		return line, true
	}
	return e.unlikeBeside(output)
}

// unlikeDay checks an output that ranks the arms for a day. The day is read from the
// title of the table, and all below it is computed anew.
func (e expected) unlikeDay(output *html.Node) (line string, there bool) {
	captions := nodes(output, func(n *html.Node) bool { return n.Data == "caption" })
	if len(captions) != 1 || len(nodes(output, func(n *html.Node) bool { return n.Data == "table" })) != 1 {
		return "", false
	}
	title := strings.Join(leaves(captions[0]), " ")
	day, err := show.ParseDay(title)
	if err != nil {
		return "", false
	}
	want := leaves(fragment(show.Day(e.model, day).HTML()))
	for _, line := range differentTexts("the ranking of a day", leaves(output), want) {
		return line, true
	}
	return "", true
}
