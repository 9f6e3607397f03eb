package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"shelflab/labkit"
	"shelflab/labkit/cost"
	"shelflab/labkit/evidence"
)

const (
	mapHeight  vg.Length = 430
	mapColumn  vg.Length = 224
	mapLine    vg.Length = 20 // between two entries beside the map
	spotRadius vg.Length = 4.5
)

// region is what one arm wins on a map.
type region struct {
	id   cost.ID
	look look
	fill color.Color
	sure bool // somewhere
}

// decision is a map in the making.
type decision struct {
	*evidence.Model
	grid    *cost.Map
	regions []region
	spots   []cost.Spot
}

// Map draws which arm's cycle is the cheapest, over n by the keys that are fetched
// after each write, both axes logarithmic, for records of m.Record bytes and arms
// that write for m.Class. A cell has the colour of the arm that is the cheapest by
// the p50s; it is hatched, and paler, where another arm may be it instead. Lines
// are where the cheapest arm changes. Cycles that were measured with records of
// about that size are marked by the arm that was the cheapest: filled where they
// were used to state the error, open where they were held out, and crossed where an
// arm lies outside of what is said of it. A nil model is evidence.ErrNone; a size
// of records that there cannot be, or a class without arms, is the model's error.
func Map(m *evidence.Model) (Chart, error) { return finish(mapPage(m)) }

// Maps lists the maps of a model: for each size of records that was measured, and for
// each class that arms write for. A nil model has none.
func Maps(m *evidence.Model) []Sketch {
	if m == nil {
		return nil
	}
	var list []Sketch
	for _, record := range m.Records {
		for _, class := range []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss} {
			other := *m
			other.Record, other.Class = record, class
			if p, err := mapPage(&other); err == nil { // otherwise no arm writes for it
				p = p.ready()
				list = append(list, Sketch{p.name, p.title, p.alt, p})
			}
		}
	}
	return list
}

func mapPage(m *evidence.Model) (page, error) {
	if m == nil {
		return page{}, fmt.Errorf("%w: there is no model to draw", evidence.ErrNone)
	}
	grid, err := m.Grid()
	if err != nil {
		return page{}, err
	}
	d := decision{Model: m, grid: grid}
	d.regions = d.regionsOf()
	elsewhere := 0
	for _, s := range m.Spots(m.Class) {
		if !evidence.Alike(s.Each(), m.Record) {
			elsewhere++
			continue
		}
		d.spots = append(d.spots, s)
	}
	return page{
		name:  d.name(),
		title: fmt.Sprintf("The cheapest cycle over n and keys fetched: records of %s, %s, p50 of %s", evidence.Quantity(m.Record, "B"), m.Class, rounds(m.Plan)),
		notes: d.notes(elsewhere),
		alt:   d.alt(),
		body:  max(mapHeight, mapLine*vg.Length(len(d.regions)+10)),
		draw:  d.draw,
	}, nil
}

// name is that of the chart's file.
func (d decision) name() string {
	name := fmt.Sprintf("map_%.0f_bytes", d.Record)
	if d.Class != labkit.ProcessCrash {
		name += "_" + d.Class.String()
	}
	return name
}

func (d decision) notes(elsewhere int) string {
	r, _ := d.Measured(d.Class)
	texts := []string{"A cycle writes all records and then fetches k keys from fresh; a model fitted to what was measured says what it costs."}
	if d.Rounds < leastRounds {
		texts = append(texts, fmt.Sprintf("After %s nothing can be told: it takes 5.", rounds(d.Plan)))
	}
	if !evidence.Alike(d.Record, min(max(d.Record, r.MinEach), r.MaxEach)) {
		texts = append(texts, fmt.Sprintf("Records of %s lie outside of the %.0f to %.0f bytes that were measured: nothing is drawn.", evidence.Quantity(d.Record, "B"), r.MinEach, r.MaxEach))
	}
	held, wrong := 0, 0
	for _, s := range d.spots {
		if s.Held {
			held++
			if len(s.Outside) > 0 {
				wrong++
			}
		}
	}
	switch {
	case held == 0:
		texts = append(texts, "No cycle was held out, so nothing checks the map.")
	case wrong > 0:
		texts = append(texts, fmt.Sprintf("At %d of %d held-out places an arm lies outside of what is said of it.", wrong, held))
	default:
		texts = append(texts, fmt.Sprintf("Held-out places: %d, and every arm lies within what is said of it.", held))
	}
	if bad := d.Bad(true); len(bad) > 0 {
		texts = append(texts, fmt.Sprintf("A bad fit, off by more than a factor of %d: %s.", evidence.TooFar, strings.Join(bad, ", ")))
	}
	if elsewhere > 0 {
		texts = append(texts, fmt.Sprintf("Not marked: %d places with records of other sizes.", elsewhere))
	}
	return join(texts...)
}

// leastRounds give an interval.
const leastRounds = 5

// regionsOf lists the arms that are the cheapest somewhere, and those that are
// marked, the largest region first.
func (d decision) regionsOf() []region {
	look := looks(d.Kinds)
	cells, sure := map[cost.ID]int{}, map[cost.ID]bool{}
	for _, column := range d.grid.Cells {
		for _, p := range column {
			if p.Best != (cost.ID{}) {
				cells[p.Best]++
				sure[p.Best] = sure[p.Best] || p.Sure()
			}
		}
	}
	var list []region
	for _, a := range d.Arms {
		if cells[a.ID] > 0 {
			list = append(list, region{id: a.ID, look: look[a.Name], sure: sure[a.ID]})
		}
	}
	slices.SortStableFunc(list, func(a, b region) int { return cells[b.id] - cells[a.id] })
	for i := range list {
		list[i].fill = shade(list[i].look.color, greys[i%len(greys)])
	}
	return list
}

// greys are how light the regions are, so that two beside each other differ in
// grey print, too.
var greys = []float64{0.82, 0.66, 0.91, 0.74, 0.56}

// shade is a colour made as light as a grey, 0 black to 1 white: mixed with white,
// or with black.
func shade(c color.Color, grey float64) color.Color {
	r, g, b, _ := c.RGBA()
	rgb := [3]float64{float64(r) / 0xffff, float64(g) / 0xffff, float64(b) / 0xffff}
	light := func(x [3]float64) float64 { return 0.299*x[0] + 0.587*x[1] + 0.114*x[2] }
	is := light(rgb)
	for i := range rgb {
		if is < grey {
			rgb[i] += (1 - rgb[i]) * (grey - is) / (1 - is)
		} else {
			rgb[i] *= grey / is
		}
	}
	channel := func(x float64) uint8 { return uint8(math.Round(255 * max(0, min(1, x)))) }
	return color.RGBA{channel(rgb[0]), channel(rgb[1]), channel(rgb[2]), 0xFF}
}

func (d decision) find(id cost.ID) region {
	for _, r := range d.regions {
		if r.id == id {
			return r
		}
	}
	return region{id: id, look: looks(d.Kinds)[id.Name], fill: panelTint}
}

func (d decision) alt() string {
	lines := d.Lines()
	if len(lines) == 0 {
		lines = []string{"No cycle was measured, so nothing stands on it but what the model says."}
	}
	return join(append([]string{fmt.Sprintf("Map on log axes of n by keys fetched, records of %s, %s.", evidence.Quantity(d.Record, "B"), d.Class)}, lines...)...)
}

func (d decision) draw(c draw.Canvas) {
	c.Max.Y -= headRoom
	small := write(textSize, softColor, draw.XLeft, draw.YTop)
	c.FillText(small, vg.Point{X: c.Min.X, Y: c.Max.Y}, "k, keys fetched after each write, log scale")

	p := newPlot()
	p.X.Label.Text = "n, records in the store, log scale"
	r, _ := d.Measured(d.Class)
	p.X.Scale, p.Y.Scale = logScale{}, logScale{}
	p.X.Min, p.X.Max = float64(r.MinN), float64(r.MaxN)
	p.Y.Min, p.Y.Max = 1, float64(r.MaxN)
	for _, s := range d.spots { // more keys than records
		p.Y.Max = max(p.Y.Max, float64(s.K))
		p.X.Min, p.X.Max = min(p.X.Min, float64(s.N)), max(p.X.Max, float64(s.N))
	}
	air := math.Pow(p.X.Max/p.X.Min, 0.02)
	p.X.Min, p.X.Max = p.X.Min/air, p.X.Max*air
	air = math.Pow(p.Y.Max/p.Y.Min, 0.03)
	p.Y.Min, p.Y.Max = p.Y.Min/air, p.Y.Max*air
	p.X.Tick.Marker = plot.ConstantTicks(countTicks(p.X.Min, p.X.Max))
	p.Y.Tick.Marker = plot.ConstantTicks(countTicks(p.Y.Min, p.Y.Max))
	p.Add(d)
	d.legend(draw.Crop(c, c.Max.X-c.Min.X-mapColumn, 0, 0, -(textSize + 12)))
	p.Draw(draw.Crop(c, 0, -(mapColumn + 18), 0, -(textSize + 12)))
}

// countTicks mark the powers of ten by their numbers, and between them.
func countTicks(from, to float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(from)); e <= math.Log10(to); e++ {
		for i := 1.0; i < 10; i++ {
			x := i * math.Pow(10, e)
			if x < from || x > to {
				continue
			}
			t := plot.Tick{Value: x}
			if i == 1 || to/from < 30 && (i == 2 || i == 5) {
				t.Label = evidence.Count(int(math.Round(x)))
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}
