package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"shelflab/labkit/evidence"
	"shelflab/labkit/show"
)

// unlikeBeside checks an output that sets published figures beside ours. The
// figures and their sources are the notebook's own, as prose is: they are read
// from the table, and what the run gives to stand beside them is looked for word
// by word. there is false if the output holds no such table.
func (e expected) unlikeBeside(output *html.Node) (line string, there bool) {
	table, title, ok := tableLike(output, besideHead())
	if !ok {
		return "", false
	}
	got, best := words(leaves(output)), ""
	for _, run := range slices.Concat([]*evidence.Run{e.run}, e.parts) {
		figures, err := figuresOf(table, run)
		if err != nil {
			best = err.Error()
			continue
		}
		t := show.Beside(run, title, figures)
		want := words(leaves(fragment(t.HTML())))
		if slices.Equal(got, want) {
			return "", true
		}
		if line := nearest(got, []piece{{name: "the table of published figures", words: want}}); line != "" && best == "" {
			best = line
		}
	}
	if best == "" {
		best = "the table of published figures: something stands beside it"
	}
	return best, true
}

// besideHead are the headings of a table of published figures.
func besideHead() []string {
	var list []string
	for _, head := range show.Beside(nil, "", nil).Head {
		list = append(list, strings.ReplaceAll(head, "\n", " "))
	}
	return list
}

// cells are the texts of cells.
func cells(list []*html.Node) []string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = strings.Join(leaves(n), " ")
	}
	return texts
}

// figuresOf reads the published figures from the rows of a table.
func figuresOf(table *html.Node, run *evidence.Run) ([]show.Figure, error) {
	var figures []show.Figure
	for i, row := range nodes(table, func(n *html.Node) bool { return n.Data == "tr" })[1:] {
		list := nodes(row, func(n *html.Node) bool { return n.Data == "td" || n.Data == "th" })
		if len(list) != len(besideHead()) {
			return nil, fmt.Errorf("the table of published figures: row %d has %d cells", i+1, len(list))
		}
		texts := cells(list)
		n, err := strconv.Atoi(strings.ReplaceAll(texts[2], ",", ""))
		if err != nil {
			return nil, fmt.Errorf("the table of published figures: n = %q in row %d", texts[2], i+1)
		}
		f := show.Figure{N: n, Metric: texts[0], Arm: texts[1]}
		published := leaves(list[4])
		if len(published) > 0 {
			m, _ := run.Metric(f.Metric)
			f.Value, _ = evidence.ParseQuantity(published[0], m.Unit) // what is none has a dash
			f.Source = strings.Join(published[1:], " ")
		}
		figures = append(figures, f)
	}
	return figures, nil
}
