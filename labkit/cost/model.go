package cost

import (
	"cmp"
	"fmt"
	"slices"

	"shelflab/labkit"
)

// Cycle is a measured cycle: all records written, then K keys fetched from fresh,
// as Arm.Cycle has it.
type Cycle struct {
	Point
	K int // keys fetched
}

// Measured is what was measured of one arm.
type Measured struct {
	ID
	Points map[Operation][]Point // to be fitted, each size once
	Cycles []Cycle               // to say how far what the operations add up to is off
	// Held are points and cycles that take no part in any fit, or in what is said
	// of its error: they check it.
	HeldPoints map[Operation][]Point
	HeldCycles []Cycle
}

// Model is what all arms cost.
type Model struct {
	Arms   []Arm
	Points []Check // of the operations that were held out
	Cycles []Check // of all cycles, held out or not
	pairs  map[[2]ID]paired
}

// Check sets what was measured beside what is said of it.
type Check struct {
	ID
	Operation Operation // "" for a cycle
	Size
	K        int      // keys fetched, in a cycle
	Held     bool     // it took no part in the fit
	Measured float64  // p50
	Said     Estimate // by the model
}

// Inside tells whether what was measured lies within what is said of it.
func (c Check) Inside() bool { return c.Said.Holds(c.Measured) }

// New fits the formulas of all arms. What cannot be fitted is in the arm's
// Without, and what then cannot be checked is left out; an arm of which nothing
// can be fitted stays, without fits. Two arms of one ID, cycles of unequally many
// rounds or with samples that are no measurements are ErrPoints.
func New(arms []Measured) (*Model, error) {
	m := &Model{pairs: map[[2]ID]paired{}}
	for _, in := range arms {
		if _, twice := m.Arm(in.ID); twice {
			return nil, fmt.Errorf("%w: %s is there twice", ErrPoints, in.ID)
		}
		arm := Arm{ID: in.ID, Fits: map[Operation]Fit{}, Without: map[Operation]error{}, Off: 1}
		for _, of := range Operations() {
			if len(in.Points[of]) == 0 {
				continue
			}
			fit, err := FitPoints(in.Points[of])
			if err != nil {
				arm.Without[of] = err
				continue
			}
			arm.Fits[of] = fit
		}
		for _, c := range in.Cycles {
			if err := c.usable(); err != nil {
				return nil, fmt.Errorf("%s: %w", in.ID, err)
			}
			if b, err := arm.cycle(c.Size, c.K); err == nil {
				arm.Off = max(arm.Off, b.Lo/c.P50(), c.P50()/b.Hi)
			}
		}
		m.Arms = append(m.Arms, arm)
		if err := m.check(arm, in); err != nil {
			return nil, fmt.Errorf("%s: %w", in.ID, err)
		}
	}
	m.pair()
	return m, nil
}

func (c Cycle) usable() error {
	if c.K < 0 || c.K > labkit.MaxRecords {
		return fmt.Errorf("%w: a cycle that fetches %d keys", ErrPoints, c.K)
	}
	return usable([]Point{c.Point})
}

// check adds the checks of an arm.
func (m *Model) check(arm Arm, in Measured) error {
	for _, of := range Operations() {
		f, ok := arm.Fits[of]
		for _, p := range in.HeldPoints[of] {
			if err := usable([]Point{p}); err != nil {
				return err
			}
			if !ok {
				continue
			}
			said, err := f.At(p.Size)
			if err != nil {
				return err
			}
			m.Points = append(m.Points, Check{ID: in.ID, Operation: of, Size: p.Size, Held: true, Measured: p.P50(), Said: said})
		}
	}
	for i, c := range slices.Concat(in.Cycles, in.HeldCycles) {
		if err := c.usable(); err != nil {
			return err
		}
		if b, err := arm.Cycle(c.Size, c.K); err == nil {
			m.Cycles = append(m.Cycles, Check{ID: in.ID, Size: c.Size, K: c.K, Held: i >= len(in.Cycles), Measured: c.P50(), Said: b.Estimate})
		}
	}
	return nil
}

// enoughPairs is how many cycles of two arms it takes to say by how much their
// ratio is off.
const enoughPairs = 4

// paired is by how much the ratio of two arms' cycles is off, as measured from the
// smallest to the largest n. Outside of these it may be off by more.
type paired struct {
	off        float64
	minN, maxN int // records
}

// covers tells whether it was measured around n.
func (p paired) covers(n int) bool { return p.minN <= n && n <= p.maxN }

// pair finds by how much the ratio of two arms' cycles is off, at the cycles that
// both were measured in and that were not held out. What slows both down, or is
// wrong in both formulas alike, is not in it.
func (m *Model) pair() {
	type place struct {
		Size
		k int
	}
	ratios := map[ID]map[place]float64{} // measured over said
	for _, c := range m.Cycles {
		if c.Held {
			continue
		}
		if ratios[c.ID] == nil {
			ratios[c.ID] = map[place]float64{}
		}
		ratios[c.ID][place{c.Size, c.K}] = c.Measured / c.Said.Cost
	}
	for a, of := range ratios {
		for b, other := range ratios {
			p, both := paired{off: 1, minN: labkit.MaxRecords}, 0
			for at, x := range of {
				if y, ok := other[at]; ok {
					p = paired{max(p.off, factor(x, y)), min(p.minN, at.N), max(p.maxN, at.N)}
					both++
				}
			}
			if both >= enoughPairs {
				m.pairs[[2]ID{a, b}] = p
			}
		}
	}
}

// Arm returns the arm of an ID, and whether there is one.
func (m *Model) Arm(id ID) (Arm, bool) {
	at := slices.IndexFunc(m.Arms, func(a Arm) bool { return a.ID == id })
	if at < 0 {
		return Arm{}, false
	}
	return m.Arms[at], true
}

// Ranked is an arm in its place.
type Ranked struct {
	Arm
	Bill
	// Ratio is how many times as much it costs as the first, paired in each round,
	// with an interval widened by the misfits; 1 for the first.
	Ratio Estimate
	// Disk is what it takes on disk, with no cost where that was not fitted.
	Disk Estimate

	n int // records of a cycle
}

// Told tells whether it can be told from the first: whether the interval of the
// ratio does not span 1.
func (r Ranked) Told() bool { return tells(r.Ratio) }

func tells(ratio Estimate) bool {
	return ratio.Level >= labkit.LeastLevel && (ratio.Lo > 1 || ratio.Hi < 1)
}

// RankDay returns the arms of the day's durability in the order of what a day
// costs them, the cheapest first, and a line for each that cannot be ranked, with
// the reason. A day that is none is ErrSize; no arm left is ErrLacks.
func (m *Model) RankDay(d Day) (list []Ranked, without []error, err error) {
	if err := d.valid(); err != nil {
		return nil, nil, err
	}
	for _, a := range m.Arms {
		if a.Class != d.Durability {
			continue
		}
		b, err := a.Day(d)
		if err != nil {
			without = append(without, err)
			continue
		}
		r := Ranked{Arm: a, Bill: b}
		if f, ok := a.Fits[Disk]; ok {
			if r.Disk, err = f.At(Of(d.N, d.Record)); err != nil {
				return nil, nil, err
			}
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return nil, without, fmt.Errorf("%w: no arm that writes for %s can be ranked", ErrLacks, d.Durability)
	}
	rank(list)
	for i := range list {
		list[i].Ratio = ratioOf(list[i].Bill, list[0].Bill, 1, false)
	}
	return list, without, nil
}

func rank(list []Ranked) {
	slices.SortStableFunc(list, func(a, b Ranked) int { return cmp.Compare(a.Cost, b.Cost) })
	list[0].Ratio = Estimate{Cost: 1, Lo: 1, Hi: 1}
}

// ratioOf is a/b, paired in each round. off is by how much the ratio of the two was
// found to be off. Where it was not measured around there, each side may also be off
// by its own misfits, in opposite directions, and the wider of the two counts.
func ratioOf(a, b Bill, off float64, measured bool) Estimate {
	rounds := min(a.Rounds, b.Rounds)
	low, high := make([]float64, rounds), make([]float64, rounds)
	for i := range rounds {
		middle := a.mid[i] / b.mid[i]
		low[i], high[i] = middle/off, middle*off
		if !measured {
			low[i], high[i] = min(low[i], a.low[i]/b.high[i]), max(high[i], a.high[i]/b.low[i])
		}
	}
	e := Estimate{Cost: a.Cost / b.Cost, Rounds: rounds, Beyond: add(slices.Clone(a.Beyond), b.Beyond...)}
	lo, err := labkit.Summarize(low)
	if err != nil { // no round that both have
		return e
	}
	hi, err := labkit.Summarize(high)
	if err != nil {
		return e
	}
	e.Lo, e.Hi, e.Level = min(lo.Lo, e.Cost), max(hi.Hi, e.Cost), lo.Level
	return e
}
