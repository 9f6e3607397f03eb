package notebook

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownPage renders the markdown cells of one page. They share heading ids,
// so that each anchor of the page leads to one heading.
type markdownPage struct {
	ids   parser.IDs
	cells int
}

func newMarkdownPage() *markdownPage {
	return &markdownPage{ids: parser.NewContext().IDs()}
}

// render gives the HTML of GitHub's markdown with footnotes. HTML within the
// markdown is kept as far as sanitize lets it through, and images as far as
// they are in the notebook: a page loads nothing. attachments are those of the
// cell.
func (p *markdownPage) render(source string, attachments map[string]any) (string, error) {
	p.cells++
	footnotes := extension.NewFootnote(extension.WithFootnoteIDPrefix(fmt.Sprintf("cell%d-", p.cells)))
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM, footnotes),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(embedImages{attachments}, 100))),
		goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe(),
			renderer.WithNodeRenderers(util.Prioritized(codeBlocks{}, 100))),
	)
	var buf bytes.Buffer
	err := md.Convert([]byte(source), &buf, parser.WithContext(parser.NewContext(parser.WithIDs(p.ids))))
	if err != nil {
		return "", err
	}
	return sanitize(buf.String()), nil
}

// embedImages points the images of a cell's attachments to their data, and puts
// the description of an image that the page cannot hold in its place.
type embedImages struct{ attachments map[string]any }

func (e embedImages) Transform(doc *ast.Document, r text.Reader, _ parser.Context) {
	var foreign []*ast.Image
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		img, ok := n.(*ast.Image)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		if name, ok := strings.CutPrefix(string(img.Destination), "attachment:"); ok {
			img.Destination = []byte(e.dataURI(name))
		}
		if !dataImage.Match(img.Destination) {
			foreign = append(foreign, img)
		}
		return ast.WalkContinue, nil
	})
	for _, img := range foreign {
		note := ast.NewString([]byte("[image: " + string(img.Text(r.Source())) + "]"))
		img.Parent().ReplaceChild(img.Parent(), img, note)
	}
}

func (e embedImages) dataURI(name string) string {
	bundle, _ := e.attachments[name].(map[string]any)
	for mime, v := range bundle {
		if s, ok := joinLines(v); ok {
			return "data:" + mime + ";base64," + strings.Join(strings.Fields(s), "")
		}
	}
	return ""
}

// codeBlocks colours fenced code.
type codeBlocks struct{}

func (codeBlocks) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			block := n.(*ast.FencedCodeBlock)
			_, _ = w.WriteString(highlight(string(block.Language(source)), string(block.Lines().Value(source))))
		}
		return ast.WalkSkipChildren, nil
	})
	reg.Register(ast.KindHeading, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		h := n.(*ast.Heading)
		id := ""
		if v, ok := h.AttributeString("id"); ok {
			b, _ := v.([]byte)
			id = html.EscapeString(string(b))
		}
		if entering {
			_, _ = fmt.Fprintf(w, `<h%d id="%s">`, h.Level, id)
		} else {
			_, _ = fmt.Fprintf(w, ` <a class="anchor" href="#%s" aria-label="link to this heading">#</a></h%d>`, id, h.Level)
		}
		return ast.WalkContinue, nil
	})
}
