package show

import (
	"math"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Figure is a published number that is set beside one of ours.
type Figure struct {
	N      int     // of whatever the plan counts
	Arm    string  // our arm that it is set beside
	Metric string  // our metric, by its name
	Value  float64 // as published, in the metric's unit: seconds, bytes, records a second
	Source string  // who has published it, of what: "the report, on a 400 MHz G4"
}

// Beside returns published figures beside ours: a row for each, with our p50 and
// its interval, the figure as it was published, and how many times as much it is
// as ours. What we have not measured, or what is no positive number, has a dash.
func Beside(run *evidence.Run, title string, figures []Figure) Table {
	t := Table{Title: title, Head: []string{"metric", "arm", "n", "measured here\np50", "as published", "published over measured\ntimes"}}
	if len(figures) == 0 {
		t.Notes = []string{"There are no published figures to set beside ours."}
		return t
	}
	if run == nil {
		run = &evidence.Run{}
	}
	lacking := false
	for _, f := range figures {
		m, known := run.Metric(f.Metric)
		value, published, over := none, none, none
		if known && f.good() {
			published = evidence.Quantity(rounded(f.Value), m.Unit)
		}
		s, ok := run.Summary(f.Arm, f.N, f.Metric)
		if ok && known {
			value = ours(s.Summary, m)
		} else {
			lacking = true
		}
		if ok && published != none && s.P50 > 0 {
			over = evidence.Factor(rounded(f.Value) / s.P50)
		}
		t.Rows = append(t.Rows, []string{f.Metric, f.Arm, evidence.Count(f.N), value, lines(published, f.Source), over})
	}
	t.Notes = []string{"As published: on another machine, in another language or of another time, and not measured here. The last column sets two machines side by side as much as two programs; it has no interval, since the published figures have none."}
	if lacking {
		t.Notes = append(t.Notes, none+" Not measured in this run.")
	}
	return t
}

// good tells whether a figure can be set beside a measurement.
func (f Figure) good() bool { return f.Value > 1e-30 && f.Value < 1e30 }

// rounded is a number as Quantity writes it, so that what a table says of it
// follows from what it shows.
func rounded(x float64) float64 {
	unit := math.Pow10(2 - int(math.Floor(math.Log10(x))))
	return math.Round(x*unit) / unit
}

// ours is a p50 with its interval and, unlike value, its unit.
func ours(s labkit.Summary, m labkit.Metric) string {
	number := func(v float64) string { return evidence.Quantity(v, m.Unit) }
	if !s.HasInterval() {
		return number(s.P50)
	}
	return lines(number(s.P50), interval(number(s.P50), number(s.Lo), number(s.Hi)))
}
