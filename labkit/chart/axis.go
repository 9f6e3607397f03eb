package chart

import (
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"shelflab/labkit/evidence"
)

// logScale is gonum's LogScale for evidence: what is at or below the axis, a
// zero above all, stands on its floor instead of ending the program.
type logScale struct{}

// Normalize returns where x lies between min and max, 0 to 1.
func (logScale) Normalize(min, max, x float64) float64 {
	if x <= min {
		return 0
	}
	return math.Log(x/min) / math.Log(max/min)
}

// logAxis is the range of a log axis and its ticks.
type logAxis struct {
	min, max float64
	zero     bool // min is a floor for zeros, not a value
	ticks    []plot.Tick
}

// newLogAxis fits a log axis to values of a unit. It spans a decade at least,
// so that noise does not fill the picture. A zero gets the floor, a step below
// the smallest value that is none, marked "0".
func newLogAxis(values []float64, unit string) logAxis {
	a := logAxis{}
	lo, hi := math.Inf(1), 0.0
	for _, v := range values {
		if v <= 0 {
			a.zero = true
			continue
		}
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	if hi == 0 { // nothing but zeros
		lo, hi = 1, 1
	}
	const tiny = 1e-100 // below it, quotients overflow
	lo, hi = math.Max(lo, tiny), math.Min(hi, 1/tiny)
	air := math.Max(1.25, math.Pow(hi/lo, 0.04)) // so that no marker stands on the frame
	a.min, a.max = lo/air, hi*air
	if span := a.max / a.min; span < 10 {
		grow := math.Sqrt(10 / span)
		a.min, a.max = a.min/grow, a.max*grow
	}
	if a.zero {
		a.min /= math.Max(3, math.Pow(hi/lo, 0.1))
	}
	a.ticks = logTicks(a.min, a.max, unit)
	if a.zero {
		near := a.min * math.Pow(a.max/a.min, 0.08)
		for i, t := range a.ticks {
			if t.Value < near { // too near to the floor's own label
				a.ticks[i].Label = ""
			}
		}
		a.ticks = append(a.ticks, plot.Tick{Value: a.min, Label: "0"})
	}
	return a
}

// fromRound lets the axis begin at a power of ten, where it has no floor for
// zeros: bars then begin at a number that stands on the axis.
func (a logAxis) fromRound(unit string) logAxis {
	round := math.Pow10(int(math.Floor(math.Log10(a.min))))
	if !a.zero && round < a.min {
		a.min = round
		a.ticks = logTicks(a.min, a.max, unit)
	}
	return a
}

// set gives the axis its range, ticks and scale.
func (a logAxis) set(axis *plot.Axis) {
	axis.Scale, axis.Min, axis.Max, axis.Tick.Marker = logScale{}, a.min, a.max, plot.ConstantTicks(a.ticks)
}

// logTicks returns ticks at the powers of ten between min and max, and between
// them where there are few; all within the range.
func logTicks(min, max float64, unit string) []plot.Tick {
	decades := math.Log10(max / min)
	every := int(math.Ceil(decades / 8)) // labels nearer than an eighth of the axis are a crowd
	first, last := int(math.Floor(math.Log10(min))), int(math.Floor(math.Log10(max)))
	var ticks []plot.Tick
	for e := first; e <= last; e++ {
		for d := 1.0; d < 10; d++ {
			v := d * math.Pow10(e)
			if v < min || v > max {
				continue
			}
			t := plot.Tick{Value: v}
			few := decades < 1.6 && (d == 2 || d == 5) || decades < 2.6 && d == 3
			if d == 1 && (e-first)%every == 0 || few && every == 1 {
				t.Label = tickText(v, unit)
			}
			if every == 1 || d == 1 {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// linearTicks returns about five round ticks from 0 to max.
func linearTicks(max float64, unit string) []plot.Tick {
	step := math.Pow10(int(math.Floor(math.Log10(max / 4))))
	for _, f := range []float64{5, 2.5, 2} {
		if max/(step*f) >= 4 {
			step *= f
			break
		}
	}
	var ticks []plot.Tick
	for i := 0; float64(i)*step <= max; i++ {
		ticks = append(ticks, plot.Tick{Value: float64(i) * step, Label: tickText(float64(i)*step, unit)})
	}
	return ticks
}

// tickText writes a round number as evidence.Quantity does, without the digits
// that a round number does not need. The unit of a rate stands beside the axis.
func tickText(v float64, unit string) string {
	if v == 0 {
		return "0"
	}
	number, rest, _ := strings.Cut(evidence.Quantity(v, shortUnit(unit)), " ")
	if strings.Contains(number, ".") {
		number = strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
	}
	rest = strings.TrimSpace(strings.TrimSuffix(rest, "rec/s"))
	return strings.TrimSpace(number + " " + rest)
}

// styleAxis gives an axis of the plot this package's look.
func styleAxis(axis *plot.Axis) {
	axis.Color, axis.Width = axisColor, 1
	axis.Tick.Color, axis.Tick.Width, axis.Tick.Length = axisColor, 1, 5
	axis.Padding = 0
	align := func(s text.Style) text.Style {
		return write(textSize, inkColor, s.XAlign, s.YAlign)
	}
	axis.Tick.Label = align(axis.Tick.Label)
	axis.Label.TextStyle = align(axis.Label.TextStyle)
	axis.Label.TextStyle.Color = softColor
	axis.Label.Padding = 6
}

// newPlot returns an empty plot in this package's look, without a title: the
// page has one.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // the grid lies below
	styleAxis(&p.X)
	styleAxis(&p.Y)
	return p
}

// spread moves positions apart, to gap from each other and between low and
// high, by as little as it takes. ys is ascending. Where there is no room for
// all, those at the top go beyond high: nothing is drawn over anything else.
func spread(ys []vg.Length, gap, low, high vg.Length) []vg.Length {
	// Less i gaps, positions need only be ascending: the nearest such list has
	// runs of equal values, each the mean of what it pools.
	type pool struct {
		sum   vg.Length
		count int
	}
	var pools []pool
	mean := func(p pool) vg.Length { return p.sum / vg.Length(p.count) }
	for i, y := range ys {
		p := pool{y - vg.Length(i)*gap, 1}
		for len(pools) > 0 && mean(pools[len(pools)-1]) >= mean(p) {
			last := pools[len(pools)-1]
			p = pool{p.sum + last.sum, p.count + last.count}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	top := high - vg.Length(max(0, len(ys)-1))*gap
	out := make([]vg.Length, 0, len(ys))
	for _, p := range pools {
		for range p.count {
			out = append(out, max(low, min(top, mean(p)))+vg.Length(len(out))*gap)
		}
	}
	return out
}

// rule draws a thin line.
func rule(c draw.Canvas, x1, y1, x2, y2 vg.Length) {
	c.StrokeLine2(draw.LineStyle{Color: gridColor, Width: 1}, x1, y1, x2, y2)
}
