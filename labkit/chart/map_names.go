package chart

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// names writes each arm's name into its region, where there is most room. One that
// is too narrow for it has its name above the map, with a line that leads there.
func (d decision) names(c draw.Canvas, x, y func(float64) vg.Length, columns, rows []float64) {
	style := bold(write(nameSize, inkColor, draw.XCenter, draw.YCenter))
	cell := vg.Point{X: x(columns[1]) - x(columns[0]), Y: y(rows[1]) - y(rows[0])}
	middle := func(i, j int) vg.Point {
		return vg.Point{X: (x(columns[i]) + x(columns[i+1])) / 2, Y: (y(rows[j]) + y(rows[j+1])) / 2}
	}
	taken := d.marks(x, y)
	for _, r := range d.regions {
		name := clip(style, r.id.String(), 200)
		half := vg.Point{X: style.Width(name)/2 + 5, Y: nameSize/2 + 3}
		inside, outside := place{}, place{}
		for i, column := range d.grid.Cells {
			for j := range top(column) {
				across, up := d.room(r, i, j)
				if across < 0 {
					continue
				}
				free := func(box vg.Rectangle) bool {
					return box.Min.X > c.Min.X && box.Max.X < c.Max.X && box.Max.Y < c.Max.Y &&
						!slices.ContainsFunc(taken, func(other vg.Rectangle) bool { return overlap(box, other) })
				}
				wide, high := int(math.Ceil(float64(half.X/cell.X))), int(math.Ceil(float64(half.Y/cell.Y)))
				if d.fits(r, i, j, wide, high) && free(around(middle(i, j), half)) {
					// As far from the borders as it can be, in both directions alike.
					inside.better(float64(min(vg.Length(across)*cell.X-half.X, vg.Length(up)*cell.Y-half.Y)), middle(i, j))
				}
				if free(around(vg.Point{X: middle(i, j).X, Y: y(d.grid.N[i]) + 22}, half)) {
					outside.better(float64(up), middle(i, j))
				}
			}
		}
		switch {
		case inside.found:
			box := around(inside.at, half)
			c.SetColor(panelColor)
			c.Fill(box.Path())
			label(c, style, inside.at.X, inside.at.Y, name)
			taken = append(taken, box)
		case outside.found:
			at := vg.Point{X: outside.at.X, Y: y(d.nAt(outside.at.X, x)) + 22}
			c.StrokeLine2(draw.LineStyle{Color: inkColor, Width: 1}, at.X, outside.at.Y, at.X, at.Y-half.Y)
			label(c, style, at.X, at.Y, name)
			taken = append(taken, around(at, half))
		}
	}
}

// place is the best of some places.
type place struct {
	found bool
	worth float64
	at    vg.Point
}

func (p *place) better(worth float64, at vg.Point) {
	if !p.found || worth > p.worth {
		*p = place{true, worth, at}
	}
}

func around(at, half vg.Point) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: at.X - half.X, Y: at.Y - half.Y}, Max: vg.Point{X: at.X + half.X, Y: at.Y + half.Y}}
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// marks are where names must not stand: what was measured, and the diagonal's own.
func (d decision) marks(x, y func(float64) vg.Length) []vg.Rectangle {
	list := d.spotBoxes(x, y)
	if box, ok := d.diagonalName(x, y); ok {
		list = append(list, box)
	}
	return list
}

// spotBoxes are around what was measured.
func (d decision) spotBoxes(x, y func(float64) vg.Length) (list []vg.Rectangle) {
	const r = spotRadius + 6
	for _, s := range d.spots {
		list = append(list, around(vg.Point{X: x(float64(s.N)), Y: y(float64(max(1, s.K)))}, vg.Point{X: r, Y: r}))
	}
	return list
}

// nAt is the n of the column that stands at a place.
func (d decision) nAt(at vg.Length, x func(float64) vg.Length) float64 {
	best := d.grid.N[0]
	for _, n := range d.grid.N {
		if math.Abs(float64(x(n)-at)) < math.Abs(float64(x(best)-at)) {
			best = n
		}
	}
	return best
}

// room is how many cells of a region lie to either side of one that is its own, and
// above and below it, the fewer each time; -1 for a cell of another region, or
// where the cheapest cannot be told if it can elsewhere.
func (d decision) room(r region, i, j int) (across, up int) {
	if !d.own(r, i, j) {
		return -1, -1
	}
	reach := func(di, dj int) (n int) {
		for d.own(r, i+(n+1)*di, j+(n+1)*dj) {
			n++
		}
		return n
	}
	return min(reach(-1, 0), reach(1, 0)), min(reach(0, -1), reach(0, 1))
}

// fits tells whether a box around a cell, so many cells to either side, lies in the
// region.
func (d decision) fits(r region, i, j, wide, high int) bool {
	for di := -wide; di <= wide; di++ {
		if !d.own(r, i+di, j-high) || !d.own(r, i+di, j+high) {
			return false
		}
	}
	return true
}

// own tells whether a cell is the region's, for sure if it is that anywhere.
func (d decision) own(r region, i, j int) bool {
	if i < 0 || j < 0 || i >= len(d.grid.Cells) || j >= len(d.grid.Cells[i]) {
		return false
	}
	p := d.grid.Cells[i][j]
	return p.Best == r.id && (p.Sure() || !r.sure)
}
