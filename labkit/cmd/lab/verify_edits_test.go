package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"shelflab/labkit"
)

// ofTheirOwn are the cells of the notebooks that show or draw what does not follow
// from the evidence; text that a cell prints is besides.
var ofTheirOwn = map[string][]string{
	"02_larger_objects": {"why-groups", "why-below", "published"}, // the processor profile, and a remark for other sizes
	"04_side_by_side":   {"memory-sweep"},                         // a remark
	"05_which_store":    {"cycles"},                               // remarks, how many keys are fetched
}

// everyOutput edits what the head and the outputs of a page show, some of its texts and lines at
// a time, a digit or a letter each, and looks whether that is found. It returns how
// many were edited.
func everyOutput(t *testing.T, page, name string) (edits int) {
	t.Helper()
	const each, seed = 4, 4 // edits of an output
	random := rand.New(rand.NewPCG(seed, seed))
	want := expectedOf(t, page)
	doc, err := html.Parse(strings.NewReader(page))
	must(t, err)
	head := nodes(doc, func(n *html.Node) bool { return n.Data == "header" })[0]
	texts := editable(head, func(text *html.Node) bool { return text.Parent.Data == "code" })
	random.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	for _, text := range texts[:min(2*each, len(texts))] {
		was := *text
		*text = edited(random, was)
		if lines, err := verifyHead(doc, want.run, want.parts); len(lines) == 0 || err != nil {
			t.Errorf("the head: %.200q can be edited to %.200q: %v", was, *text, err)
		}
		*text = was
		edits++
	}
	for _, section := range nodes(doc, func(n *html.Node) bool { return n.Data == "section" }) {
		id := strings.TrimPrefix(attribute(section, "id"), "cell-")
		for _, output := range nodes(section, func(n *html.Node) bool { return attribute(n, "class") == "output" }) {
			if kindOf(output) == printed {
				continue
			}
			// Alone in its section, an output is looked at without the rest of the page.
			alone := &html.Node{Type: html.ElementNode, Data: "div"}
			inside := &html.Node{Type: html.ElementNode, Data: "section"}
			alone.AppendChild(inside)
			parent, next := output.Parent, output.NextSibling
			parent.RemoveChild(output)
			inside.AppendChild(output)
			lines, own := want.outputs(alone)
			if len(lines) > 0 || len(own) > 0 && !slices.Contains(ofTheirOwn[name], id) {
				t.Errorf("%s as it is: %q, not compared: %t", id, lines, len(own) > 0)
			}
			texts := editable(output, func(text *html.Node) bool { return isPutIn(text, id, want.run.Plan) })
			random.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
			for _, text := range texts[:min(each, len(texts))] {
				was := *text
				*text = edited(random, was)
				if lines, now := want.outputs(alone); len(own) == 0 && len(lines)+len(now) == 0 {
					t.Errorf("%s: %.200q can be edited to %.200q", id, was, *text)
				}
				*text = was
				edits++
			}
			inside.RemoveChild(output)
			parent.InsertBefore(output, next)
		}
	}
	return edits
}

// editable are the texts of an output but for some, and the lines and descriptions
// of its drawings.
func editable(output *html.Node, but func(*html.Node) bool) (texts []*string) {
	for n := range output.Descendants() {
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" && !but(n) {
			texts = append(texts, &n.Data)
		}
		for i, a := range n.Attr {
			if a.Key == "aria-label" || a.Key == "d" {
				texts = append(texts, &n.Attr[i].Val)
			}
		}
	}
	return texts
}

// isPutIn tells whether a text within what is checked is the notebook's own, as
// verify's help says.
func isPutIn(text *html.Node, id string, plan labkit.Plan) bool {
	within := func(element string) *html.Node {
		for n := range text.Ancestors() {
			if n.Data == element {
				return n
			}
		}
		return nil
	}
	column := func() (at int, row []string) {
		if line := within("tr"); line != nil {
			list := nodes(line, func(n *html.Node) bool { return n.Data == "td" || n.Data == "th" })
			return slices.IndexFunc(list, func(n *html.Node) bool { return n == within(n.Data) }), cells(list)
		}
		return 0, make([]string, 1)
	}
	switch id {
	case "day", "day-loss", "pitfall-model":
		return within("caption") != nil // the day
	case "published", "published-table", "file-published":
		at, row := column()
		return within("caption") != nil || at == 4 || len(row) > 4 && row[3] == "–" // a figure, and what is not measured
	case "parameters":
		at, row := column()
		_, own := plan.Own[row[0]]
		return at == 2 && own // what it is
	case "explore":
		return within("b") != nil // the name of a setting
	}
	return strings.HasPrefix(text.Data, "⚠ n = ") // why a size does not fit
}

// edited is a text with one digit, or else one letter, that is another: in a line the
// first of a number, since others may be within its rounding.
func edited(random *rand.Rand, text string) string {
	runes := []rune(text)
	var digits, letters []int
	for i, r := range runes {
		switch {
		case unicode.IsDigit(r) && (i == 0 || !unicode.IsDigit(runes[i-1]) && runes[i-1] != '.'):
			digits = append(digits, i)
		case unicode.IsLetter(r):
			letters = append(letters, i)
		}
	}
	if line := strings.HasPrefix(text, "M"); len(digits) > 0 && (line || len(letters) == 0 || random.IntN(2) == 0) {
		at := digits[random.IntN(len(digits))]
		runes[at] = '1' + (runes[at]-'0')%9
		return string(runes)
	}
	if len(letters) == 0 {
		return text + "!"
	}
	at := letters[random.IntN(len(letters))]
	runes[at] = map[bool]rune{true: 'y', false: 'x'}[runes[at] == 'x']
	return string(runes)
}

// No edit leaves a text as it is.
func TestEdited(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, text := range []string{"n = 60", "M3.141,2", "x", "–", "1.97 ms"} {
		for range 20 {
			if got := edited(random, text); got == text {
				t.Errorf("%q stays as it is", text)
			}
		}
	}
}
