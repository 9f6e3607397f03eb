package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/show"
)

// unlikeGiven checks an output that depends on what a cell has given besides the
// evidence, or on when it was run: it is read from the output, and what the lab makes
// of it is looked for word by word. there is false if it is none of these.
func (e expected) unlikeGiven(output *html.Node) (line string, there bool) {
	for _, unlike := range []func(*html.Node) (string, bool){
		e.unlikeDay, e.unlikeBeside, e.unlikeForecasts, e.unlikePlan, e.unlikeMissing, e.unlikeSettings,
	} {
		if line, there := unlike(output); there {
			return line, true
		}
	}
	return "", false
}

// likely is the part of the letters of a fixed text that an output holds which was
// meant to be it.
const likely = 0.7

func resembles(there, want []string) bool {
	part, _ := resemblance(there, want)
	return part >= likely
}

// tableLike is the one table of an output if it has nearly these headings.
func tableLike(output *html.Node, head []string) (table *html.Node, title string, ok bool) {
	tables := nodes(output, func(n *html.Node) bool { return n.Data == "table" })
	if len(tables) != 1 {
		return nil, "", false
	}
	heads := words(cells(nodes(tables[0], func(n *html.Node) bool { return attribute(n, "scope") == "col" })))
	want := words(head)
	if len(heads) > 2*len(want) || !resembles(heads, want) {
		return nil, "", false
	}
	if captions := nodes(tables[0], func(n *html.Node) bool { return n.Data == "caption" }); len(captions) > 0 {
		title = strings.Join(leaves(captions[0]), " ")
	}
	return tables[0], title, true
}

// bodyRows are the texts of a table below its headings, by row; what stands in one
// cell is joined.
func bodyRows(table *html.Node) (rows [][]string) {
	for _, body := range nodes(table, func(n *html.Node) bool { return n.Data == "tbody" }) {
		for _, row := range nodes(body, func(n *html.Node) bool { return n.Data == "tr" }) {
			rows = append(rows, cells(nodes(row, func(n *html.Node) bool { return n.Data == "td" || n.Data == "th" })))
		}
	}
	return rows
}

// notesOf are the texts below the tables of an output.
func notesOf(output *html.Node) []string {
	return cells(nodes(output, func(n *html.Node) bool { return n.Data == "p" }))
}

// unlikeTable says where an output parts from what a table shows, "" nowhere.
func unlikeTable(name string, output *html.Node, t show.Table) string {
	for _, line := range differentTexts(name, words(leaves(output)), words(leaves(fragment(t.HTML())))) {
		return line
	}
	return ""
}

// unlikeForecasts checks a table of what larger sizes will take. Which sizes were
// measured when it was shown is not known: it must be right for some. Why a size does
// not fit is the notebook's.
func (e expected) unlikeForecasts(output *html.Node) (line string, there bool) {
	const name = "the table of forecasts"
	table, _, ok := tableLike(output, show.Forecasts(nil, []int{1}, nil).Head)
	if !ok {
		return "", false
	}
	var sizes []int
	refused := map[int]error{}
	for _, row := range bodyRows(table) {
		n, err := strconv.Atoi(strings.ReplaceAll(slices.Concat(row, []string{""})[0], ",", ""))
		if err != nil || !slices.Contains(e.run.Plan.N, n) {
			return fmt.Sprintf("%s: %q is no size of the plan", name, row), true
		}
		sizes = append(sizes, n)
		begin := fmt.Sprintf("⚠ n = %s: ", evidence.Count(n))
		for _, note := range notesOf(output) {
			if why, ok := strings.CutPrefix(note, begin); ok {
				refused[n] = errors.New(strings.TrimSuffix(why, "."))
			}
		}
	}
	fits := func(f evidence.Forecast) error { return refused[f.N] }
	for _, upTo := range append([]int{0}, e.run.Measured()...) {
		line = unlikeTable(name, output, show.Forecasts(e.run.Upto(upTo), sizes, fits))
		if line == "" {
			return "", true
		}
	}
	return line, true
}

// addForecasts adds what a sweep displays before it measures a size, for whatever
// had been measured by then.
func (e *expected) addForecasts() {
	for _, upTo := range e.run.Measured() {
		then := e.run.Upto(upTo)
		for _, n := range e.run.Plan.N {
			if f, ok := then.Forecast(n); ok {
				e.sentences = append(e.sentences, piece{name: "the forecast for n = " + evidence.Count(n), words: words([]string{show.ForecastText(f)})})
			}
		}
	}
}

// unlikePlan checks the table of parameters: those that every plan has, and those
// that the notebook adds, of which the evidence has the values. What these are is
// the notebook's.
func (e expected) unlikePlan(output *html.Node) (line string, there bool) {
	const name, copied = "the parameters", "⚠ This notebook is a copy"
	want := show.PlanTable(&e.run.Plan)
	table, _, ok := tableLike(output, want.Head)
	if !ok {
		return "", false
	}
	left := want.Rows
	want.Rows = nil
	own := e.run.Plan.Own
	for _, row := range bodyRows(table) {
		if len(row) != len(want.Head) {
			return fmt.Sprintf("%s: %q is no row of them", name, row), true
		}
		value, known := own[row[0]]
		switch at := slices.IndexFunc(left, func(base []string) bool { return base[0] == row[0] }); {
		case at >= 0:
			row = left[at]
			left = slices.Delete(slices.Clone(left), at, at+1)
		case known:
			row[1] = value
		case len(own) > 0 || len(row[0]) == 0: // evidence of earlier labs has none of them
			return fmt.Sprintf("%s: the plan has no %q", name, row[0]), true
		}
		want.Rows = append(want.Rows, row)
	}
	if len(left) > 0 {
		return fmt.Sprintf("%s: %q is missing", name, left[0][0]), true
	}
	for _, note := range notesOf(output) { // only the cell knows whose notebook it is in
		if strings.HasPrefix(note, copied) {
			want.Notes = append(want.Notes, note)
		}
	}
	return unlikeTable(name, output, want), true
}

var missing = regexp.MustCompile(`^Incomplete: n = ([\d,]+(?:, [\d,]+)*) not measured to the last round\.$`)

// unlikeMissing checks a remark on sizes that were not measured yet when it was
// displayed. Which they were then is not known: it must be some of a plan.
func (e expected) unlikeMissing(output *html.Node) (line string, there bool) {
	text := strings.Join(leaves(output), " ")
	fixed := words([]string{show.MissingText(nil)})
	bare := slices.DeleteFunc(strings.Fields(text), func(word string) bool { return strings.ContainsAny(word, "0123456789") })
	if len(bare) > len(fixed)+1 || !resembles(bare, fixed) {
		return "", false
	}
	found := missing.FindStringSubmatch(text)
	if found == nil {
		return fmt.Sprintf("%q stands there, the lab says %q", text, show.MissingText(e.run.Plan.N)), true
	}
	var ns []int
	for each := range strings.SplitSeq(found[1], ", ") {
		n, _ := strconv.Atoi(strings.ReplaceAll(each, ",", ""))
		ns = append(ns, n)
	}
	for _, run := range slices.Concat([]*evidence.Run{e.run}, e.parts) {
		other := func(n int) bool { return !slices.Contains(run.Plan.N, n) }
		if !slices.ContainsFunc(ns, other) && show.MissingText(ns) == text {
			return "", true
		}
	}
	return fmt.Sprintf("%q: these are no sizes of a plan", text), true
}

// unlikeSettings checks the settings of an exploration that nobody could move: then
// they are the plan's. What they are called is the notebook's.
func (e expected) unlikeSettings(output *html.Node) (line string, there bool) {
	const name, title = "the settings", "Settings"
	texts := leaves(output)
	if len(texts) < 4 || len(nodes(output, func(n *html.Node) bool { return n.Data == "table" || n.Data == "svg" || n.Data == "pre" })) > 0 {
		return "", false
	}
	last := texts[len(texts)-1]
	like := func(why string) bool { return resembles(words([]string{last}), words([]string{why})) }
	if !slices.ContainsFunc(show.MeasuredOnce(), like) {
		return "", false
	}
	if texts[0] != title || !slices.Contains(show.MeasuredOnce(), last) {
		return fmt.Sprintf("%s: %q … %q: the lab says this otherwise", name, texts[0], last), true
	}
	values := []string{"all", strconv.Itoa(e.run.Plan.Largest())} // none of some means all of them
	for _, p := range labkit.ListParams(&e.run.Plan) {
		values = append(values, p.Value)
	}
	for _, value := range e.run.Plan.Own {
		values = append(values, value)
	}
	for i := 1; i+1 < len(texts)-1; i += 2 { // the name of one, and its value
		if label := texts[i]; !strings.HasSuffix(label, ":") {
			return fmt.Sprintf("%s: %q has no value", name, label), true
		}
		if !slices.Contains(values, texts[i+1]) {
			return fmt.Sprintf("%s: %s %q is no value of the plan", name, texts[i], texts[i+1]), true
		}
	}
	return "", true
}
