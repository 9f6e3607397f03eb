package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// picture is an SVG as the eye sees it: places on the page, y downwards.
type picture struct {
	width, height float64
	attr          map[string]string // of the root
	title         string
	texts         []textAt
	strokes       []stroke
}

type textAt struct {
	text string
	rect
}

type rect struct{ x1, y1, x2, y2 float64 }

func (r rect) overlaps(o rect) bool {
	return r.x1 < o.x2 && o.x1 < r.x2 && r.y1 < o.y2 && o.y1 < r.y2
}

// stroke is a piece of the data: a straight line of a curve, a bar, a marker.
type stroke struct {
	color string
	fill  bool
	rect
}

// hits tells whether the stroke goes through r.
func (s stroke) hits(r rect) bool {
	if s.fill {
		return s.overlaps(r)
	}
	if max(s.x1, s.x2) < r.x1 || min(s.x1, s.x2) > r.x2 || max(s.y1, s.y2) < r.y1 || min(s.y1, s.y2) > r.y2 {
		return false
	}
	const steps = 200
	for i := range steps + 1 {
		f := float64(i) / steps
		x, y := s.x1+f*(s.x2-s.x1), s.y1+f*(s.y2-s.y1)
		if x > r.x1 && x < r.x2 && y > r.y1 && y < r.y2 {
			return true
		}
	}
	return false
}

var (
	number   = regexp.MustCompile(`-?[0-9.]+(?:e[-+]?[0-9]+)?`)
	fillOf   = regexp.MustCompile(`fill:(#[0-9A-F]{6}|none)`)
	strokeOf = regexp.MustCompile(`stroke:(#[0-9A-F]{6})`)
	sizeOf   = regexp.MustCompile(`font-size:([0-9.]+)px`)
	segments = regexp.MustCompile(`([MLCQAZ])([^MLCQAZ]*)`)
)

func numbers(s string) []float64 {
	var out []float64
	for _, m := range number.FindAllString(s, -1) {
		f, _ := strconv.ParseFloat(m, 64)
		out = append(out, f)
	}
	return out
}

// parse reads a chart's SVG strictly, as XML, and fails the test on whatever
// would not work in HTML.
func parse(t testing.TB, svg []byte) picture {
	t.Helper()
	var p picture
	d := xml.NewDecoder(bytes.NewReader(svg))
	var text *textAt
	inTitle := false
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return p
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%s", err, svg)
		}
		switch e := tok.(type) {
		case xml.ProcInst, xml.Directive, xml.Comment:
			t.Fatalf("%T does not belong into an element that stands in HTML", e)
		case xml.StartElement:
			attr := map[string]string{}
			for _, a := range e.Attr {
				if a.Name.Local == "id" || strings.Contains(a.Name.Space+a.Name.Local, "xlink") {
					t.Errorf("attribute %v", a)
				}
				attr[a.Name.Local] = a.Value
			}
			switch e.Name.Local {
			case "svg":
				p.attr = attr
				box := numbers(attr["viewBox"])
				p.width, p.height = box[2], box[3]
			case "title":
				inTitle = true
			case "g":
				if tr := attr["transform"]; !strings.HasPrefix(tr, "scale(1, -1) translate(0, -") {
					t.Fatalf("a transform that this reader does not know: %q", tr)
				}
			case "text":
				size := numbers(sizeOf.FindString(attr["style"]))[0]
				x, y, w := numbers(attr["x"])[0], p.height+numbers(attr["y"])[0], numbers(attr["textLength"])[0]
				// From the top of the capitals to the baseline.
				text = &textAt{rect: rect{x, y - 0.72*size, x + w, y}}
			case "path":
				p.path(attr)
			default:
				t.Fatalf("unexpected element %s", e.Name.Local)
			}
		case xml.CharData:
			switch {
			case text != nil:
				text.text += string(e)
			case inTitle:
				p.title += string(e)
			}
		case xml.EndElement:
			if text != nil {
				p.texts = append(p.texts, *text)
				text = nil
			}
			inTitle = false
		}
	}
}

// path notes what a path covers: each line of a stroke, the bounds of a fill.
func (p *picture) path(attr map[string]string) {
	style := attr["style"]
	fill := "#000000"
	if m := fillOf.FindStringSubmatch(style); m != nil {
		fill = m[1]
	}
	var points [][2]float64
	bounds := rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, m := range segments.FindAllStringSubmatch(attr["d"], -1) {
		n := numbers(m[2])
		if len(n) < 2 {
			continue
		}
		x, y := n[len(n)-2], p.height-n[len(n)-1]
		points = append(points, [2]float64{x, y})
		bounds = rect{min(bounds.x1, x), min(bounds.y1, y), max(bounds.x2, x), max(bounds.y2, y)}
	}
	if fill != "none" {
		p.strokes = append(p.strokes, stroke{fill, true, bounds})
		return
	}
	color := "#000000"
	if m := strokeOf.FindStringSubmatch(style); m != nil {
		color = m[1]
	}
	for i := 1; i < len(points); i++ {
		p.strokes = append(p.strokes, stroke{color, false, rect{points[i-1][0], points[i-1][1], points[i][0], points[i][1]}})
	}
}

func (p picture) find(text string) []textAt {
	var out []textAt
	for _, t := range p.texts {
		if t.text == text {
			out = append(out, t)
		}
	}
	return out
}

// hex writes colours as the SVG does.
func hex(colors []color.Color) []string {
	var out []string
	for _, c := range colors {
		r, g, b, _ := c.RGBA()
		out = append(out, fmt.Sprintf("#%02X%02X%02X", r>>8, g>>8, b>>8))
	}
	return out
}
