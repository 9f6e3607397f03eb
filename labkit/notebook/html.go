package notebook

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
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
	code, err := codeCSS()
	if err != nil {
		return err
	}
	view := pageView{
		Title:       page.Title,
		CSS:         template.CSS(pageCSS + code),
		Header:      template.HTML(sanitize(page.Header)),
		Attachments: make([]attachmentView, len(page.Attachments)),
	}
	if view.Title == "" {
		view.Title = nb.firstHeading()
	}
	for i, a := range page.Attachments {
		link, err := a.dataURI()
		if err != nil {
			return err
		}
		view.Attachments[i] = attachmentView{a.Name, template.URL(link), humanize.Bytes(uint64(len(a.Data)))}
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
	view.nameStyles()
	return pageTemplate.Execute(w, view)
}

// Document writes a page in the style of a notebook's around a piece of HTML,
// which is cleaned like a cell's output. title is plain text. The error is that
// of w.
func Document(w io.Writer, title, body string) error {
	return pageTemplate.Execute(w, pageView{
		Title: title,
		CSS:   template.CSS(pageCSS),
		Cells: []cellView{{ID: "body", Body: template.HTML(sanitize(body))}},
	})
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

// nameStyles moves the styles that outputs repeat to the page's own sheet.
func (v *pageView) nameStyles() {
	sheet := styleSheet{seen: map[string]int{}, names: map[string]string{}}
	sheet.count(v.Header)
	for _, c := range v.Cells {
		for _, output := range c.Outputs {
			sheet.count(output)
		}
	}
	v.Header = sheet.replace(v.Header)
	for _, c := range v.Cells {
		for i, output := range c.Outputs {
			c.Outputs[i] = sheet.replace(output)
		}
	}
	v.CSS += template.CSS(sheet.rules.String())
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
