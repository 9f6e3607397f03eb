package notebook

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"

	"github.com/dustin/go-humanize"
)

// Page is what surrounds the notebook in its HTML.
type Page struct {
	// Title is the page's title as plain text. Empty: the notebook's first
	// heading.
	Title string
	// Header is HTML shown above the cells: plan, values in force, environment,
	// the command that reproduces it. It is cleaned like a cell's output.
	Header string
	// Attachments are files that the page carries with it.
	Attachments []Attachment
}

// HTML writes the notebook as one HTML file without script that loads nothing:
// it reads the same in ten years, without a network, from an empty folder.
// Prose, code and outputs come in the notebook's order, charts as they are.
//
// Of an output's forms the richest that a page can show is taken: HTML, SVG,
// PNG, JPEG, GIF, WebP, markdown, text, JSON. Scripts, event handlers and
// references to anything outside the page are removed from all of them,
// markdown cells included; see sanitize. A very long text is cut, with a note;
// the notebook keeps it whole.
//
// The error is that of w.
func (nb *Notebook) HTML(w io.Writer, page Page) error {
	css, err := codeCSS()
	if err != nil {
		return err
	}
	view := pageView{
		Title:       page.Title,
		CSS:         template.CSS(pageCSS + css),
		Header:      template.HTML(sanitize(page.Header)),
		Attachments: make([]attachmentView, len(page.Attachments)),
	}
	if view.Title == "" {
		view.Title = nb.firstHeading()
	}
	for i, a := range page.Attachments {
		view.Attachments[i] = attachmentView{a.Name, template.URL(a.dataURI()), humanize.Bytes(uint64(len(a.Data)))}
	}
	md := newMarkdownPage()
	for _, c := range nb.Cells {
		md.ids.Put([]byte(c.anchor())) // no heading may take it
	}
	for _, c := range nb.Cells {
		v, err := c.view(md)
		if err != nil {
			return err
		}
		view.Cells = append(view.Cells, v)
	}
	return pageTemplate.Execute(w, view)
}

//go:embed page.tmpl
var pageSource string

//go:embed page.css
var pageCSS string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

type pageView struct {
	Title       string
	CSS         template.CSS
	Header      template.HTML
	Cells       []cellView
	Attachments []attachmentView
}

type attachmentView struct {
	Name string
	URL  template.URL
	Size string
}

type cellView struct {
	ID      string
	Code    bool
	Body    template.HTML
	Prompt  string
	Outputs []template.HTML
}

// anchor is where the page has the cell.
func (c *Cell) anchor() string { return "cell-" + strings.TrimPrefix(c.ID, "cell-") }

func (c *Cell) view(md *markdownPage) (cellView, error) {
	v := cellView{ID: c.anchor()}
	switch c.Kind {
	case Markdown:
		body, err := md.render(c.Source, c.Attachments)
		v.Body = template.HTML(body)
		return v, err
	case Raw:
		v.Body = preformatted("raw", c.Source)
		return v, nil
	}
	v.Code = true
	v.Body = template.HTML(highlight(c.language(), c.Source))
	if c.ExecutionCount > 0 {
		v.Prompt = fmt.Sprintf("[%d]", c.ExecutionCount)
	}
	for _, o := range c.Outputs {
		if o.Type == Error {
			v.Outputs = append(v.Outputs, c.failure(o))
			continue
		}
		body, err := o.html(md)
		if err != nil {
			return v, err
		}
		if body != "" {
			v.Outputs = append(v.Outputs, body)
		}
	}
	return v, nil
}

// language of a code cell: Go, save for the cells that GoNB passes to a shell.
func (c *Cell) language() string {
	first, _, _ := strings.Cut(c.Source, "\n")
	if strings.HasPrefix(first, "%%bash") || strings.HasPrefix(first, "%%sh") {
		return "bash"
	}
	return "go"
}

// html renders one output; empty when there is nothing to see, as of a display
// that was erased.
func (o *Output) html(md *markdownPage) (template.HTML, error) {
	if o.Type != Stream {
		return o.richest(md)
	}
	text := settle(stripANSI(o.Text))
	if strings.TrimSpace(text) == "" {
		return "", nil
	}
	return preformatted("stream "+streamClass(o.Name), text), nil
}

// failure says first what went wrong, and keeps the kernel's report of it one
// click away.
func (c *Cell) failure(o *Output) template.HTML {
	message := failureMessage(c.ExecutionCount, c.Outputs)
	report := strings.TrimSpace(stripANSI(strings.Join(o.Traceback, "\n")))
	body := preformatted("error", message)
	if report != "" && report != message && !exitStatus.MatchString(report) {
		body += "<details><summary>Full report</summary>" + preformatted("text", report) + "</details>"
	}
	return body
}

func streamClass(name string) string {
	if name == "stderr" {
		return "stderr"
	}
	return "stdout"
}

var base64Text = regexp.MustCompile(`^[A-Za-z0-9+/]*={0,2}$`)

func (o *Output) richest(md *markdownPage) (template.HTML, error) {
	text := func(mime string) (string, bool) {
		s, ok := o.Data[mime].(string)
		return s, ok
	}
	plain, _ := text("text/plain")
	if s, ok := text("text/html"); ok {
		return wrap("rich", sanitize(s)), nil
	}
	if s, ok := text("image/svg+xml"); ok {
		return chart(sanitize(s), plain), nil
	}
	for _, mime := range []string{"image/png", "image/jpeg", "image/gif", "image/webp"} {
		s, ok := text(mime)
		if s = strings.Join(strings.Fields(s), ""); !ok || !base64Text.MatchString(s) {
			continue
		}
		return chart(fmt.Sprintf(`<img src="data:%s;base64,%s" alt="">`, mime, s), plain), nil
	}
	if s, ok := text("text/markdown"); ok {
		body, err := md.render(s, nil)
		return wrap("rich", body), err
	}
	if plain != "" {
		return preformatted("text", settle(stripANSI(plain))), nil
	}
	if v, ok := o.Data["application/json"]; ok {
		return preformatted("text", indentedJSON(v)), nil
	}
	return "", nil
}

func wrap(class, body string) template.HTML {
	if strings.TrimSpace(body) == "" {
		return ""
	}
	return template.HTML(fmt.Sprintf(`<div class="%s">%s</div>`, class, body))
}

// chart shows a picture, with its text form for those who cannot see it.
func chart(picture, text string) template.HTML {
	return template.HTML(fmt.Sprintf(`<div class="chart" role="img" aria-label="%s">%s</div>`,
		template.HTMLEscapeString(strings.TrimSpace(stripANSI(text))), picture))
}

// maxShown bounds the text of one output on the page: browsers get slow, and
// nobody reads further.
const maxShown = 200_000 // bytes

func preformatted(class, s string) template.HTML {
	note := ""
	if len(s) > maxShown {
		note = fmt.Sprintf("\n[%d more bytes are in the notebook]", len(s)-maxShown)
		s = strings.ToValidUTF8(s[:maxShown], "")
	}
	return template.HTML(fmt.Sprintf(`<pre class="%s">%s%s</pre>`, class, template.HTMLEscapeString(s), note))
}

// firstHeading is the title of a notebook that was given none.
func (nb *Notebook) firstHeading() string {
	for _, c := range nb.Cells {
		if c.Kind != Markdown {
			continue
		}
		for line := range strings.Lines(c.Source) {
			if h, ok := strings.CutPrefix(line, "# "); ok {
				return strings.TrimSpace(h)
			}
		}
	}
	return "Notebook"
}

// Attachment is a file that a page carries as a link to be saved. Some browsers
// save no link of more than 2 MB; [ReadAttachments] has no such limit.
type Attachment struct {
	Name string // its file name, without a folder
	Data []byte
}

func (a Attachment) dataURI() string {
	mime := "application/octet-stream"
	switch {
	case strings.HasSuffix(a.Name, ".json"), strings.HasSuffix(a.Name, ".ipynb"):
		mime = "application/json"
	case strings.HasSuffix(a.Name, ".txt"):
		mime = "text/plain"
	}
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(a.Data)
}
