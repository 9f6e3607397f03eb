package chart

import (
	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Sketch is a chart that has not been drawn, which is what takes time: what it
// would be called, and say.
type Sketch struct {
	Name, Title, Alt string
	page             page
}

// Draw draws it, as SVG only: who draws many, compares them.
func (s Sketch) Draw() (Chart, error) {
	svg, err := s.page.svg()
	return Chart{Name: s.Name, Title: s.Title, Alt: s.Alt, SVG: svg}, err
}

// Every lists every chart that can be drawn of a run, but for its topology: each
// metric over n, what a record costs over n, the bars of each metric and of each two of one unit at each n,
// random access and disk. A run without samples has none.
func Every(run *evidence.Run) []Sketch {
	if check(run) != nil {
		return nil
	}
	var list []Sketch
	add := func(p page, err error) {
		if err == nil { // otherwise there are no samples of it
			p = p.ready()
			list = append(list, Sketch{p.name, p.title, p.alt, p})
		}
	}
	for _, m := range run.Metrics {
		add(scalePage(run, m))
		add(perRecordPage(run, m))
	}
	for _, n := range run.Measured() {
		var there []labkit.Metric
		for _, m := range run.Metrics {
			if hasAt(run, n, m) {
				there = append(there, m)
			}
		}
		for _, m := range there {
			add(barsPage(run, n, []labkit.Metric{m}))
			for _, other := range there {
				if other.Unit == m.Unit && other != m {
					add(barsPage(run, n, []labkit.Metric{m, other}))
				}
			}
		}
	}
	add(randomPage(run))
	add(diskPage(run))
	return list
}
