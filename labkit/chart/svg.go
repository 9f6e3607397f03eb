package chart

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// fontStack is what the SVG's text is set in: Liberation, which the layout was
// measured with, or a face of the same widths, or the reader's own.
const fontStack = "'Liberation Sans',Arimo,Arial,Helvetica,sans-serif"

// svgCanvas is gonum's SVG canvas; it also remembers how wide each text is.
type svgCanvas struct {
	*vgsvg.Canvas
	width, height vg.Length
	widths        []vg.Length
}

func newSVG(w, h vg.Length) *svgCanvas {
	return &svgCanvas{Canvas: vgsvg.New(w, h), width: w, height: h}
}

// FillString draws str and remembers its width.
func (c *svgCanvas) FillString(face font.Face, pt vg.Point, str string) {
	c.widths = append(c.widths, face.Width(str))
	c.Canvas.FillString(face, pt, str)
}

// textTag is how gonum opens a text element. Drawn text cannot hold one: its
// "<" is escaped.
var textTag = regexp.MustCompile(`<text ([^>]*?)\s*style="font-family:[^;"]*;font-variant:[^;"]*;([^"]*)">`)

// element returns the drawing as one <svg> element, with title and alternative
// text, that scales down with the page and can be put into HTML as it is.
// gonum writes a document of fixed size instead, with a prolog and a namespace
// that HTML does not know. Each text gets its measured length, so that a
// reader's other font does not run into its neighbours.
func (c *svgCanvas) element(title, alt string) ([]byte, error) {
	var buf bytes.Buffer
	if _, err := c.WriteTo(&buf); err != nil {
		return nil, err
	}
	_, rest, ok := strings.Cut(buf.String(), "<svg")
	if !ok {
		return nil, errors.New("gonum/plot wrote no svg element")
	}
	_, body, _ := strings.Cut(rest, ">")
	i := 0
	body = textTag.ReplaceAllStringFunc(body, func(tag string) string {
		m := textTag.FindStringSubmatch(tag)
		style := strings.NewReplacer("font-weight:normal;", "", "font-style:normal;", "").Replace(m[2])
		i++
		return fmt.Sprintf(`<text %s textLength="%.5g" lengthAdjust="spacingAndGlyphs" style="%s">`, m[1], c.widths[i-1].Points(), style)
	})
	if i != len(c.widths) {
		return nil, fmt.Errorf("gonum/plot wrote %d texts in a form that is not known, of %d", len(c.widths)-i, len(c.widths))
	}
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]g %[2]g" width="%[1]g" height="%[2]g" role="img" aria-label="%[3]s" style="max-width:100%%;height:auto;border-radius:6px;font-family:%[5]s">`+"\n<title>%[4]s</title>",
		c.width.Points(), c.height.Points(), html.EscapeString(alt), html.EscapeString(title), fontStack)
	return []byte(head + joinLines(body)), nil
}

// joinLines makes one path of lines that follow each other in one style, as the
// hundreds of a hatch do. Areas stay apart: where two overlap, one path of both
// may have a hole.
func joinLines(body string) string {
	var out strings.Builder
	style := "" // of the path that is still open
	for line := range strings.Lines(body) {
		d, after, ok := strings.Cut(line, `" style="fill:none;`)
		lines, isPath := strings.CutPrefix(d, `<path d="`)
		ok = ok && isPath && strings.HasSuffix(after, "/>\n") && !strings.Contains(after, "opacity")
		if style != "" && !(ok && after == style) {
			out.WriteString(`" style="fill:none;` + style)
			style = ""
		}
		switch {
		case !ok:
			out.WriteString(line)
		case style == "":
			out.WriteString(d)
		default:
			out.WriteString(lines)
		}
		if ok {
			style = after
		}
	}
	if style != "" {
		out.WriteString(`" style="fill:none;` + style)
	}
	return out.String()
}
