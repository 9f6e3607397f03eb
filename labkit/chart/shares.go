package chart

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"shelflab/labkit/evidence"
)

// Share is one bar of Shares.
type Share struct {
	Name string
	Part float64 // of the whole, 0 to 1
	With float64 // the part together with what belongs to it, such as what a function calls; Part or less for none
}

// shareColumn is the names' part of the width, at most.
const shareColumn vg.Length = 330

// Shares draws parts of a whole as bars from zero, in the order given: what a
// profile tells of a program, which is no evidence, so the title must say what it
// is of. note stands below it and in the alternative text. Each bar is filled as
// far as Part and outlined as far as With. No shares are an error that wraps
// evidence.ErrNone; a part that is no number between 0 and 1 is drawn as 0.
func Shares(name, title, note string, shares []Share) (Chart, error) {
	if len(shares) == 0 {
		return Chart{}, fmt.Errorf("%w: there are no shares to draw", evidence.ErrNone)
	}
	list := make([]Share, len(shares))
	two := false
	for i, s := range shares {
		list[i] = Share{s.Name, fraction(s.Part), math.Max(fraction(s.Part), fraction(s.With))}
		two = two || list[i].With > list[i].Part
	}
	legend := ""
	if two {
		legend = "Filled: the part itself. Hatched: with what belongs to it."
	}
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = quoted([]string{s.Name})[0] + " " + s.text(two)
	}
	return finish(page{
		name: name, title: title, notes: join(note, legend),
		alt:  join(fmt.Sprintf("Bar chart from zero. %s.", title), note, strings.Join(texts, "; ")+"."),
		body: headRoom + vg.Length(len(list))*rowHeight + axisRoom,
		draw: func(c draw.Canvas) { drawShares(c, list, two) },
	}, nil)
}

// fraction is x, or 0 for what is no part of a whole.
func fraction(x float64) float64 {
	if !(x >= 0 && x <= 1) {
		return 0
	}
	return x
}

func (s Share) text(two bool) string {
	whole := func(x float64) string {
		if x > 0 && x < 0.005 {
			return "<1 %"
		}
		return evidence.Percent(math.Round(x*100) / 100)
	}
	if two {
		return whole(s.Part) + ", " + whole(s.With)
	}
	return whole(s.Part)
}

func drawShares(c draw.Canvas, list []Share, two bool) {
	c.Max.Y -= headRoom
	name, value := write(nameSize, inkColor, draw.XLeft, draw.YCenter), write(textSize, inkColor, draw.XLeft, draw.YCenter)
	var names, values vg.Length
	longest := 0.0
	for _, s := range list {
		names, values = max(names, name.Width(clip(name, s.Name, shareColumn))), max(values, value.Width(s.text(two)))
		longest = math.Max(longest, s.With)
	}
	p := newPlot()
	p.HideY()
	p.X.Min, p.X.Max = 0, math.Max(longest, 0.01)*1.02
	p.X.Label.Text = "share of the whole"
	var ticks []plot.Tick
	for _, t := range linearTicks(p.X.Max, "") {
		ticks = append(ticks, plot.Tick{Value: t.Value, Label: evidence.Percent(t.Value)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.Y.Min, p.Y.Max = 0, 1
	plotCanvas := draw.Crop(c, names+14, -values-16, 0, 0)
	frame := p.DataCanvas(plotCanvas)
	x, _ := p.Transforms(&frame)
	for _, t := range ticks {
		rule(frame, x(t.Value), frame.Min.Y, x(t.Value), frame.Max.Y)
	}
	p.Draw(plotCanvas)

	bar := look{color: keyedColors[0]}
	mid := frame.Max.Y - rowHeight/2
	for _, s := range list {
		label(c, name, c.Min.X, mid, clip(name, s.Name, shareColumn))
		for _, part := range []struct {
			to      float64
			hatched bool
		}{{s.With, true}, {s.Part, false}} { // the longer one below
			if part.to > 0 && (!part.hatched || s.With > s.Part) {
				bar.bar(c, vg.Rectangle{Min: vg.Point{X: frame.Min.X, Y: mid - barHeight/2}, Max: vg.Point{X: x(part.to), Y: mid + barHeight/2}}, part.hatched)
			}
		}
		end, text := x(s.With), s.text(two)
		c.SetColor(panelColor) // so that no grid line runs through the number
		c.Fill(vg.Rectangle{Min: vg.Point{X: end + 5, Y: mid - 8}, Max: vg.Point{X: end + 11 + value.Width(text), Y: mid + 8}}.Path())
		label(c, value, end+8, mid, text)
		mid -= rowHeight
	}
}
