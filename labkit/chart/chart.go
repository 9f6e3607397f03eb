package chart

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Chart is one finished drawing.
type Chart struct {
	Name  string // file name without ending, e.g. "write_scale"
	Title string // what is drawn, with n, the rounds and "p50"
	Alt   string // alternative text, computed from the data: what the chart shows, in numbers
	SVG   []byte // an <svg> element that can stand in HTML or in a file of its own
	PNG   []byte // the same at two pixels a point
}

// Save writes the SVG to dir/charts/NAME.svg, creating the folders. It is
// written to a temporary file and renamed: a crash leaves the old chart or the
// new one.
func (c Chart) Save(dir string) error {
	if c.Name == "" || c.Name != labkit.Slug(c.Name) {
		return fmt.Errorf("chart: %q is not a file name", c.Name)
	}
	dir = filepath.Join(dir, evidence.ChartsName)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, c.Name+".svg"), c.SVG, 0o644)
}

// All draws the charts that a run is known by, as far as it has samples: topology,
// write and read, or dump and load, over n, random access, disk. A run without any sample is an error that wraps
// evidence.ErrNone.
func All(run *evidence.Run) ([]Chart, error) {
	if err := check(run); err != nil {
		return nil, err
	}
	topology, err := Topology(run.Plan, run.Arms)
	if err != nil {
		return nil, err
	}
	charts := []Chart{topology}
	for _, m := range []labkit.Metric{labkit.Write, labkit.Read, labkit.Dump, labkit.Load} {
		if !has(run, m) {
			continue
		}
		c, err := Scale(run, m)
		if err != nil {
			return nil, err
		}
		charts = append(charts, c)
	}
	n := run.Largest()
	if hasAt(run, n, labkit.Gets) || hasAt(run, n, labkit.GetsOpen) {
		c, err := Random(run)
		if err != nil {
			return nil, err
		}
		charts = append(charts, c)
	}
	if hasAt(run, n, labkit.Disk) {
		c, err := Disk(run)
		if err != nil {
			return nil, err
		}
		charts = append(charts, c)
	}
	return charts, nil
}
