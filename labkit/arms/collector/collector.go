// Package collector dumps and loads one value under different settings of the
// garbage collector: on, off, and off but for a limit of memory. It is the trick
// of the collector, and measures what it costs beside what it gains.
//
// Goals: the same value, form and code in every arm, so that the setting alone
// differs; the settings of before in force whenever an arm is not dumping or
// loading. Not a goal: a setting for a whole program, which GOGC and GOMEMLIMIT
// give from outside.
package collector

import (
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/arms/arrays"
	"shelflab/labkit/arms/codecs"
	"shelflab/labkit/arms/values"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/records"
)

// The names of the arms.
const (
	On      = "GC on"
	Off     = "GC off"
	Limited = "GC off with a limit"
)

// onPercent is Go's default, which the arm that has the collector on sets by
// itself, so that a GOGC from outside does not make it another one.
const onPercent = 100

// Arms returns the arms of one value, dumped and loaded by the same two
// functions: with the collector on, off, and off until the program's memory
// reaches limit, in bytes, as GOMEMLIMIT sets it; and the first once more as a
// control. A limit below 1 is an error that wraps labkit.ErrPlan.
func Arms[T any](v whole.Value[T], class labkit.Durability, limit int64, dump func(path string, v T) error, load func(path string) (T, error)) ([]labkit.Arm, error) {
	if limit < 1 {
		return nil, fmt.Errorf("%w: a memory limit of %d bytes: give at least 1", labkit.ErrPlan, limit)
	}
	under := func(name, what string, percent int, limit int64) labkit.Arm {
		return labkit.Arm{Name: name, Kind: "collector", What: what, Durability: class, Measure: whole.Turn(v,
			whole.Durable(class, func(path string, v T) error {
				return labkit.WithGC(percent, limit, func() error { return dump(path, v) })
			}),
			func(path string) (back T, err error) {
				err = labkit.WithGC(percent, limit, func() (err error) {
					back, err = load(path)
					return err
				})
				return back, err
			})}
	}
	on := under(On, "Go's default: collect when the heap has doubled", onPercent, 0)
	return []labkit.Arm{
		on,
		under(Off, "no collection while dumping and loading", labkit.GCOff, 0),
		under(Limited, fmt.Sprintf("no collection until memory reaches %d MiB", limit>>20), labkit.GCOff, limit),
		labkit.AsControl(on),
	}, nil
}

// Array returns the arms of a flat array of so many rows, one gob of all its
// values: a few large objects without pointers. Seed and durability are the
// plan's.
func Array(plan labkit.Plan, rows int, content string, limit int64) ([]labkit.Arm, error) {
	v, err := values.Array(plan.Seed, rows, content)
	if err != nil {
		return nil, err
	}
	form := arrays.GobSlice()
	return Arms(v, plan.Durability, limit, form.Dump, form.Load)
}

// Objects returns the arms of a tree of n small objects with pointers, as one
// gob. Seed and durability are the plan's.
func Objects(plan labkit.Plan, n int, limit int64) ([]labkit.Arm, error) {
	v, err := values.Tree(plan.Seed, n)
	if err != nil {
		return nil, err
	}
	engine := codecs.Gob()
	return Arms(v, plan.Durability, limit,
		func(path string, v records.Node) error { return codecs.Save(engine, path, &v) },
		func(path string) (records.Node, error) { return codecs.Load[records.Node](engine, path) })
}

// Comparisons sets the collector switched off, with and without a limit, against
// the collector on: the time that it gains and the memory that it costs.
func Comparisons() []labkit.Comparison {
	metrics := []string{labkit.Dump.Name, labkit.Load.Name, labkit.PeakMemory.Of(labkit.Dump).Name, labkit.PeakMemory.Of(labkit.Load).Name}
	return []labkit.Comparison{
		{Role: labkit.Headline, Label: "the collector off", A: Off, B: On, Metrics: metrics},
		{Role: labkit.Headline, Label: "off with a limit", A: Limited, B: On, Metrics: metrics},
		{Role: labkit.Part, Label: "the limit", A: Limited, B: Off, Metrics: metrics},
		labkit.ControlOf(On, labkit.Dump.Name, labkit.Load.Name),
	}
}
