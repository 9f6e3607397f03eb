package show

import (
	"errors"
	"fmt"
	"slices"

	"shelflab/labkit"
	"shelflab/labkit/cost"
	"shelflab/labkit/evidence"
)

// Model fits the cost model to what lies in the plan's folder and in those of its
// parts: see evidence.ModelOf. As with Load, the cell ends where nothing was
// measured yet, or by other parameters.
func Model(plan labkit.Plan) *evidence.Model {
	run := Load(plan)
	m, err := evidence.ModelOf(run, parts(run)...)
	switch {
	case errors.Is(err, evidence.ErrNone):
		fail("No model yet", err)
	case err != nil:
		fail("The model cannot be fitted", err)
	}
	return m
}

// modelOf is the model of a run and its parts, nil where there is nothing to fit, or
// no cycle was measured.
func modelOf(run *evidence.Run, parts []*evidence.Run) *evidence.Model {
	cycle := func(s labkit.Series) bool { return s.Metric == labkit.Cycle.Name }
	if !slices.ContainsFunc(parts, func(part *evidence.Run) bool { return slices.ContainsFunc(part.Series, cycle) }) {
		return nil
	}
	m, err := evidence.ModelOf(run, parts...)
	if err != nil {
		return nil
	}
	return m
}

// Formulas returns what each operation costs each arm: a row for each, the three
// coefficients of the medians with the intervals that the rounds give them, by what
// factor the formula is off where it was fitted, and at which sizes that was. A nil
// model gives a table that says so.
func Formulas(m *evidence.Model) Table {
	t := Table{Title: "What an operation costs: fixed + per record × n + per byte × bytes"}
	if m == nil {
		t.Notes = []string{"There is no model yet: run the sweep first."}
		return t
	}
	t.Head = []string{"arm", "operation", "fixed", "per record", "per byte", "off by up to\nfactor", "fitted to"}
	untold := map[cost.Untold]bool{}
	exact := false
	for _, a := range m.Arms {
		for _, of := range cost.Operations() {
			f, ok := a.Fits[of]
			if !ok {
				continue
			}
			unit := "s"
			if of == cost.Disk {
				unit = "B"
			}
			row := []string{a.ID.String(), string(of)}
			for i, get := range []func(cost.Formula) float64{
				func(f cost.Formula) float64 { return f.Fixed },
				func(f cost.Formula) float64 { return f.PerRecord },
				func(f cost.Formula) float64 { return f.PerByte },
			} {
				if i == 1 && f.Untold == cost.NoRecord || i == 2 && f.Untold == cost.NoByte {
					untold[f.Untold] = true
					row = append(row, none)
					continue
				}
				row = append(row, coefficient(f, get, unit))
			}
			off := evidence.Factor(f.Misfit)
			switch {
			case f.Spare == 0:
				off, exact = none, true
			case f.Misfit > evidence.TooFar:
				off += "\na bad fit"
			}
			t.Rows = append(t.Rows, append(row, off, fittedTo(f)))
		}
	}
	t.Notes = append(t.Notes, "Operations: write, all records from no store to a closed one; load, all read; open, opened and closed; get, one random key of an open store; update, one record changed and kept in an open store, or in memory and saved; change, the same with open and close inside; disk, the bytes on disk. No coefficient is below 0.")
	if m.Rounds >= 5 {
		t.Notes = append(t.Notes, fmt.Sprintf("Below each coefficient: what the rounds give it, each fitted by itself, at the %s level.", evidence.Percent(levelOf(m.Rounds))))
	} else {
		t.Notes = append(t.Notes, fmt.Sprintf("No intervals: %s, and an interval needs 5.", rounds(m.Rounds)))
	}
	if untold[cost.NoByte] {
		t.Notes = append(t.Notes, none+" per byte: the records were of one size, so what a byte costs is in what a record costs.")
	}
	if untold[cost.NoRecord] {
		t.Notes = append(t.Notes, none+" per record: n was always the same, so what a record costs is in the fixed part.")
	}
	if exact {
		t.Notes = append(t.Notes, none+" off by: there were as many coefficients as sizes, so the formula goes through all of them and its error is not known.")
	}
	for _, a := range m.Arms {
		for _, of := range cost.Operations() {
			if err := a.Without[of]; err != nil {
				t.Notes = append(t.Notes, fmt.Sprintf("Not fitted, %s of %s: %v.", of, a.ID, err))
			}
		}
	}
	return t
}

// levelOf is the level that the interval of so many rounds reaches.
func levelOf(rounds int) float64 {
	s, err := labkit.Summarize(make([]float64, rounds))
	if err != nil {
		return 0
	}
	return s.Level
}

// coefficient is one of a formula, with its interval below.
func coefficient(f cost.Fit, of func(cost.Formula) float64, unit string) string {
	var each []float64
	for _, round := range f.Rounds {
		each = append(each, of(round))
	}
	number := func(x float64) string { return evidence.Quantity(x, unit) }
	p50 := number(of(f.Formula))
	s, err := labkit.Summarize(each)
	if err != nil || !s.HasInterval() {
		return p50
	}
	return lines(p50, interval(p50, number(s.Lo), number(s.Hi)))
}

// fittedTo says what sizes a formula was fitted to.
func fittedTo(f cost.Fit) string {
	r := f.Range
	whole := func(x float64) string { return evidence.Count(int(x + 0.5)) }
	each := whole(r.MinEach)
	if !evidence.Alike(r.MinEach, r.MaxEach) {
		each += " to " + whole(r.MaxEach)
	}
	return lines(evidence.Count(f.Points)+" sizes", fmt.Sprintf("n = %s to %s of %s B", evidence.Count(r.MinN), evidence.Count(r.MaxN), each))
}

// HeldOut returns what was held out beside what the model says of it: a row for
// each arm and what it did, a column for each n, and in it by what factor the model
// is off, below that the stated error, and whether the point lies within it. A nil
// model, or one that nothing checks, gives a table that says so.
func HeldOut(m *evidence.Model) Table {
	t := Table{Title: "What was held out: measured over said by the model"}
	if m == nil {
		t.Notes = []string{"There is no model yet: run the sweep first."}
		return t
	}
	held := slices.DeleteFunc(slices.Concat(m.Points, m.Model.Cycles), func(c cost.Check) bool { return !c.Held })
	if len(held) == 0 {
		t.Notes = []string{"Nothing was held out, so nothing checks the model."}
		return t
	}
	type column struct{ n, each int }
	at := func(c cost.Check) column { return column{c.N, int(c.Each()/10 + 0.5)} } // the lab's records vary by less
	var columns []column
	var names []string
	for _, c := range held {
		if !slices.Contains(columns, at(c)) {
			columns = append(columns, at(c))
		}
		if name := didWhat(c); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.SortFunc(columns, func(a, b column) int {
		if a.n != b.n {
			return a.n - b.n
		}
		return a.each - b.each
	})
	t.Head = []string{"arm", "what"}
	for _, c := range columns {
		t.Head = append(t.Head, fmt.Sprintf("n = %s\n%d B a record", evidence.Count(c.n), 10*c.each))
	}
	inside := 0
	for _, a := range m.Arms {
		for _, name := range names {
			row := slices.Concat([]string{a.ID.String(), name}, slices.Repeat([]string{none}, len(columns)))
			there := false
			for _, c := range held {
				if c.ID == a.ID && didWhat(c) == name {
					row[2+slices.Index(columns, at(c))], there = offBy(c), true
					if c.Inside() {
						inside++
					}
				}
			}
			if there {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	t.Notes = []string{
		fmt.Sprintf("%s of %s lie within the stated error.", evidence.Count(inside), evidence.Count(len(held))),
		"Each number is the measured p50 over what the model says; 1 is exact. Below it: between which factors it was to lie, which is what the rounds of the fit differ by, widened by how far the formulas are off where they were fitted.",
	}
	return t
}

func didWhat(c cost.Check) string {
	if c.Operation != "" {
		return string(c.Operation)
	}
	return "cycle\nk = " + evidence.Count(c.K)
}

func offBy(c cost.Check) string {
	where := "within"
	if !c.Inside() {
		where = "outside of"
	}
	said := c.Said.Cost
	return lines(evidence.Factor(c.Measured/said), fmt.Sprintf("%s %s", where, span(evidence.Factor(c.Said.Lo/said), evidence.Factor(c.Said.Hi/said))))
}

// Cheapest returns the sentences of the model, a row for each: which arm's cycle is
// the cheapest where, what the held-out points say, and how far the formulas are
// off. A nil model, or one without cycles, gives a table without rows.
func Cheapest(m *evidence.Model) Table {
	t := Table{Title: "Which store: the cost model"}
	if m == nil {
		return t
	}
	for _, line := range m.Lines() {
		t.Rows = append(t.Rows, leadAndRest(line))
	}
	return t
}
