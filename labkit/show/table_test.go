package show

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"pgregory.net/rapid"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// node parses one element strictly: what the parser makes of it is what was
// written.
func node(t *testing.T, text string) *html.Node {
	t.Helper()
	nodes, err := html.ParseFragment(strings.NewReader(text), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil || len(nodes) != 1 {
		t.Fatalf("%d nodes, %v: %s", len(nodes), err, text)
	}
	return nodes[0]
}

// all returns the elements of a name below n.
func all(n *html.Node, name string) (out []*html.Node) {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == name {
			out = append(out, c)
		}
	}
	return out
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
		if c.Data == "br" {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func TestTableHTML(t *testing.T) {
	hostile := `<script>alert("1")</script>&amp;`
	table := Table{
		Title: hostile,
		Head:  []string{"arm", "write\nrec/s", "says"},
		Rows:  [][]string{{hostile, "1.5 M\n1.4 – 1.6 M", "text"}, {"b", "–", "12 is text too"}, {"c"}, {"d", "2 k", "x", "beyond"}},
		Notes: []string{hostile},
	}
	n := node(t, table.HTML())
	if got := len(all(n, "script")); got != 0 {
		t.Errorf("%d script elements", got)
	}
	if got := textOf(all(n, "caption")[0]); got != hostile {
		t.Errorf("caption %q", got)
	}
	if got := textOf(all(n, "p")[0]); got != hostile {
		t.Errorf("note %q", got)
	}
	var scopes []string
	for _, th := range all(n, "th") {
		scopes = append(scopes, attribute(th, "scope"))
	}
	if diff := cmp.Diff([]string{"col", "col", "col", "col", "row", "row", "row", "row"}, scopes); diff != "" {
		t.Errorf("scopes: %s", diff)
	}
	rows := all(n, "tr")
	if len(rows) != 5 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, row := range rows {
		if got := len(all(row, "td")) + len(all(row, "th")); got != 4 {
			t.Errorf("row %d has %d cells, want 4", i, got)
		}
	}
	first := all(rows[1], "td")
	if got := textOf(first[0]); got != "1.5 M\n1.4 – 1.6 M" {
		t.Errorf("cell %q", got)
	}
	for i, want := range []string{"text-align:right", "text-align:left"} {
		if style := attribute(first[i], "style"); !strings.Contains(style, want) {
			t.Errorf("column %d: %s, want %s", i+1, style, want)
		}
	}
	for c := range n.Descendants() {
		for _, a := range c.Attr {
			if a.Key != "style" && a.Key != "scope" {
				t.Errorf("attribute %s on %s", a.Key, c.Data)
			}
			if strings.Contains(a.Val, "#") || strings.Contains(a.Val, "black") {
				t.Errorf("a fixed colour, which is lost on light or dark pages: %s", a.Val)
			}
		}
	}
}

func TestTableText(t *testing.T) {
	table := Table{
		Title: "A title",
		Head:  []string{"arm", "write\nrec/s"},
		Rows:  [][]string{{"shelf", "1.5 M\n1.4 – 1.6 M"}, {"a \x1b[31mred\x1b[0m blob", "–"}, {"ragged"}},
		Notes: []string{"One note that is long enough to be broken into two lines since it is longer than a hundred cells, 95 % sure."},
	}
	want := `A title

arm                        write
                           rec/s
────────────────────────────────
shelf                      1.5 M
                     1.4 – 1.6 M
a  [31mred [0m blob            –
ragged

One note that is long enough to be broken into two lines since it is longer than a hundred cells,
95 % sure.
`
	if diff := cmp.Diff(want, table.Text()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestEmptyTables(t *testing.T) {
	for name, table := range map[string]Table{
		"zero":        {},
		"only a head": {Head: []string{"a", "b"}},
		"empty rows":  {Rows: [][]string{{}, nil, {""}}},
		"no plan":     PlanTable[labkit.Plan](nil),
		"no struct":   PlanTable(new(int)),
		"nil lead":    Lead(nil, 8000),
		"zero lead":   Lead(&evidence.Run{}, 8000),
		"nil ratios":  Ratios(nil),
		"zero ratios": Ratios(&evidence.Run{}),
	} {
		if table.HTML() == "" || strings.TrimSpace(table.Text()) == "" && name != "empty rows" {
			t.Errorf("%s: nothing is shown", name)
		}
	}
	if got := Lead(nil, 8000).Text(); !strings.Contains(got, "n = 8,000 has not been measured: run the sweep first.") {
		t.Errorf("%s", got)
	}
	if got := verdictOf(nil).text(100); !strings.Contains(got, "run the sweep first") {
		t.Errorf("%s", got)
	}
}

func ExampleTable_Text() {
	fmt.Print(Table{
		Head:  []string{"arm", "write\nrec/s"},
		Rows:  [][]string{{"shelf", "400 k"}, {"blob", "2.00 M"}},
		Notes: []string{"Numbers of no machine."},
	}.Text())
	// Output:
	// arm     write
	//         rec/s
	// ─────────────
	// shelf   400 k
	// blob   2.00 M
	//
	// Numbers of no machine.
}

// TestTextFitsItsWidth: no line is longer than asked where its words allow, and
// every cell is there.
func TestTextFitsItsWidth(t *testing.T) {
	run := made(t, samplePlan(), sampleArms(), nil)
	for _, width := range []int{60, 80, 100, 140} {
		for _, table := range []Table{Lead(run, 8000), Ratios(run), PlanTable(&run.Plan)} {
			text := table.text(width)
			for line := range strings.Lines(text) {
				if got := utf8.RuneCountInString(strings.TrimRight(line, "\n")); got > width && !strings.Contains(line, "─") {
					// Two columns are the least.
					if len(table.Head) > 3 || width > 90 {
						t.Errorf("%d columns of %d: %s", got, width, line)
					}
				}
			}
			for _, row := range table.Rows {
				for _, cell := range row {
					for part := range strings.SplitSeq(cell, "\n") {
						if !strings.Contains(text, part) {
							t.Errorf("width %d: no %q", width, part)
						}
					}
				}
			}
		}
	}
}

func TestShownWidth(t *testing.T) {
	header := func(width byte) []byte {
		return append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00"), width, 0, 0, 0, 1)
	}
	for name, test := range map[string]struct {
		png  []byte
		want int
	}{
		"none": {nil, 860}, "no PNG": {[]byte("GIF89a and some more bytes"), 860}, "cut off": {header(9)[:18], 860}, "small": {header(200), 200},
	} {
		if got := shownWidth(test.png); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// TestAnyTable: whatever the text, the HTML holds it and nothing else, and the
// terminal gets no control character.
func TestAnyTable(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"<script>", "\x1b[2J", "a\n\nb", "\x00", "\u202eabc", "\xff", `" onclick="x`, "12", none}))
		table := Table{
			Title: text.Draw(r, "title"),
			Head:  rapid.SliceOfN(text, 0, 3).Draw(r, "head"),
			Rows:  rapid.SliceOfN(rapid.SliceOfN(text, 0, 4), 0, 3).Draw(r, "rows"),
			Notes: rapid.SliceOfN(text, 0, 2).Draw(r, "notes"),
		}
		n := node(t, table.HTML())
		for c := range n.Descendants() {
			if c.Type == html.ElementNode && !strings.Contains(" caption table thead tbody tr th td br span p ", " "+c.Data+" ") {
				r.Fatalf("element %s", c.Data)
			}
		}
		for i, p := range all(n, "p") {
			if got, want := textOf(p), strings.ReplaceAll(plain(table.Notes[i]), "\r", "\n"); got != want {
				r.Fatalf("note %q, want %q", got, want)
			}
		}
		for _, width := range []int{1, 60} {
			for _, c := range table.text(width) {
				if c != '\n' && unicode.IsControl(c) {
					r.Fatalf("control character %q", c)
				}
			}
		}
	})
}

// Negative numbers are numbers; a hyphen that begins a word is not.
func TestNegativeNumbersAreAlignedRight(t *testing.T) {
	html := Table{Head: []string{"a", "b", "c"}, Rows: [][]string{{"x", "0.5", "-x"}, {"y", "-0.45\n-1 – 2", "-"}}}.HTML()
	if n := strings.Count(html, "text-align:right"); n != 3 { // the heading of b, and its two cells
		t.Errorf("%d cells are aligned right:\n%s", n, html)
	}
}

// A sentence that begins with a number is none: on one line it would leave the page.
func TestSentencesAreNotAlignedRight(t *testing.T) {
	html := Table{Head: []string{"of", "says"}, Rows: [][]string{{"x", "200 random gets: blob is faster up to n = 2,691."}}}.HTML()
	if strings.Contains(html, "text-align:right") || strings.Contains(html, "nowrap") {
		t.Error(html)
	}
}

// A table that is wider than a page is set in several, each with the first column,
// and nothing is lost or there twice.
func TestWideTable(t *testing.T) {
	for columns := range 30 {
		var wide Table
		var head []string
		for i := range columns {
			head = append(head, fmt.Sprintf("column%d;", i))
		}
		wide.Head, wide.Rows = head, [][]string{head}
		html := wide.HTML()
		tables := strings.Count(html, "<table")
		if want := max(1, (columns+6)/8); tables != want {
			t.Errorf("%d columns in %d tables, want %d", columns, tables, want)
		}
		for i := range columns {
			want := 2
			if i == 0 {
				want = 2 * tables
			}
			if got := strings.Count(html, fmt.Sprintf(">column%d;", i)); got != want {
				t.Errorf("%d columns: column %d is there %d times, want %d", columns, i, got, want)
			}
		}
	}
}
