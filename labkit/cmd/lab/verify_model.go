package main

import (
	"fmt"
	"regexp"
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

// dayTitle are the words of the title of a day, without its numbers and signs.
var dayTitle = words([]string{"A day with records of bytes full writes opens gets updates"})

var dayWords = regexp.MustCompile(`[\d,.:]+|\S+-\S+`)

// unlikeDay checks an output that ranks the arms for a day. The day is read from the
// title of the table, and all below it is computed anew.
func (e expected) unlikeDay(output *html.Node) (line string, there bool) {
	captions := nodes(output, func(n *html.Node) bool { return n.Data == "caption" })
	if len(captions) != 1 || len(nodes(output, func(n *html.Node) bool { return n.Data == "table" })) != 1 {
		return "", false
	}
	title := strings.Join(leaves(captions[0]), " ")
	day, err := show.ParseDay(title)
	switch bare := words([]string{dayWords.ReplaceAllString(title, "")}); {
	case err != nil && len(bare) < 2*len(dayTitle) && resembles(bare, dayTitle):
		return fmt.Sprintf("the ranking of a day: %v", err), true
	case err != nil:
		return "", false
	}
	want := leaves(fragment(show.Day(e.model, day).HTML()))
	for _, line := range differentTexts("the ranking of a day", leaves(output), want) {
		return line, true
	}
	return "", true
}
