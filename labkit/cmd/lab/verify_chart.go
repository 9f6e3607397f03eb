package main

import (
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"shelflab/labkit/chart"
)

// unlikeCharts says which drawings of an output are nearly one of the run's
// charts, but not quite. A drawing of another title and other texts is the
// notebook's own. all tells whether every drawing is one of the run's.
func (e expected) unlikeCharts(output *html.Node) (lines []string, all bool) {
	all = true
	for _, svg := range nodes(output, func(n *html.Node) bool { return n.Data == "svg" }) {
		there := leaves(svg)
		best, most, exact := chart.Chart{}, 0.0, false
		for c := range e.drawings(svg) {
			anew := elements(string(c.SVG), "svg")
			if exact = differentDrawing([]*html.Node{svg}, anew) == ""; exact {
				break
			}
			part, _ := resemblance(words(there), words(leaves(anew[0])))
			if slices.Contains(there, c.Title) || attribute(svg, "aria-label") == c.Alt {
				part = 1
			}
			if part > most {
				best, most = c, part
			}
		}
		const nearly = 0.5
		all = all && exact
		if !exact && most >= nearly {
			place := differentDrawing([]*html.Node{svg}, elements(string(best.SVG), "svg"))
			lines = append(lines, fmt.Sprintf("the chart %q: %s", best.Title, place))
		}
		if exact && len(leaves(output)) > len(there) {
			lines = append(lines, "a text stands beside the chart: the lab shows none")
		}
	}
	return lines, all
}

// drawings are the charts that a run is known by, then any of the many others
// that it can be drawn as of which a drawing has the title, the alternative text,
// or most words of the two.
func (e expected) drawings(svg *html.Node) iter.Seq[chart.Chart] {
	bare := func(texts ...string) []string {
		return strings.FieldsFunc(strings.Join(texts, " "), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("“”.,;:", r) })
	}
	title, alt := "", attribute(svg, "aria-label")
	if titles := nodes(svg, func(n *html.Node) bool { return n.Data == "title" }); len(titles) > 0 {
		title = strings.Join(leaves(titles[0]), " ")
	}
	return func(yield func(chart.Chart) bool) {
		for _, c := range e.charts {
			if !yield(c) {
				return
			}
		}
		said := bare(title, alt)
		for i, s := range e.sketches {
			if s.Title != title && s.Alt != alt {
				const nearly = 0.7 // two charts of one run share their arms
				if part, _ := resemblance(said, bare(s.Title, s.Alt)); part < nearly {
					continue
				}
			}
			c, ok := e.known[i]
			if !ok {
				var err error
				if c, err = s.Draw(); err != nil {
					continue
				}
				e.known[i] = c
			}
			if !yield(c) {
				return
			}
		}
	}
}

// differentDrawing says where two drawings part, "" nowhere. Texts are compared
// to the letter; lengths to a hundredth of a point, since not every processor
// rounds alike.
func differentDrawing(there, anew []*html.Node) string {
	if len(there) != 1 || len(anew) != 1 {
		return fmt.Sprintf("%d drawings stand there, the evidence gives %d", len(there), len(anew))
	}
	x, y := flat(there[0]), flat(anew[0])
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x):
			return fmt.Sprintf("%.80q is missing", y[i].value)
		case i >= len(y):
			return fmt.Sprintf("%.80q stands there, the evidence draws nothing", x[i].value)
		case x[i].name != y[i].name || !sameValue(x[i], y[i]):
			return fmt.Sprintf("%s %.80q stands there, the evidence draws %s %.80q", x[i].name, x[i].value, y[i].name, y[i].value)
		}
	}
	return ""
}

// part is an element, an attribute or a text of a drawing.
type part struct{ name, value string }

func flat(svg *html.Node) (parts []part) {
	visit := func(n *html.Node) {
		switch n.Type {
		case html.TextNode:
			if text := strings.Join(strings.Fields(n.Data), " "); text != "" {
				parts = append(parts, part{"text", text})
			}
		case html.ElementNode:
			parts = append(parts, part{"element", n.Data})
			for _, a := range n.Attr {
				parts = append(parts, part{a.Key, a.Val})
			}
		}
	}
	visit(svg)
	for n := range svg.Descendants() {
		visit(n)
	}
	return parts
}

var number = regexp.MustCompile(`-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?`)

func sameValue(x, y part) bool {
	if x.value == y.value {
		return true
	}
	if x.name == "text" || x.name == "element" || x.name == "aria-label" {
		return false
	}
	if number.ReplaceAllString(x.value, "0") != number.ReplaceAllString(y.value, "0") {
		return false
	}
	a, b := number.FindAllString(x.value, -1), number.FindAllString(y.value, -1)
	for i := range a {
		p, err1 := strconv.ParseFloat(a[i], 64)
		q, err2 := strconv.ParseFloat(b[i], 64)
		const rounding = 0.01 // points
		if err1 != nil || err2 != nil || !(math.Abs(p-q) <= rounding) {
			return false
		}
	}
	return true
}
