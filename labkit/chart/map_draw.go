package chart

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"shelflab/labkit/cost"
)

// Plot draws the regions, their borders and names, and what was measured.
func (d decision) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	columns, rows := edges(d.grid.N), edges(d.grid.K)
	for i, column := range d.grid.Cells {
		top := top(column)
		for from := 0; from < top; {
			to := from + 1
			for to < top && column[to].Best == column[from].Best && column[to].Sure() == column[from].Sure() {
				to++
			}
			if best := column[from].Best; best != (cost.ID{}) {
				c.SetColor(d.find(best).fill)
				if !column[from].Sure() {
					c.SetColor(paler(d.find(best).fill))
				}
				low, left, right := d.edge(i, from, rows[from]), columns[i], columns[i+1]
				high, higher := d.edge(i, to, rows[to]), d.edge(i, to, rows[to])
				if to == top { // as far as there are records
					high, higher = left, right
				}
				// A little wider, so that nothing shines through between two.
				const more = 0.4
				var path vg.Path
				path.Move(vg.Point{X: x(left), Y: y(low)})
				path.Line(vg.Point{X: x(left), Y: y(high) + more})
				path.Line(vg.Point{X: x(right) + more, Y: y(higher) + more})
				path.Line(vg.Point{X: x(right) + more, Y: y(low)})
				path.Close()
				c.Fill(path)
			}
			from = to
		}
	}
	d.hatch(c, x, y, columns, rows)
	d.borders(c, x, y, columns, rows)
	d.diagonal(c, x, y)
	d.names(c, x, y, columns, rows)
	for _, s := range d.spots {
		d.spot(c, vg.Point{X: x(float64(s.N)), Y: y(float64(max(1, s.K)))}, s)
	}
}

// top is how many cells of a column lie where k is not above n.
func top(column []cost.Place) int {
	n := len(column)
	for n > 0 && column[n-1].Best == (cost.ID{}) {
		n--
	}
	return n
}

// edges are the ends of cells whose middles are in equal steps of the logarithm.
func edges(middles []float64) []float64 {
	step := math.Sqrt(middles[1] / middles[0])
	list := []float64{middles[0] / step}
	for _, m := range middles {
		list = append(list, m*step)
	}
	return list
}

// edge is where the j-th cell of a column begins: at the border itself where the
// cheapest arm changes there.
func (d decision) edge(i, j int, otherwise float64) float64 {
	column := d.grid.Cells[i]
	if j == 0 || j >= len(column) || column[j].Best == column[j-1].Best {
		return otherwise
	}
	for _, b := range d.grid.Borders[i] {
		if b.Below == column[j-1].Best && b.Above == column[j].Best {
			return b.K
		}
	}
	return otherwise
}

// paler is a colour half way to the panel.
func paler(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	half := func(x uint32) uint8 { return uint8((x>>8 + 0xFF) / 2) }
	return color.RGBA{half(r), half(g), half(b), 0xFF}
}

// hatch draws the diagonals of the cells in which the cheapest cannot be told, each
// run of them as one line.
func (d decision) hatch(c draw.Canvas, x, y func(float64) vg.Length, columns, rows []float64) {
	unsure := func(i, j int) bool {
		if i < 0 || j < 0 || i >= len(d.grid.Cells) || j >= len(d.grid.Cells[i]) {
			return false
		}
		p := d.grid.Cells[i][j]
		return p.Best != cost.ID{} && !p.Sure()
	}
	const every = 2 // of the diagonals
	style := draw.LineStyle{Color: softColor, Width: 0.7}
	for i := range d.grid.Cells {
		for j := range d.grid.Cells[i] {
			if (i-j)%every != 0 || !unsure(i, j) || unsure(i-1, j-1) {
				continue
			}
			k := 1
			for unsure(i+k, j+k) {
				k++
			}
			c.StrokeLine2(style, x(columns[i]), y(rows[j]), x(columns[i+k]), y(rows[j+k]))
		}
	}
}

// borders joins where the cheapest arm changes as k grows from one column to the
// next, and stands between two columns where it changes from one to the other.
func (d decision) borders(c draw.Canvas, x, y func(float64) vg.Length, columns, rows []float64) {
	type pair struct{ below, above cost.ID }
	open := map[pair][]vg.Point{}
	var order []pair
	stroke := func(line []vg.Point) {
		line = toEdges(line, x(columns[0]), x(columns[len(columns)-1]), x(columns[1])-x(columns[0]))
		c.StrokeLines(draw.LineStyle{Color: panelColor, Width: 3.5}, line)
		c.StrokeLines(draw.LineStyle{Color: inkColor, Width: 1.6}, line)
	}
	first := func(i int) cost.ID {
		if i < 0 || i >= len(d.grid.Cells) {
			return cost.ID{}
		}
		return d.grid.Cells[i][0].Best
	}
	floor := func(edge int) vg.Point { return vg.Point{X: x(columns[edge]), Y: y(1)} }
	for i := range len(d.grid.Borders) + 1 {
		there := map[pair]bool{}
		if i < len(d.grid.Borders) {
			for _, b := range d.grid.Borders[i] {
				at := pair{b.Below, b.Above}
				if there[at] {
					continue
				}
				there[at] = true
				if len(open[at]) == 0 {
					order = append(order, at)
					if first(i) == b.Below && first(i-1) == b.Above {
						open[at] = append(open[at], floor(i))
					}
				}
				open[at] = append(open[at], vg.Point{X: x(d.grid.N[i]), Y: y(b.K)})
			}
		}
		for _, at := range order {
			if there[at] || len(open[at]) == 0 {
				continue
			}
			if first(i-1) == at.below && first(i) == at.above {
				open[at] = append(open[at], floor(i))
			}
			stroke(open[at])
			open[at] = nil
		}
	}
	for i := range len(d.grid.Cells) - 1 {
		from := -1
		for j := range len(d.grid.Cells[i]) + 1 {
			if d.upright(i, j) {
				if from < 0 {
					from = j
				}
				continue
			}
			if from >= 0 {
				end := min(rows[j], columns[i+1])
				stroke([]vg.Point{{X: x(columns[i+1]), Y: y(rows[from])}, {X: x(columns[i+1]), Y: y(end)}})
			}
			from = -1
		}
	}
}

// upright tells whether the cheapest arm changes from a cell to the one right of it,
// and no border between the same two leads there.
func (d decision) upright(i, j int) bool {
	if j >= len(d.grid.Cells[i]) {
		return false
	}
	a, b := d.grid.Cells[i][j].Best, d.grid.Cells[i+1][j].Best
	none := cost.ID{}
	if a == b || a == none || b == none {
		return false
	}
	for _, x := range append(slices.Clone(d.grid.Borders[i]), d.grid.Borders[i+1]...) {
		if x.Below == a && x.Above == b || x.Below == b && x.Above == a {
			return false
		}
	}
	return true
}

// toEdges makes a line that goes through the middles of columns begin and end at the
// edges of the map where those of its ends are in the outermost columns.
func toEdges(line []vg.Point, left, right, column vg.Length) []vg.Point {
	if len(line) < 2 {
		return line
	}
	on := func(from, to vg.Point) vg.Point {
		return vg.Point{X: to.X + (to.X-from.X)/2, Y: to.Y + (to.Y-from.Y)/2}
	}
	first, last := line[0], line[len(line)-1]
	if first.X > left && first.X < left+column {
		line = append([]vg.Point{on(line[1], first)}, line...)
	}
	if last.X < right && last.X > right-column {
		line = append(line, on(line[len(line)-2], last))
	}
	return line
}

// diagonal is where as many keys are fetched as there are records.
func (d decision) diagonal(c draw.Canvas, x, y func(float64) vg.Length) {
	from, to := d.grid.N[0], d.grid.N[len(d.grid.N)-1]
	style := draw.LineStyle{Color: axisColor, Width: 1, Dashes: []vg.Length{4, 3}}
	c.StrokeLine2(style, x(from), y(from), x(to), y(to))
	if box, ok := d.diagonalName(x, y); ok {
		label(c, diagonalStyle, box.Min.X+4, (box.Min.Y+box.Max.Y)/2, diagonalText)
	}
}

const diagonalText = "k = n"

var diagonalStyle = write(textSize, softColor, draw.XLeft, draw.YCenter)

// diagonalName is where the diagonal's name stands: above it, beside what was
// measured. ok is false where there is no room.
func (d decision) diagonalName(x, y func(float64) vg.Length) (box vg.Rectangle, ok bool) {
	from, to := d.grid.N[0], d.grid.N[len(d.grid.N)-1]
	half := vg.Point{X: diagonalStyle.Width(diagonalText)/2 + 4, Y: textSize/2 + 3}
	for _, part := range []float64{0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8} {
		n := from * math.Pow(to/from, part)
		box = around(vg.Point{X: x(n) - half.X - 2, Y: y(n) + half.Y}, half)
		free := true
		for _, mark := range d.spotBoxes(x, y) {
			free = free && !overlap(box, mark)
		}
		if free && box.Min.X > x(from) {
			return box, true
		}
	}
	return box, false
}

// spot marks a place where cycles were measured.
func (d decision) spot(c draw.Canvas, at vg.Point, s cost.Spot) {
	l := d.find(s.Best).look
	halo := l
	halo.color, halo.hollow = panelColor, false
	halo.marker(c, at, spotRadius+2)
	l.hollow = s.Held
	l.marker(c, at, spotRadius)
	if len(s.Outside) > 0 {
		cross(c, at)
	}
}

// cross draws four strokes that lead to a mark and leave it to be seen.
func cross(c draw.Canvas, at vg.Point) {
	const from, to = spotRadius + 0.5, spotRadius + 5
	for _, style := range []draw.LineStyle{{Color: panelColor, Width: 4.5}, {Color: inkColor, Width: 2}} {
		for _, x := range []vg.Length{-1, 1} {
			for _, y := range []vg.Length{-1, 1} {
				c.StrokeLine2(style, at.X+x*from, at.Y+y*from, at.X+x*to, at.Y+y*to)
			}
		}
	}
}
