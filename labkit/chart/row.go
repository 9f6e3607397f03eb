package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"shelflab/labkit"
)

const barHeight vg.Length = 15

// row is one bar: an arm's summary of one metric.
type row struct {
	arm     string
	tag     string // what tells two bars of one arm apart
	look    look
	hatched bool
	first   bool // of its arm
	known   bool // there are samples
	labkit.Summary
}

// draw draws the bar and its interval from left on, and its value up to right:
// at the end of the bar it would stand at the tip of the interval, and be read as
// what that is.
func (r row) draw(c draw.Canvas, left, right, mid vg.Length, x func(float64) vg.Length, m labkit.Metric) {
	value := write(textSize, inkColor, draw.XRight, draw.YCenter)
	if !r.known {
		value.Color = softColor
	}
	label(c, value, right, mid, r.value(m))
	if !r.known {
		return
	}
	box := vg.Rectangle{Min: vg.Point{X: left, Y: mid - barHeight/2}, Max: vg.Point{X: x(r.P50), Y: mid + barHeight/2}}
	if r.P50 > 0 {
		r.look.bar(c, box, r.hatched)
	}
	if r.HasInterval() && r.Lo != r.Hi {
		lo, hi := x(r.Lo), x(r.Hi)
		// A pale line below the dark one keeps the interval visible on any bar.
		for _, style := range []draw.LineStyle{{Color: panelColor, Width: 4}, {Color: inkColor, Width: 1.5}} {
			c.StrokeLine2(style, lo, mid, hi, mid)
			c.StrokeLine2(style, lo, mid-4, lo, mid+4)
			c.StrokeLine2(style, hi, mid-4, hi, mid+4)
		}
	}
}

// value is what stands in the column of p50s.
func (r row) value(m labkit.Metric) string {
	if !r.known {
		return "no samples"
	}
	return quantity(r.P50, m)
}

// bar fills a bar, or hatches it, with an outline.
func (l look) bar(c draw.Canvas, box vg.Rectangle, hatched bool) {
	c.SetColor(l.color)
	if hatched {
		c.SetColor(panelColor)
	}
	c.Fill(box.Path())
	if hatched {
		l.hatch(c, box)
	}
	c.SetLineStyle(draw.LineStyle{Color: l.color, Width: 1.5})
	c.Stroke(box.Path())
}

// hatch draws slanted lines into a box.
func (l look) hatch(c draw.Canvas, box vg.Rectangle) {
	const step = 6
	h, w := box.Max.Y-box.Min.Y, box.Max.X-box.Min.X
	style := draw.LineStyle{Color: l.color, Width: 1.2}
	for at := -h + step/2; at < w; at += step { // from (at, bottom) to (at+h, top)
		x1, x2 := max(at, 0), min(at+h, w)
		if x2 > x1 {
			c.StrokeLine2(style, box.Min.X+x1, box.Min.Y+x1-at, box.Min.X+x2, box.Min.Y+x2-at)
		}
	}
}
