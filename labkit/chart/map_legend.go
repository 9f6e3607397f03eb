package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"shelflab/labkit/cost"
	"shelflab/labkit/evidence"
)

// legend says beside the map what its colours and marks are.
func (d decision) legend(c draw.Canvas) {
	sure, unsure := d.grid.Shares()
	head := bold(write(textSize, inkColor, draw.XLeft, draw.YCenter))
	text := write(textSize, inkColor, draw.XLeft, draw.YCenter)
	const box, gap = 18, 8
	y := c.Max.Y - mapLine/2
	line := func(swatch func(vg.Rectangle), style draw.TextStyle, words string) {
		left := c.Min.X
		if swatch != nil {
			swatch(vg.Rectangle{Min: vg.Point{X: left, Y: y - 6}, Max: vg.Point{X: left + box, Y: y + 6}})
			left += box + gap
		}
		label(c, style, left, y, clip(style, words, c.Max.X-left))
		y -= mapLine
	}
	line(nil, head, "The cheapest on the map")
	for _, r := range d.regions {
		share := "nowhere for sure"
		if sure[r.id] > 0 {
			share = evidence.MapShare(sure[r.id])
		}
		line(func(b vg.Rectangle) {
			c.SetColor(r.fill)
			c.Fill(b.Path())
			c.SetLineStyle(draw.LineStyle{Color: axisColor, Width: 0.75})
			c.Stroke(b.Path())
		}, text, r.id.String()+", "+share)
	}
	if unsure > 0 {
		line(func(b vg.Rectangle) {
			c.SetColor(panelTint)
			c.Fill(b.Path())
			look{color: softColor}.hatch(c, b)
			c.SetLineStyle(draw.LineStyle{Color: axisColor, Width: 0.75})
			c.Stroke(b.Path())
		}, text, "cannot be told, "+evidence.MapShare(unsure))
	}
	line(func(b vg.Rectangle) {
		c.StrokeLine2(draw.LineStyle{Color: inkColor, Width: 1.6}, b.Min.X, y, b.Max.X, y)
	}, text, "equally cheap, by the p50s")
	if len(d.spots) == 0 {
		return
	}
	y -= mapLine / 2
	line(nil, head, "Measured, the cheapest there")
	seen := map[cost.ID]bool{}
	outside := false
	for _, s := range d.spots {
		outside = outside || len(s.Outside) > 0
		if seen[s.Best] {
			continue
		}
		seen[s.Best] = true
		line(func(b vg.Rectangle) {
			d.find(s.Best).look.filled().marker(c, vg.Point{X: b.Min.X + box/2, Y: y}, spotRadius)
		}, text, s.Best.String())
	}
	grey := look{color: softColor}
	line(func(b vg.Rectangle) { grey.marker(c, vg.Point{X: b.Min.X + box/2, Y: y}, spotRadius) }, text, "filled: the error is from it")
	grey.hollow = true
	line(func(b vg.Rectangle) { grey.marker(c, vg.Point{X: b.Min.X + box/2, Y: y}, spotRadius) }, text, "open: held out")
	if outside {
		line(func(b vg.Rectangle) {
			grey.marker(c, vg.Point{X: b.Min.X + box/2, Y: y}, spotRadius)
			cross(c, vg.Point{X: b.Min.X + box/2, Y: y})
		}, text, "crossed: outside of the error")
	}
}

func (l look) filled() look {
	l.hollow = false
	return l
}
