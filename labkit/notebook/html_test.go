package notebook

import (
	"bytes"
	"encoding/base64"
	"errors"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden page anew")

func page(t *testing.T, nb *Notebook, p Page) string {
	t.Helper()
	var buf bytes.Buffer
	if err := nb.HTML(&buf, p); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// sample has a cell of each kind and an output of each form.
func sample() *Notebook {
	return New(
		prose("# Shelf or blob?\n\nProse with `code`, a [link](https://example.org), a note[^1] and ~~GFM~~.\n\n[^1]: The note.\n\n| arm | n |\n|:--|--:|\n| blob | 8000 |\n\n```go\nx := 1\n```\n\n- [x] done\n"),
		prose("## Same\n\n![alt](attachment:p.png) ![far](http://x.example/a.png)\n\nAnother note[^1].\n\n[^1]: Of another cell.\n"),
		prose("## Same\n"),
		&Cell{Kind: Code, ID: "sweep", ExecutionCount: 3, Source: "// Sweep\nimport \"fmt\"\n%%\nfmt.Println(\"<hi>\")\n!ls | wc", Outputs: []*Output{
			{Type: Stream, Name: "stdout", Text: "10%\r100%\n<done> \x1b[1mbold\x1b[0m\n"},
			{Type: Stream, Name: "stderr", Text: "careful\n"},
			{Type: Stream, Name: "stdout", Text: " \n"},
			{Type: DisplayData, Data: map[string]any{"text/html": "<table><tr><td style=\"text-align:right\">1</td></tr></table>", "text/plain": "fallback"}},
			{Type: DisplayData, Data: map[string]any{"image/svg+xml": "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"/></svg>"}},
			{Type: DisplayData, Data: map[string]any{"image/png": "iVBORw0K\nGgo=\n", "text/plain": "a \"picture\""}},
			{Type: DisplayData, Data: map[string]any{"image/png": "not base64!", "text/plain": "shown instead"}},
			{Type: DisplayData, Data: map[string]any{"text/markdown": "## Same\n*em*"}},
			{Type: DisplayData, Data: map[string]any{"application/json": map[string]any{"k": 1}}},
			{Type: DisplayData, Data: map[string]any{"text/html": ""}},
			{Type: DisplayData, Data: map[string]any{"application/javascript": "alert(1)"}},
			{Type: ExecuteResult, Data: map[string]any{"text/plain": "42"}},
		}},
		&Cell{Kind: Code, ExecutionCount: 4, Source: "%%\nf()", Outputs: []*Output{
			{Type: Error, EName: "ERROR", EValue: "x", Traceback: []string{"\x1b[31m# gonb_1\x1b[0m", "Cell[4]: Line 2\n\nf()\n^\n\x1b[31mundefined: f\x1b[0m"}},
		}},
		&Cell{Kind: Code, Source: "%%bash\necho not run"},
		&Cell{Kind: Raw, Source: "<raw>"},
	)
}

func TestPageGolden(t *testing.T) {
	t.Parallel()
	nb := sample()
	nb.Cells[1].Attachments = map[string]any{"p.png": map[string]any{"image/png": "iVBORw0KGgo="}}
	got := page(t, nb, Page{
		Header:      `<p>n = <code>500</code><script>alert(1)</script></p>`,
		Attachments: []Attachment{{"summary.json", []byte(`{"a":1}`)}, {"bench.txt", nil}},
	})
	if why := unsafe(got); why != "" {
		t.Errorf("the page has %s", why)
	}
	// The style sheets are the libraries' and ours; the structure is checked.
	got = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(got, "<style></style>")
	// Not every version of Go compresses to the same bytes.
	got = regexp.MustCompile(`(application/gzip;base64,)[^"]*`).ReplaceAllString(got, "$1")
	const golden = "testdata/page.golden.html"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("page (-want +got); go test -update writes it anew:\n%s", diff)
	}
}

func TestPageOfHostileNotebook(t *testing.T) {
	t.Parallel()
	for _, bad := range hostile {
		o := func(mime string) *Output {
			return &Output{Type: DisplayData, Data: map[string]any{mime: bad, "text/plain": bad}}
		}
		nb := New(
			prose(bad),
			&Cell{Kind: Markdown, Source: "![x](attachment:p) ![" + bad + "](" + bad + ")", Attachments: map[string]any{"p": map[string]any{"image/svg+xml\" onload=\"alert(1)": bad}}},
			&Cell{Kind: Raw, Source: bad},
			&Cell{Kind: Code, Source: bad, ID: "x", Outputs: []*Output{
				{Type: Stream, Name: bad, Text: bad},
				o("text/html"), o("image/svg+xml"), o("image/png"), o("text/markdown"), o("application/json"),
				{Type: Error, EName: bad, EValue: bad, Traceback: []string{bad}},
			}},
		)
		nb.Cells[0].ID = bad // as after a hand edit, had Read not mended it
		got := page(t, nb, Page{Title: bad, Header: bad, Attachments: []Attachment{{Name: bad, Data: []byte(bad)}}})
		if why := unsafe(got); why != "" {
			t.Errorf("%.200s\nleaves %s", bad, why)
		}
	}
}

func TestPageOfRealNotebooks(t *testing.T) {
	t.Parallel()
	for _, path := range gonbNotebooks(t) {
		nb, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if why := unsafe(page(t, nb, Page{})); why != "" {
			t.Errorf("%s: %s", path, why)
		}
	}
}

func TestPageOfNothing(t *testing.T) {
	t.Parallel()
	got := page(t, New(), Page{})
	if !strings.Contains(got, "<title>Notebook</title>") || strings.Contains(got, "<header>") || strings.Contains(got, "<footer>") {
		t.Error(got)
	}
}

func TestPageCutsLongText(t *testing.T) {
	t.Parallel()
	nb := New(&Cell{Kind: Code, Outputs: []*Output{{Type: Stream, Name: "stdout", Text: strings.Repeat("é", maxShown)}}})
	got := page(t, nb, Page{})
	if len(got) > 2*maxShown || !strings.Contains(got, "more bytes are in the notebook") {
		t.Errorf("the page has %d bytes", len(got))
	}
}

type failingWriter struct{}

var errFull = errors.New("full")

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

func TestPageReportsTheWriter(t *testing.T) {
	t.Parallel()
	if err := sample().HTML(failingWriter{}, Page{}); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

func TestAttachments(t *testing.T) {
	t.Parallel()
	want := []Attachment{
		{"summary.json", []byte(`{"a": "</script>"}`)},
		{`odd "name" <b>.bin`, []byte{0, 1, 2, 255}},
		{"empty.txt", []byte{}},
	}
	html := page(t, New(&Cell{Kind: Code, Outputs: []*Output{{Type: DisplayData, Data: map[string]any{
		"text/html": `<a class="attachment" download="forged.json" href="data:application/json;base64,e30=">forged</a>`,
	}}}}), Page{Attachments: want})
	got, err := ReadAttachments(strings.NewReader(html))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := ReadAttachments(strings.NewReader("<p>some page</p>")); err != nil || len(got) != 0 {
		t.Errorf("of another page: %v, %v", got, err)
	}
	for name, link := range map[string]string{
		"no base64":         packed + "!!!!",
		"no link to data":   "https://example.org/summary.json",
		"not compressed":    packed + base64.StdEncoding.EncodeToString([]byte("{}")),
		"cut short":         link(t, []byte("{}"))[:len(packed)+24],
		"filling a memory":  link(t, make([]byte, MaxAttached+1)),
		"another in a list": link(t, make([]byte, MaxAttached)) + `"></a><a class="attachment" download="summary.json.gz" href="` + link(t, []byte("{}")),
	} {
		page := `<a class="attachment" download="summary.json.gz" href="` + link + `"></a>`
		if got, err := ReadAttachments(strings.NewReader(page)); err == nil || !strings.Contains(err.Error(), "summary.json") {
			t.Errorf("%s: %d files, %v", name, len(got), err)
		}
	}
	// What earlier labs wrote, which compressed nothing.
	got, err = ReadAttachments(strings.NewReader(`<a class="attachment" download="summary.json" href="data:application/json;base64,e30=">x</a>`))
	if diff := cmp.Diff([]Attachment{{"summary.json", []byte("{}")}}, got); err != nil || diff != "" {
		t.Errorf("of an earlier lab: %v (-want +got):\n%s", err, diff)
	}
}

func link(t *testing.T, data []byte) string {
	t.Helper()
	text, err := Attachment{Data: data}.dataURI()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Styles that outputs repeat become rules, which no style can break out of; the
// rare ones, those of drawings and those of elements with a class stay.
func TestRepeatedStyles(t *testing.T) {
	t.Parallel()
	show := func(html string) string {
		return page(t, New(&Cell{Kind: Code, Outputs: []*Output{{Type: DisplayData, Data: map[string]any{"text/html": html}}}}), Page{})
	}
	for _, c := range []struct{ name, html, want, rule string }{
		{"repeated", strings.Repeat(`<p style="color:rgba(1,2,3,.5);margin:0">x</p>`, 3), strings.Repeat(`<p class="s-1">x</p>`, 3), ".s-1.s-1 { color:rgba(1,2,3,.5);margin:0 }"},
		{"among others", strings.Repeat(`<table><tbody><tr><th scope="row" style="margin:0">x</th></tr></tbody></table>`, 3), `<th scope="row" class="s-1">`, ".s-1.s-1 { margin:0 }"},
		{"rare", `<p style="margin:0">x</p>`, `<p style="margin:0">x</p>`, ""},
		{"with a class", strings.Repeat(`<p class="a" style="margin:0">x</p>`, 3), `<p class="a" style="margin:0">x</p>`, ""},
		{"of a drawing", strings.Repeat(`<svg><path style="fill:none"></path></svg>`, 3), `<path style="fill:none">`, ""},
		{"a rule that ends early", strings.Repeat(`<p style="margin:0}body{margin:9px">x</p>`, 3), `<p style="margin:0}body{margin:9px">`, ""},
		{"a bracket left open", strings.Repeat(`<p style="width:calc(1px">x</p>`, 3), `<p style="width:calc(1px">`, ""},
		{"a comment left open", strings.Repeat(`<p style="margin:0/*">x</p>`, 3), `<p style="margin:0/*">`, ""},
		{"a sheet that ends early", strings.Repeat(`<p style="margin:0</style>">x</p>`, 3), `style="margin:0&lt;/style&gt;"`, ""},
		{"text that looks like it", strings.Repeat(`&lt;p style="margin:0"&gt;`, 3), `&lt;p style=&#34;margin:0&#34;&gt;`, ""},
	} {
		got := show(c.html)
		if !strings.Contains(got, c.want) || c.rule != "" && !strings.Contains(got, c.rule) || c.rule == "" && strings.Contains(got, ".s-1") {
			t.Errorf("%s: %s", c.name, got[strings.Index(got, "</style>"):])
		}
	}
}

func TestANSI(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                                "plain",
		"\x1b[31mred\x1b[0m":                   "red",
		"\x1b[38;5;196mx\x1b[K":                "x",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\a": "link",
		"cut \x1b[":                            "cut \x1b[",
	} {
		if got := stripANSI(in); got != want {
			t.Errorf("stripANSI(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"a\r\nb":         "a\nb",
		"10%\r100%\n":    "100%\n",
		"long\rab":       "abng",
		"ab\b\bc\b\b\bx": "xb",
		"\r\r":           "",
	} {
		if got := settle(in); got != want {
			t.Errorf("settle(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDocument(t *testing.T) {
	var b strings.Builder
	err := Document(&b, "Runs <1>", `<h1>All</h1><a href="./a/b.html" onclick="x()">b</a><script>x()</script>`)
	if err != nil {
		t.Fatal(err)
	}
	for want, there := range map[string]bool{
		"<title>Runs &lt;1&gt;</title>": true, `<h1>All</h1><a href="./a/b.html">b</a>`: true, "Content-Security-Policy": true,
		"<script": false, "onclick": false,
	} {
		if strings.Contains(b.String(), want) != there {
			t.Errorf("%q there: %t, want %t", want, !there, there)
		}
	}
}
