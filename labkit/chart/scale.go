package chart

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

const (
	scaleHeight vg.Length = 350
	headRoom    vg.Length = 10 // below the notes
	labelGap    vg.Length = 19 // between two labels at the right
	leader      vg.Length = 34 // from the frame to the labels
	dodge       vg.Length = 3  // between two arms at one n
)

// point is one arm's summary at one n.
type point struct {
	n int
	labkit.Summary
}

// curve is one arm's line.
type curve struct {
	arm    string
	look   look
	shift  vg.Length // aside from n, so that the bars of several arms stay apart
	points []point
}

// Scale draws a metric over n, both axes logarithmic: one line an arm through
// its p50, with the interval as bars where the rounds reach one. Arms are named
// at the right, beside the last p50; arms without samples are named below the
// title. The metric may be of any group, and only the sizes at which it was
// measured are drawn. A metric without samples is an error that wraps
// evidence.ErrNone.
func Scale(run *evidence.Run, m labkit.Metric) (Chart, error) { return finish(scalePage(run, m)) }

func scalePage(run *evidence.Run, m labkit.Metric) (page, error) {
	if err := check(run); err != nil {
		return page{}, err
	}
	ns := slices.DeleteFunc(run.Measured(), func(n int) bool { return !hasAt(run, n, m) })
	curves, missing := curvesOf(run, ns, m)
	if len(curves) == 0 {
		return page{}, noSamples(m)
	}
	var all []labkit.Summary
	for _, c := range curves {
		for _, p := range c.points {
			all = append(all, p.Summary)
		}
	}
	body := max(scaleHeight, labelGap*vg.Length(len(curves)+5))
	return page{
		name:  m.Name + "_scale",
		title: fmt.Sprintf("%s, %s over n = %s: p50 of %s", deed(m), unitText(m), counts(ns), rounds(run.Plan)),
		notes: join(better(m), whiskers(all), absent(missing), incomplete(run)),
		alt:   scaleAlt(run, m, curves, ns, missing),
		body:  body,
		draw:  func(c draw.Canvas) { drawScale(c, m, ns, run.Plan, curves) },
	}, nil
}

// curvesOf returns the lines of the arms that have samples and the names of
// those that have none.
func curvesOf(run *evidence.Run, ns []int, m labkit.Metric) (curves []curve, missing []string) {
	arms := labkit.Results(run.Arms)
	look := looks(arms)
	for _, arm := range arms {
		c := curve{arm: arm.Name, look: look[arm.Name]}
		for _, n := range ns {
			if s, ok := lookup(run, arm.Name, n, m); ok {
				c.points = append(c.points, point{n, s})
			}
		}
		if len(c.points) == 0 {
			missing = append(missing, arm.Name)
			continue
		}
		curves = append(curves, c)
	}
	for i := range curves {
		curves[i].shift = dodge * (vg.Length(i) - vg.Length(len(curves)-1)/2)
	}
	return curves, missing
}

func drawScale(c draw.Canvas, m labkit.Metric, ns []int, plan labkit.Plan, curves []curve) {
	// The y axis is named above its top, upright, where it is read first.
	c.Max.Y -= headRoom
	small := write(textSize, softColor, draw.XLeft, draw.YTop)
	c.FillText(small, vg.Point{X: c.Min.X, Y: c.Max.Y}, unitText(m)+", log scale")

	name, value := write(nameSize, inkColor, draw.XLeft, draw.YCenter), write(textSize, softColor, draw.XLeft, draw.YCenter)
	const widest = 210
	labels, values := make([]string, len(curves)), make([]string, len(curves))
	var column vg.Length
	for i, cv := range curves {
		values[i] = cv.lastValue(m, ns)
		labels[i] = clip(name, cv.arm, widest-value.Width(values[i]))
		column = max(column, name.Width(labels[i])+8+value.Width(values[i]))
	}

	p := newPlot()
	p.X.Label.Text = "n, records in the store, log scale"
	if plan.Counts != "" {
		p.X.Label.Text = "n, " + clip(write(textSize, inkColor, 0, 0), plan.Counts, 240) + ", log scale"
	}
	var ys []float64
	for _, cv := range curves {
		for _, pt := range cv.points {
			ys = append(ys, pt.P50)
			if pt.HasInterval() {
				ys = append(ys, pt.Lo, pt.Hi)
			}
		}
	}
	newLogAxis(ys, m.Unit).set(&p.Y)
	p.X.Scale = logScale{}
	air := math.Max(1.08, math.Pow(float64(ns[len(ns)-1])/float64(ns[0]), 0.04))
	if len(ns) == 1 {
		air = 2
	}
	p.X.Min, p.X.Max = float64(ns[0])/air, float64(ns[len(ns)-1])*air
	plotCanvas := draw.Crop(c, 0, -(leader + 26 + column), 0, -(textSize + 12))
	p.X.Tick.Marker = plot.ConstantTicks(nTicks(ns, p, plotCanvas))
	for _, cv := range curves {
		p.Add(cv)
	}
	frame := p.DataCanvas(plotCanvas)
	grid(frame, p)
	p.Draw(plotCanvas)

	order := make([]int, len(curves)) // by height of the last point
	_, y := p.Transforms(&frame)
	height := func(i int) vg.Length { return y(curves[i].points[len(curves[i].points)-1].P50) }
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(height(a), height(b)) })
	ends := make([]vg.Length, len(order))
	for i, at := range order {
		ends[i] = height(at)
	}
	places := spread(ends, labelGap, frame.Min.Y+4, frame.Max.Y-4)
	for i, at := range order {
		cv := curves[at]
		last := cv.points[len(cv.points)-1]
		x, _ := p.Transforms(&frame)
		from := vg.Point{X: x(float64(last.n)) + cv.shift, Y: ends[i]}
		to := vg.Point{X: frame.Max.X + leader, Y: places[i]}
		c.StrokeLines(draw.LineStyle{Color: axisColor, Width: 0.75, Dashes: []vg.Length{1.5, 2.5}},
			[]vg.Point{{X: from.X + 8, Y: from.Y}, {X: frame.Max.X + 6, Y: from.Y}, {X: to.X - 4, Y: to.Y}})
		c.StrokeLine2(cv.look.line(), to.X, to.Y, to.X+20, to.Y)
		cv.look.marker(c, vg.Point{X: to.X + 10, Y: to.Y}, 4)
		label(c, name, to.X+26, to.Y, labels[at])
		label(c, value, to.X+26+name.Width(labels[at])+8, to.Y, values[at])
	}
}

// Plot draws the line, its bars and its markers.
func (cv curve) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var line []vg.Point
	for _, pt := range cv.points {
		line = append(line, vg.Point{X: x(float64(pt.n)) + cv.shift, Y: y(pt.P50)})
	}
	c.StrokeLines(cv.look.line(), line)
	for i, pt := range cv.points {
		if pt.HasInterval() {
			errorBar(c, cv.look, line[i].X, y(pt.Lo), y(pt.Hi))
		}
		cv.look.marker(c, line[i], 4.5)
	}
}

// errorBar draws an upright interval.
func errorBar(c draw.Canvas, l look, x, lo, hi vg.Length) {
	style := draw.LineStyle{Color: l.color, Width: 1.5}
	c.StrokeLine2(style, x, lo, x, hi)
	c.StrokeLine2(style, x-3.5, lo, x+3.5, lo)
	c.StrokeLine2(style, x-3.5, hi, x+3.5, hi)
}

// lastValue is the arm's value beside its name; it says where the line ends
// before the largest n.
func (cv curve) lastValue(m labkit.Metric, ns []int) string {
	last := cv.points[len(cv.points)-1]
	text := quantity(last.P50, m)
	if last.n != ns[len(ns)-1] {
		text += " at " + evidence.Count(last.n)
	}
	return text
}

// nTicks marks the measured sizes. A size whose number would run into its
// neighbour's keeps its mark and loses the number; the largest keeps both.
func nTicks(ns []int, p *plot.Plot, c draw.Canvas) []plot.Tick {
	ticks := make([]plot.Tick, len(ns))
	for i, n := range ns {
		ticks[i] = plot.Tick{Value: float64(n), Label: evidence.Count(n)}
	}
	// The frame as it is with every number: without some it may get wider, not
	// narrower.
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	frame := p.DataCanvas(c)
	place, _ := p.Transforms(&frame)
	style := p.X.Tick.Label
	free := vg.Length(math.Inf(1))
	for i := len(ns) - 1; i >= 0; i-- {
		at, half := place(ticks[i].Value), style.Width(ticks[i].Label)/2+4
		if at+half > free {
			ticks[i].Label = ""
			continue
		}
		free = at - half
	}
	return ticks
}

// grid draws a line at each labelled tick of the y axis, below the data.
func grid(frame draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&frame)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if t.Label != "" {
			rule(frame, frame.Min.X, y(t.Value), frame.Max.X, y(t.Value))
		}
	}
}

func compare(a, b vg.Length) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
