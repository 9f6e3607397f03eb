package chart

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"shelflab/labkit"
)

// Width is the width of every chart in points: what fits into a notebook's
// column of 900 pixels.
const Width = 860

const (
	margin    vg.Length = 20
	titleSize vg.Length = 18
	textSize  vg.Length = 13 // the smallest text on a chart
	nameSize  vg.Length = 14
	lineSpace vg.Length = 18
)

// page is a chart in the making.
type page struct {
	name, title, alt string
	notes            string // sentences below the title
	body             vg.Length
	draw             func(draw.Canvas) // into the space below title and notes, body points high
}

// finish draws the page twice, as SVG and as PNG. err is passed on, so that it
// can stand around a function that makes a page.
func finish(p page, err error) (Chart, error) {
	if err != nil {
		return Chart{}, err
	}
	p = p.ready()
	svg, err := p.svg()
	if err != nil {
		return Chart{}, fmt.Errorf("chart %s: %w", p.name, err)
	}
	png, err := p.png()
	if err != nil {
		return Chart{}, fmt.Errorf("chart %s: %w", p.name, err)
	}
	return Chart{Name: p.name, Title: p.title, Alt: p.alt, SVG: svg, PNG: png}, nil
}

// ready makes name and title what they are on the chart.
func (p page) ready() page {
	p.name, p.title = labkit.Slug(p.name), clip(p.titleStyle(), p.title, Width-2*margin)
	return p
}

func (p page) svg() ([]byte, error) {
	canvas := newSVG(Width, p.height())
	p.paint(draw.New(canvas))
	return canvas.element(p.title, p.alt)
}

func (p page) png() ([]byte, error) {
	const dpi = 144 // two pixels a point
	canvas := vgimg.NewWith(vgimg.UseWH(Width, p.height()), vgimg.UseDPI(dpi))
	p.paint(draw.New(canvas))
	return encodePNG(canvas.Image())
}

func (p page) height() vg.Length {
	return margin + titleSize + 10 + vg.Length(len(p.wrap()))*lineSpace + p.body + margin
}

func (p page) paint(c draw.Canvas) {
	c.SetColor(panelColor)
	c.Fill(c.Rectangle.Path())
	y := c.Max.Y - margin
	c.FillText(p.titleStyle(), vg.Point{X: margin, Y: y}, p.title)
	y -= titleSize + 10
	for _, line := range p.wrap() {
		c.FillText(write(textSize, softColor, draw.XLeft, draw.YTop), vg.Point{X: margin, Y: y}, line)
		y -= lineSpace
	}
	p.draw(draw.Crop(c, margin, -margin, margin, y-c.Max.Y))
}

func (p page) titleStyle() draw.TextStyle {
	return bold(write(titleSize, inkColor, draw.XLeft, draw.YTop))
}

// wrap breaks the notes into lines that fit.
func (p page) wrap() []string {
	style := write(textSize, softColor, draw.XLeft, draw.YTop)
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(p.notes) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && style.Width(longer) > Width-2*margin {
			lines = append(lines, line)
			longer = word
		}
		line = clip(style, longer, Width-2*margin)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
