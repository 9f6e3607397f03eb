package chart

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

const (
	rowHeight vg.Length = 24
	rowGap    vg.Length = 8   // between two arms
	armColumn vg.Length = 190 // the names' share of the width, at most
	axisRoom  vg.Length = 44  // below the rows
	valueGap  vg.Length = 28  // between the axis and the numbers
	valueHead vg.Length = 18  // the heading of the numbers
)

// Random draws the random keyed gets at the largest n that was measured, on a
// log axis: for each arm a bar with the open inside and, where a store can stay
// open, one without. Evidence without them is an error that wraps
// evidence.ErrNone.
func Random(run *evidence.Run) (Chart, error) { return finish(randomPage(run)) }

func randomPage(run *evidence.Run) (page, error) {
	if err := check(run); err != nil {
		return page{}, err
	}
	arms := labkit.Results(run.Arms)
	n, look := run.Largest(), looks(arms)
	var rows []row
	for _, arm := range arms {
		inside, ok := lookup(run, arm.Name, n, labkit.Gets)
		open, both := lookup(run, arm.Name, n, labkit.GetsOpen)
		tag := "open inside"
		if arm.Kind == "snapshot" && !both { // an indexed snapshot is opened, not loaded
			tag = "loads all"
		}
		rows = append(rows, row{arm: arm.Name, tag: tag, look: look[arm.Name], first: true, known: ok, Summary: inside})
		if both {
			rows = append(rows, row{arm: arm.Name, tag: "open before", look: look[arm.Name], hatched: true, known: true, Summary: open})
		}
	}
	return barPage(run, labkit.Gets, rows, barText{
		name:  "random_access",
		title: fmt.Sprintf("%s at n = %s: p50 of %s", evidence.RandomGets(run.Plan.Keys), evidence.Count(n), rounds(run.Plan)),
		axis:  "wall time, log scale",
		kind:  "on a log axis", log: true,
		caution: "The axis is logarithmic: compare the numbers, not the lengths.",
	})
}

// Disk draws the bytes that each arm takes on disk at the largest n that was
// measured, on an axis from zero. Evidence without them is an error that wraps
// evidence.ErrNone.
func Disk(run *evidence.Run) (Chart, error) { return finish(diskPage(run)) }

func diskPage(run *evidence.Run) (page, error) {
	if err := check(run); err != nil {
		return page{}, err
	}
	arms := labkit.Results(run.Arms)
	n, look := run.Largest(), looks(arms)
	var rows []row
	for _, arm := range arms {
		s, ok := lookup(run, arm.Name, n, labkit.Disk)
		rows = append(rows, row{arm: arm.Name, look: look[arm.Name], first: true, known: ok, Summary: s})
	}
	return barPage(run, labkit.Disk, rows, barText{
		name:  "disk",
		title: fmt.Sprintf("Bytes on disk at n = %s: p50 of %s", evidence.Count(n), rounds(run.Plan)),
		axis:  "bytes allocated on disk, after close",
		kind:  "from zero",
	})
}

// Bars draws one metric, or two of one unit such as dump and load, at one n: a
// bar for each arm and metric, the second hatched, on an axis from zero or, where
// the shortest bar would be lost beside the longest, on a log axis. The metrics
// may be of any group. No metric, more than two, or two of different units are an
// error, and an n without samples of them is one that wraps evidence.ErrNone.
func Bars(run *evidence.Run, n int, metrics ...labkit.Metric) (Chart, error) {
	return finish(barsPage(run, n, metrics))
}

func barsPage(run *evidence.Run, n int, metrics []labkit.Metric) (page, error) {
	if err := check(run); err != nil {
		return page{}, err
	}
	if len(metrics) < 1 || len(metrics) > 2 || metrics[0].Unit != metrics[len(metrics)-1].Unit {
		return page{}, fmt.Errorf("chart: bars of %d metrics: give one, or two of one unit", len(metrics))
	}
	m, names := metrics[0], make([]string, len(metrics))
	arms := labkit.Results(run.Arms)
	look := looks(arms)
	var rows []row
	least, most := math.Inf(1), 0.0
	for _, arm := range arms {
		for i, m := range metrics {
			names[i] = m.Name
			s, ok := lookup(run, arm.Name, n, m)
			r := row{arm: arm.Name, look: look[arm.Name], hatched: i > 0, first: i == 0, known: ok, Summary: s}
			if len(metrics) > 1 {
				r.tag = m.Name
			}
			if s.P50 > 0 {
				least = math.Min(least, s.P50)
			}
			most = math.Max(most, s.P50)
			rows = append(rows, r)
		}
	}
	both := strings.Join(names, " and ")
	text := barText{
		name:  fmt.Sprintf("%s_at_%d", both, n),
		title: fmt.Sprintf("%s at n = %s%s: p50 of %s", deed(labkit.Metric{Name: both}), evidence.Count(n), counted(run.Plan), rounds(run.Plan)),
		axis:  unitText(m), kind: "from zero", tagged: true,
	}
	if m.Unit == "s" {
		text.axis = "wall time"
	}
	if most > lost*least {
		text.axis, text.kind, text.log = text.axis+", log scale", "on a log axis", true
		text.caution = "The axis is logarithmic: compare the numbers, not the lengths."
	}
	return barPage(run, m, rows, text)
}

// lost is how many times as long the longest bar may be as the shortest on an
// axis from zero.
const lost = 50

// barText is what a bar chart says besides its rows.
type barText struct {
	name, title, axis, kind string
	caution                 string // what a reader of the bars must know
	log                     bool
	tagged                  bool // two metrics: what is missing is named with its own
}

func barPage(run *evidence.Run, m labkit.Metric, rows []row, text barText) (page, error) {
	var missing []string
	var known []labkit.Summary
	var list []entry
	for _, r := range rows {
		if !r.known {
			name := r.arm
			if text.tagged && r.tag != "" {
				name += ", " + r.tag
			}
			missing = append(missing, name)
			continue
		}
		known = append(known, r.Summary)
		name := r.arm
		if r.tag != "" {
			name += ", " + r.tag
		}
		list = append(list, entry{name, r.Summary})
	}
	if len(known) == 0 {
		return page{}, noSamples(m)
	}
	height := headRoom + valueHead + vg.Length(len(rows))*rowHeight + vg.Length(len(labkit.Results(run.Arms))+1)*rowGap + axisRoom
	return page{
		name: text.name, title: text.title, body: height,
		notes: join(better(m), whiskers(known), text.caution, absent(missing), incomplete(run)),
		alt: join(fmt.Sprintf("Bar chart %s. %s. By p50, best first: %s.", text.kind, text.title, ranked(list, m)),
			absent(missing), incomplete(run)),
		draw: func(c draw.Canvas) { drawBars(c, m, rows, text) },
	}, nil
}

func drawBars(c draw.Canvas, m labkit.Metric, rows []row, text barText) {
	c.Max.Y -= headRoom
	label(c, write(textSize, softColor, draw.XRight, draw.YCenter), c.Max.X, c.Max.Y-valueHead/2, "p50")
	c.Max.Y -= valueHead
	name, small := write(nameSize, inkColor, draw.XLeft, draw.YCenter), write(textSize, softColor, draw.XLeft, draw.YCenter)
	var arms, tags vg.Length
	for _, r := range rows {
		arms, tags = max(arms, name.Width(clip(name, r.arm, armColumn))), max(tags, small.Width(r.tag))
	}
	const swatch = 22 // the arm's marker before its name, as on the other charts
	left := swatch + arms + 14 + tags
	if tags > 0 {
		left += 12
	}

	p := newPlot()
	p.HideY()
	p.X.Label.Text = text.axis
	barAxis(p, m, rows, text.log)
	p.Y.Min, p.Y.Max = 0, 1
	var values vg.Length // for the column of numbers
	for _, r := range rows {
		values = max(values, small.Width(r.value(m))+valueGap)
	}
	plotCanvas := draw.Crop(c, left, -values, 0, 0)
	frame := p.DataCanvas(plotCanvas)
	x, _ := p.Transforms(&frame)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if t.Label != "" {
			rule(frame, x(t.Value), frame.Min.Y, x(t.Value), frame.Max.Y)
		}
	}
	p.Draw(plotCanvas)

	y := frame.Max.Y
	for _, r := range rows {
		if r.first {
			y -= rowGap
			r.look.marker(c, vg.Point{X: c.Min.X + 8, Y: y - rowHeight/2}, 4.5)
			label(c, name, c.Min.X+swatch, y-rowHeight/2, clip(name, r.arm, armColumn))
		}
		mid := y - rowHeight/2
		label(c, small, c.Min.X+swatch+arms+14, mid, r.tag)
		r.draw(c, frame.Min.X, c.Max.X, mid, x, m)
		y -= rowHeight
	}
}

// barAxis sets the range of the bars' axis.
func barAxis(p *plot.Plot, m labkit.Metric, rows []row, log bool) {
	var values []float64
	top := 0.0
	for _, r := range rows {
		if !r.known {
			continue
		}
		values = append(values, r.P50)
		if r.HasInterval() {
			values = append(values, r.Lo, r.Hi)
		}
		top = math.Max(top, math.Max(r.P50, r.Hi))
	}
	if log {
		newLogAxis(values, m.Unit).fromRound(m.Unit).set(&p.X)
		return
	}
	if top == 0 {
		top = 1
	}
	p.X.Min, p.X.Max = 0, top*1.02
	p.X.Tick.Marker = plot.ConstantTicks(linearTicks(p.X.Max, m.Unit))
}
