package evidence

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/cost"
)

// HeldOut is what the plan of a part is given by Plan.With, with any value, to keep
// all that it measures out of the fits: it is what they are checked against.
const HeldOut = "held out"

// operations are what the metrics measure, for the model.
var operations = map[string]cost.Operation{
	labkit.Write.Name:      cost.Write,
	labkit.Read.Name:       cost.Load,
	labkit.Open.Name:       cost.Open,
	labkit.GetsOpen.Name:   cost.Get,
	labkit.UpdateOpen.Name: cost.Update,
	labkit.Update.Name:     cost.Change,
	labkit.Disk.Name:       cost.Disk,
}

// Model is what the arms of a run and its parts cost, by formulas that are fitted
// to their samples, anew each time, as everything that follows from samples.
type Model struct {
	*cost.Model
	Plan labkit.Plan // of the run
	// Record and Class are what sentences and maps are about; another of Records,
	// or another class, may be put there.
	Record  float64           // payload of one record in bytes, at the run's largest n
	Class   labkit.Durability // that most arms of the run write with
	Records []float64         // the payloads of one record that were measured, ascending, those alike once
	Sizes   []int             // of the run, as measured, ascending
	Rounds  int               // that each size was measured in
	Kinds   []labkit.Arm      // the arms of the run and its parts by name, each once, for what they are
}

// ModelOf fits the model to a run and its parts, as Parts gives them:
//
//   - write, read, open, gets open, update open, update and disk are fitted, each
//     at all sizes that were measured of it in all rounds, n and bytes both; of a
//     size that is there more than once the run's counts, then that of the first
//     part by name;
//   - cycles are set beside what the operations add up to, which says how far that is
//     off;
//   - what a part measures that was given HeldOut checks the rest, where nothing else
//     was measured of the same at the same size.
//
// Controls, parts that do not count records or were measured under a limit on memory, and series that do not tell the bytes
// of their records, as before schema 4, are left out. A nil run, or one without
// anything to fit, is ErrNone.
func ModelOf(run *Run, parts ...*Run) (*Model, error) {
	if run == nil || run.Largest() == 0 {
		return nil, fmt.Errorf("%w: run the sweep first", ErrNone)
	}
	m := &Model{Plan: run.Plan, Sizes: run.Measured(), Rounds: run.Plan.Rounds}
	g := gathering{at: map[cost.ID]*cost.Measured{}, seen: map[gathered]bool{}}
	for _, r := range slices.Concat([]*Run{run}, parts) {
		g.add(r)
		for _, arm := range labkit.Results(r.Arms) {
			if !slices.ContainsFunc(m.Kinds, func(a labkit.Arm) bool { return a.Name == arm.Name }) {
				m.Kinds = append(m.Kinds, arm)
			}
		}
	}
	if m.Record = recordOf(run); m.Record == 0 {
		return nil, fmt.Errorf("%w that a model could be fitted to: no series of the run tells the bytes of its records", ErrNone)
	}
	m.Records = []float64{m.Record}
	for _, part := range parts {
		like := func(x float64) bool { return Alike(x, recordOf(part)) }
		if x := recordOf(part); x > 0 && part.Plan.Counts == "" && part.Plan.DataLimit == 0 && !slices.ContainsFunc(m.Records, like) {
			m.Records = append(m.Records, x)
		}
	}
	slices.Sort(m.Records)
	classes := map[labkit.Durability]int{}
	for _, arm := range labkit.Results(run.Arms) {
		classes[arm.Durability]++
		if classes[arm.Durability] > classes[m.Class] {
			m.Class = arm.Durability
		}
	}
	var list []cost.Measured
	for _, id := range g.order {
		list = append(list, unseen(*g.at[id]))
	}
	var err error
	if m.Model, err = cost.New(list); err != nil {
		return nil, err
	}
	return m, nil
}

// recordOf is the payload of one record at the largest n of a run, 0 if no series
// tells it.
func recordOf(run *Run) (bytes float64) {
	for _, s := range run.Series {
		if s.N == run.Largest() && s.Payload > 0 {
			bytes = float64(s.Payload) / float64(s.N)
		}
	}
	return bytes
}

// Alike tells whether two sizes of records are the same but for what the digits of
// their keys make of them.
func Alike(a, b float64) bool {
	const nearly = 1.1
	return a <= nearly*b && b <= nearly*a
}

// gathered is one series of the model.
type gathered struct {
	id     cost.ID
	metric string
	size   cost.Size
	keys   int
	held   bool
}

// gathering sorts samples by what the model takes them for.
type gathering struct {
	at    map[cost.ID]*cost.Measured
	order []cost.ID
	seen  map[gathered]bool
}

func (g *gathering) add(r *Run) {
	if r.Plan.Counts != "" || r.Plan.DataLimit > 0 {
		return
	}
	_, held := r.Plan.Given[HeldOut]
	ids := map[string]cost.ID{}
	for _, arm := range labkit.Results(r.Arms) {
		ids[arm.Name] = cost.ID{Name: arm.Name, Class: arm.Durability}
	}
	for _, s := range r.Series {
		id, known := ids[s.Arm]
		of, fitted := operations[s.Metric]
		cycle := s.Metric == labkit.Cycle.Name
		if !known || !fitted && !cycle || s.Payload < 1 || len(s.Samples) < r.Plan.Rounds {
			continue
		}
		if g.at[id] == nil {
			g.at[id] = &cost.Measured{ID: id, Points: map[cost.Operation][]cost.Point{}, HeldPoints: map[cost.Operation][]cost.Point{}}
			g.order = append(g.order, id)
		}
		m, p := g.at[id], cost.Point{Size: cost.Size{N: s.N, Bytes: float64(s.Payload)}, Rounds: each(s)}
		what := gathered{id, s.Metric, p.Size, -1, held}
		if cycle {
			what.keys = s.Work
		}
		if g.seen[what] {
			continue
		}
		g.seen[what] = true
		switch {
		case cycle && held:
			m.HeldCycles = append(m.HeldCycles, cost.Cycle{Point: p, K: s.Work})
		case cycle:
			m.Cycles = append(m.Cycles, cost.Cycle{Point: p, K: s.Work})
		case held:
			m.HeldPoints[of] = append(m.HeldPoints[of], p)
		default:
			m.Points[of] = append(m.Points[of], p)
		}
	}
}

// unseen leaves out what was held out at a size that the fit has seen all the same,
// by another part, such as the bytes on disk after cycles of other numbers of keys:
// that checks nothing.
func unseen(m cost.Measured) cost.Measured {
	for of, held := range m.HeldPoints {
		m.HeldPoints[of] = slices.DeleteFunc(held, func(p cost.Point) bool {
			return slices.ContainsFunc(m.Points[of], func(q cost.Point) bool { return q.Size == p.Size })
		})
	}
	m.HeldCycles = slices.DeleteFunc(m.HeldCycles, func(c cost.Cycle) bool {
		return slices.ContainsFunc(m.Cycles, func(q cost.Cycle) bool { return q.Size == c.Size && q.K == c.K })
	})
	return m
}

// each are the samples of one operation: of one get or update where a sample is of
// several.
func each(s labkit.Series) []float64 {
	by := 1.0
	if of := operations[s.Metric]; of == cost.Get || of == cost.Update || of == cost.Change {
		by = max(1, float64(s.Work))
	}
	list := slices.Clone(s.Samples)
	for i := range list {
		list[i] /= by
	}
	return list
}

// keysText is a number of keys between two whole ones, as text.
func keysText(k float64) string {
	if k < 10 {
		return strings.TrimSuffix(strings.TrimSuffix(strconv.FormatFloat(k, 'f', 1, 64), "0"), ".")
	}
	// Two numbers that differ by less than the model knows are one.
	const digits = 3
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(k, 'e', digits-1, 64), 64)
	return Count(int(math.Round(rounded)))
}
