package chart

import (
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

const (
	armHeight  vg.Length = 30
	groupHead  vg.Length = 34
	groupGap   vg.Length = 16
	boxPadding vg.Length = 10
)

// group is the arms of one kind.
type group struct {
	title, sub string
	arms       []labkit.Arm
}

// Topology draws the lab: the records go to every arm, keyed stores and
// snapshots, ours and plain; each round measures the same of all, and the
// rounds give a p50. It needs no samples, so a notebook can show it before it
// measures. An arm that this machine lacks is said to be not measured. Controls are
// left out. No arms is an error that wraps labkit.ErrPlan.
func Topology(plan labkit.Plan, arms []labkit.Arm) (Chart, error) {
	return finish(topologyPage(plan, arms))
}

func topologyPage(plan labkit.Plan, arms []labkit.Arm) (page, error) {
	arms = labkit.Results(arms)
	if len(arms) == 0 {
		return page{}, fmt.Errorf("%w: there is no arm to draw", labkit.ErrPlan)
	}
	groups := groupsOf(arms, plan.Counts != "")
	body := -groupGap
	alt := fmt.Sprintf("Drawing of the lab: %s of seed %d, n = %s, are kept by", plan.Pieces(), plan.Seed, counts(plan.N))
	for i, g := range groups {
		body += g.height() + groupGap
		if i > 0 {
			alt += "; by"
		}
		if alt += " " + g.title; g.sub != "" {
			alt += " (" + g.sub + ")"
		}
		alt += ":"
		for j, arm := range g.arms {
			if j > 0 {
				alt += ","
			}
			alt += " " + quoted([]string{arm.Name})[0] + pairText(arm)
		}
	}
	measures := measured(plan)
	last := len(measures) - 1
	give := "give"
	if plan.Rounds == 1 {
		give = "gives"
	}
	alt += fmt.Sprintf(". Each round measures %s and %s of every arm; %s %s the p50.", strings.Join(measures[:last], ", "), measures[last], rounds(plan), give)
	return page{
		name: "topology", title: fmt.Sprintf("The lab: the same %s, kept in different ways", plan.Pieces()), alt: alt, body: headRoom + max(body, 210),
		draw: func(c draw.Canvas) { drawTopology(c, plan, groups, looks(arms)) },
	}, nil
}

// measured lists what each round measures of an arm. Other things than records
// are kept as a whole.
func measured(plan labkit.Plan) []string {
	if plan.Counts != "" {
		return []string{labkit.Dump.Name, labkit.Load.Name, labkit.Disk.Name}
	}
	return []string{"write", "full read", evidence.RandomGets(plan.Keys), "disk"}
}

// groupsOf puts the arms into groups by their kind: records or, as a whole, what
// else a plan counts.
func groupsOf(arms []labkit.Arm, whole bool) []group {
	groups := []group{{title: "keyed stores", sub: "one record at a time"}, {title: "snapshots", sub: "all records in one file"}, {title: "other arms"}}
	if whole {
		groups[0].sub, groups[1].sub = "one by one", "all in one file"
	}
	for _, arm := range arms {
		at := 2
		switch arm.Kind {
		case "keyed store":
			at = 0
		case "snapshot":
			at = 1
		}
		groups[at].arms = append(groups[at].arms, arm)
	}
	var out []group
	for _, g := range groups {
		if len(g.arms) > 0 {
			out = append(out, g)
		}
	}
	return out
}

func (g group) height() vg.Length {
	return groupHead + vg.Length(len(g.arms))*armHeight + boxPadding
}

func pairText(arm labkit.Arm) string {
	if tag := tagOf(arm); tag != "" {
		return " (" + tag + ")"
	}
	return ""
}

// tagOf is the pair that an arm belongs to, or that this machine lacks it.
func tagOf(arm labkit.Arm) string {
	if arm.Unmeasured != "" {
		return "not measured"
	}
	return arm.Pair
}

func drawTopology(c draw.Canvas, plan labkit.Plan, groups []group, look map[string]look) {
	c.Max.Y -= headRoom
	mid := (c.Min.Y + c.Max.Y) / 2
	records := box(c.Min.X, mid, 146, 88)
	armsBox := vg.Rectangle{Min: vg.Point{X: records.Max.X + 46, Y: c.Min.Y}, Max: vg.Point{X: records.Max.X + 46 + 266, Y: c.Max.Y}}
	measures := box(armsBox.Max.X+46, mid, 156, 146)
	result := box(measures.Max.X+40, mid, c.Max.X-measures.Max.X-40, 88)

	boxed(c, records, plan.Pieces(), []string{"n = " + counts(plan.N), fmt.Sprintf("seed %d", plan.Seed)})
	boxed(c, measures, "each round", append([]string{"arms in shuffled order:"}, measured(plan)...))
	boxed(c, result, "p50", []string{"of " + rounds(plan), "and its interval"})

	var total vg.Length = -groupGap
	for _, g := range groups {
		total += g.height() + groupGap
	}
	y := mid + total/2
	for _, g := range groups {
		panel := vg.Rectangle{Min: vg.Point{X: armsBox.Min.X, Y: y - g.height()}, Max: vg.Point{X: armsBox.Max.X, Y: y}}
		g.draw(c, panel, look)
		center := (panel.Min.Y + panel.Max.Y) / 2
		arrow(c, vg.Point{X: records.Max.X, Y: mid}, vg.Point{X: panel.Min.X, Y: center})
		arrow(c, vg.Point{X: panel.Max.X, Y: center}, vg.Point{X: measures.Min.X, Y: mid})
		y -= g.height() + groupGap
	}
	arrow(c, vg.Point{X: measures.Max.X, Y: mid}, vg.Point{X: result.Min.X, Y: mid})
}

// draw draws the group's panel: its arms with their markers, and whether each
// is ours or plain.
func (g group) draw(c draw.Canvas, panel vg.Rectangle, look map[string]look) {
	frame(c, panel, panelTint)
	head := bold(write(nameSize, inkColor, draw.XLeft, draw.YTop))
	small := write(textSize, softColor, draw.XLeft, draw.YTop)
	top := panel.Max.Y - boxPadding
	c.FillText(head, vg.Point{X: panel.Min.X + boxPadding, Y: top}, g.title)
	c.FillText(small, vg.Point{X: panel.Min.X + boxPadding + head.Width(g.title) + 8, Y: top - 1}, g.sub)
	name, pair := write(nameSize, inkColor, draw.XLeft, draw.YCenter), write(textSize, softColor, draw.XRight, draw.YCenter)
	y := panel.Max.Y - groupHead - armHeight/2
	for _, arm := range g.arms {
		chip := vg.Rectangle{
			Min: vg.Point{X: panel.Min.X + boxPadding, Y: y - armHeight/2 + 2},
			Max: vg.Point{X: panel.Max.X - boxPadding, Y: y + armHeight/2 - 2},
		}
		frame(c, chip, panelColor)
		tag := clip(pair, tagOf(arm), 80)
		label(c, pair, chip.Max.X-8, y, tag)
		look[arm.Name].marker(c, vg.Point{X: chip.Min.X + 14, Y: y}, 4.5)
		room := chip.Max.X - chip.Min.X - 28 - 18 - pair.Width(tag)
		label(c, name, chip.Min.X+28, y, clip(name, arm.Name, room))
		y -= armHeight
	}
}

// box is a rectangle with its left edge at x and its middle at height mid.
func box(x, mid, width, height vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x, Y: mid - height/2}, Max: vg.Point{X: x + width, Y: mid + height/2}}
}

// boxed draws a box with a heading and lines of text, centred.
func boxed(c draw.Canvas, r vg.Rectangle, head string, lines []string) {
	frame(c, r, panelTint)
	room := r.Max.X - r.Min.X - boxPadding
	x := (r.Min.X + r.Max.X) / 2
	const pitch = 20
	y := (r.Min.Y+r.Max.Y)/2 + vg.Length(len(lines))*pitch/2 + 1.5
	label(c, bold(write(nameSize+1, inkColor, draw.XCenter, draw.YCenter)), x, y, head)
	style := write(textSize, softColor, draw.XCenter, draw.YCenter)
	y -= 3 // the heading stands apart
	for _, line := range lines {
		y -= pitch
		label(c, style, x, y, clip(style, line, room))
	}
}

func frame(c draw.Canvas, r vg.Rectangle, fill color.Color) {
	c.SetColor(fill)
	c.Fill(r.Path())
	c.SetLineStyle(draw.LineStyle{Color: axisColor, Width: 1})
	c.Stroke(r.Path())
}

// arrow draws a smooth line from one box to the next, with a head.
func arrow(c draw.Canvas, from, to vg.Point) {
	const head = 8
	var path vg.Path
	path.Move(from)
	half := (to.X - from.X) / 2
	path.CubeTo(vg.Point{X: from.X + half, Y: from.Y}, vg.Point{X: to.X - half, Y: to.Y}, vg.Point{X: to.X - head, Y: to.Y})
	c.SetLineStyle(draw.LineStyle{Color: axisColor, Width: 1.5})
	c.Stroke(path)
	c.SetColor(axisColor)
	c.Fill(vg.Path{
		{Type: vg.MoveComp, Pos: to},
		{Type: vg.LineComp, Pos: vg.Point{X: to.X - head, Y: to.Y + head/2}},
		{Type: vg.LineComp, Pos: vg.Point{X: to.X - head, Y: to.Y - head/2}},
		{Type: vg.CloseComp},
	})
}
