package chart

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"shelflab/labkit"
)

// The panel is light on every page, so that a chart needs to be right in one
// scheme only, and PNG and SVG are the same picture.
var (
	panelColor = color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}
	inkColor   = color.RGBA{0x1F, 0x23, 0x28, 0xFF}
	softColor  = color.RGBA{0x57, 0x60, 0x6A, 0xFF}
	gridColor  = color.RGBA{0xE3, 0xE6, 0xEA, 0xFF}
	panelTint  = color.RGBA{0xF6, 0xF8, 0xFA, 0xFF}
	axisColor  = color.RGBA{0x8C, 0x95, 0x9F, 0xFF}
)

// The colours of Okabe and Ito, which colour-blind readers tell apart, by what
// an arm is: blues and green keep one record at a time, reds and orange all at
// once. Yellow is left out: it is lost on white. The fourth of each list is of
// Tol's muted colours, which keep apart in the same way.
var (
	keyedColors    = []color.Color{rgb(0x0072B2), rgb(0x56B4E9), rgb(0x009E73), rgb(0x332288)}
	snapshotColors = []color.Color{rgb(0xD55E00), rgb(0xE69F00), rgb(0xCC79A7), rgb(0x882255)}
	otherColors    = []color.Color{rgb(0x000000), rgb(0x6E7781)}
)

func rgb(v uint32) color.Color {
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xFF}
}

// look is how one arm is drawn, the same on every chart. Colour, shape, dashes
// and filling each tell arms apart, so that grey print does too.
type look struct {
	color  color.Color
	shape  int // of the marker, an index of shapes
	hollow bool
	dashes []vg.Length
}

// palettes gives each kind of arm its colours. Kinds that are neither keyed
// stores nor snapshots, such as text and binary, take what those leave, in the
// order in which they come.
func palettes(arms []labkit.Arm) map[string][]color.Color {
	out := map[string][]color.Color{"keyed store": keyedColors, "snapshot": snapshotColors}
	free := [][]color.Color{keyedColors, snapshotColors}
	if slices.ContainsFunc(arms, func(a labkit.Arm) bool { return out[a.Kind] != nil }) {
		free = nil
	}
	for _, arm := range arms {
		if out[arm.Kind] != nil {
			continue
		}
		out[arm.Kind] = otherColors
		if len(free) > 0 {
			out[arm.Kind], free = free[0], free[1:]
		}
	}
	return out
}

// looks gives each arm its look by its place in the list and what it is.
func looks(arms []labkit.Arm) map[string]look {
	out := map[string]look{}
	used, kinds := map[string]int{}, palettes(arms)
	for i, arm := range arms {
		palette := kinds[arm.Kind]
		l := look{color: palette[used[arm.Kind]%len(palette)], shape: i % len(shapes)}
		if round := used[arm.Kind] / len(palette); round > 0 {
			l.dashes = []vg.Length{2, vg.Length(2 * round)}
		}
		if arm.Pair == "plain" {
			l.hollow, l.dashes = true, []vg.Length{6, 3}
		}
		used[arm.Kind]++
		out[arm.Name] = l
	}
	return out
}

// shapes are the markers: corners and the angle of the first one; no corners
// make a circle.
var shapes = []struct {
	corners int
	turn    float64
	size    float64 // relative to the circle, so that all look equally large
}{
	{0, 0, 1}, {4, math.Pi / 4, 1.25}, {3, math.Pi / 2, 1.35}, {4, 0, 1.3}, {3, -math.Pi / 2, 1.35},
	{5, math.Pi / 2, 1.2}, {6, 0, 1.1},
}

// marker draws the arm's marker at pt.
func (l look) marker(c draw.Canvas, pt vg.Point, radius vg.Length) {
	s := shapes[l.shape]
	r := radius * vg.Length(s.size)
	var path vg.Path
	if s.corners == 0 {
		path.Move(vg.Point{X: pt.X + r, Y: pt.Y})
		path.Arc(pt, r, 0, 2*math.Pi)
	}
	for i := range s.corners {
		sin, cos := math.Sincos(s.turn + 2*math.Pi*float64(i)/float64(s.corners))
		p := vg.Point{X: pt.X + r*vg.Length(cos), Y: pt.Y + r*vg.Length(sin)}
		if i == 0 {
			path.Move(p)
			continue
		}
		path.Line(p)
	}
	path.Close()
	c.SetColor(l.color)
	if l.hollow {
		c.SetColor(panelColor)
	}
	c.Fill(path)
	c.SetLineStyle(draw.LineStyle{Color: l.color, Width: 1.8})
	c.Stroke(path)
}

// line is the style of the arm's line.
func (l look) line() draw.LineStyle {
	return draw.LineStyle{Color: l.color, Width: 2, Dashes: l.dashes}
}

// label draws one line of text whose letters, not whose box, stand in the middle
// of height y, beside a marker or a bar.
func label(c draw.Canvas, s text.Style, x, y vg.Length, txt string) {
	if txt != "" {
		c.FillText(s, vg.Point{X: x, Y: y + s.Font.Size*0.13}, txt)
	}
}

// write returns a text style; alignments are gonum's.
func write(size vg.Length, ink color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color: ink, XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler,
		Font: plotfont.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
	}
}

// bold returns the style in bold.
func bold(s text.Style) text.Style {
	s.Font.Weight = font.WeightBold
	return s
}

// clip makes any text fit to be drawn on one line of the given width: control
// characters become spaces, and what is too long ends in an ellipsis.
func clip(s text.Style, txt string, width vg.Length) string {
	txt = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(txt, " ")))
	if s.Width(txt) <= width {
		return txt
	}
	runes := []rune(txt)
	if len(runes) > 400 { // nothing wider fits on a page; measuring it would only take time
		runes = runes[:400]
	}
	for len(runes) > 0 && s.Width(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ,") + "…"
}
