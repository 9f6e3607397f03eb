package cost

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"shelflab/labkit"
)

// Place says which arm's cycle is the cheapest at a size and a number of keys
// fetched.
type Place struct {
	Best ID
	// Rivals are the arms that cannot be told from it.
	Rivals []ID
}

// Sure tells whether no other arm may be the cheapest instead.
func (p Place) Sure() bool { return len(p.Rivals) == 0 }

// curve is what a cycle costs an arm at one size over the number of keys: a line.
type curve struct {
	Arm
	n        int  // records
	all, key Bill // but for the keys, and for each of them
}

// curve returns the line of a at a size, for one key or more.
func (a Arm) curve(s Size) (c curve, err error) {
	c.Arm, c.n = a, s.N
	start := Term{Operation: Load, Times: 1}
	if a.Keyed() {
		start.Operation = Open
		if c.key, err = a.bill(s, Term{Operation: Get, Times: 1}); err != nil {
			return c, err
		}
	}
	c.all, err = a.bill(s, Term{Operation: Write, Times: 1}, start)
	return c, err
}

// at is the bill for so many keys, without its interval and terms.
func (c curve) at(k float64) Ranked {
	b := Bill{Estimate: Estimate{Cost: c.all.Cost + k*c.key.Cost, Rounds: c.all.Rounds}}
	if c.key.Rounds > 0 {
		b.Rounds = min(b.Rounds, c.key.Rounds)
	}
	along := func(all, key []float64) []float64 {
		list := make([]float64, b.Rounds)
		for i := range list {
			list[i] = all[i]
			if len(key) > 0 {
				list[i] += k * key[i]
			}
		}
		return list
	}
	b.mid, b.low, b.high = along(c.all.mid, c.key.mid), along(c.all.low, c.key.low), along(c.all.high, c.key.high)
	return Ranked{Arm: c.Arm, Bill: b, n: c.n}
}

// curves are the lines of the arms of a class at a size. An arm takes no part at a
// size outside of what it was measured at: nothing vouches for it there.
func (m *Model) curves(s Size, class labkit.Durability) (list []curve) {
	for _, a := range m.Arms {
		if a.Class != class {
			continue
		}
		if c, err := a.curve(s); err == nil && len(c.all.Beyond)+len(c.key.Beyond) == 0 {
			list = append(list, c)
		}
	}
	return list
}

// cheapest is the first of the lines, at least one, that costs the least for so many
// keys, by the medians.
func cheapest(list []curve, k float64) ID {
	return slices.MinFunc(list, func(a, b curve) int {
		return cmp.Compare(a.all.Cost+k*a.key.Cost, b.all.Cost+k*b.key.Cost)
	}).ID
}

// placeAt is the cheapest of some lines, at least one, for so many keys.
func (m *Model) placeAt(list []curve, k float64) Place {
	ranked := make([]Ranked, len(list))
	for i, c := range list {
		ranked[i] = c.at(k)
	}
	return m.among(ranked)
}

// ratio is what a cycle of a costs over one of b, of as many records.
func (m *Model) ratio(a, b Ranked) Estimate {
	p, ok := m.pairs[[2]ID{a.ID, b.ID}]
	if !ok {
		p.off = 1
	}
	return ratioOf(a.Bill, b.Bill, p.off, ok && p.covers(a.n))
}

// RankCycle returns the arms of a class that were measured around a size, in the
// order of what a cycle costs there, the cheapest first. Errors are those of
// Arm.Cycle; no arm left is ErrLacks.
func (m *Model) RankCycle(s Size, k int, class labkit.Durability) ([]Ranked, error) {
	if err := s.valid(); err != nil {
		return nil, err
	}
	if k < 0 || k > labkit.MaxRecords {
		return nil, fmt.Errorf("%w: %d keys: give 0 to %d", ErrSize, k, labkit.MaxRecords)
	}
	var list []Ranked
	for _, c := range m.curves(s, class) {
		if b, err := c.Cycle(s, k); err == nil {
			list = append(list, Ranked{Arm: c.Arm, Bill: b, n: s.N})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: no arm that writes for %s was measured around n = %d", ErrLacks, class, s.N)
	}
	rank(list)
	for i := range list[1:] {
		list[i+1].Ratio = m.ratio(list[i+1], list[0])
	}
	return list, nil
}

// among is the cheapest of some arms, at least one.
func (m *Model) among(list []Ranked) (p Place) {
	rank(list)
	p.Best = list[0].ID
	for _, r := range list[1:] {
		if !tells(m.ratio(r, list[0])) {
			p.Rivals = append(p.Rivals, r.ID)
		}
	}
	return p
}

// Map is which arm's cycle is the cheapest, on a grid of n by keys fetched, both
// in equal steps of their logarithm.
type Map struct {
	Record float64           // payload of a record, in bytes
	Class  labkit.Durability // that the arms write with
	N, K   []float64         // the middles of the cells, ascending; from the smallest n measured, and from 1, to the largest n
	// Cells are by N, then K; Best is the zero ID where k is above n, and where no
	// arm was measured around n.
	Cells [][]Place
	// Borders are, for each N, where the cheapest arm changes as K grows.
	Borders [][]Border
}

// Border is where one arm ceases to be the cheapest and another begins.
type Border struct {
	Below, Above ID
	K            float64 // keys fetched
}

// Steps of a Map in either direction: at least and at most.
const (
	leastSteps = 2
	mostSteps  = 400
)

// Map computes the map for records of so many bytes, of the arms that write for a
// class. Bytes that no record has and fewer than 2 or more than 400 steps are
// ErrSize; no arm of that class with a formula for its writes is ErrLacks.
func (m *Model) Map(record float64, class labkit.Durability, steps int) (*Map, error) {
	if steps < leastSteps || steps > mostSteps {
		return nil, fmt.Errorf("%w: a map of %d steps: give %d to %d", ErrSize, steps, leastSteps, mostSteps)
	}
	if err := Of(1, record).valid(); err != nil {
		return nil, err
	}
	r, ok := m.Measured(class)
	if !ok {
		return nil, fmt.Errorf("%w: no arm that writes for %s has a formula for its writes", ErrLacks, class)
	}
	x := &Map{Record: record, Class: class, N: logSteps(float64(r.MinN), float64(r.MaxN), steps), K: logSteps(1, float64(r.MaxN), steps)}
	for _, n := range x.N {
		lines := m.curves(Of(int(math.Round(n)), record), class)
		column, borders := make([]Place, len(x.K)), []Border(nil)
		for j, k := range x.K {
			if k > n || len(lines) == 0 {
				break
			}
			column[j] = m.placeAt(lines, k)
			if j == 0 || column[j].Best == column[j-1].Best {
				continue
			}
			below := column[j-1].Best
			at := boundary(x.K[j-1], k, func(k float64) bool { return cheapest(lines, k) == below })
			borders = append(borders, Border{below, column[j].Best, at})
		}
		x.Cells, x.Borders = append(x.Cells, column), append(x.Borders, borders)
	}
	return x, nil
}

// Measured is what the writes of the arms of a class were measured at, all
// together; ok is false if none has a formula.
func (m *Model) Measured(class labkit.Durability) (r Range, ok bool) {
	for _, a := range m.Arms {
		f, has := a.Fits[Write]
		switch {
		case a.Class != class || !has:
		case !ok:
			r, ok = f.Range, true
		default:
			r.MinN, r.MaxN = min(r.MinN, f.Range.MinN), max(r.MaxN, f.Range.MaxN)
			r.MinEach, r.MaxEach = min(r.MinEach, f.Range.MinEach), max(r.MaxEach, f.Range.MaxEach)
		}
	}
	return r, ok
}

// logSteps are the middles of equal steps of the logarithm.
func logSteps(from, to float64, steps int) []float64 {
	list := make([]float64, steps)
	for i := range list {
		list[i] = from * math.Pow(to/from, (float64(i)+0.5)/float64(steps))
	}
	return list
}

// Shares says for how much of the map each arm is the cheapest for sure, and for
// how much of it that cannot be told; all shares together are 1. An arm that is
// it nowhere is not in the map.
func (x *Map) Shares() (sure map[ID]float64, unsure float64) {
	sure, cells := map[ID]float64{}, 0.0
	for _, column := range x.Cells {
		for _, p := range column {
			switch {
			case p.Best == ID{}:
				continue
			case p.Sure():
				sure[p.Best]++
			default:
				unsure++
			}
			cells++
		}
	}
	if cells == 0 {
		return sure, 0
	}
	for id := range sure {
		sure[id] /= cells
	}
	return sure, unsure / cells
}

// Stretch is the keys fetched between which one arm's cycle is the cheapest at one
// size.
type Stretch struct {
	Best ID
	// From and To bound it; the first begins at 1, the last ends at n. To is where
	// the next arm gets cheaper.
	From, To float64
	// Lo and Hi are between which number of keys it cannot be told whether this arm
	// or the next is cheaper: around To, and as far as 1 or n where it cannot be
	// told up to there. Both are 0 for the last stretch.
	Lo, Hi float64
	// Rivals are the arms that cannot be told from it somewhere between From and To.
	Rivals []ID
}

// Stretches are the arms that are the cheapest at a size, for 1 to n keys fetched,
// by the medians. Errors are those of RankCycle.
func (m *Model) Stretches(s Size, class labkit.Durability) ([]Stretch, error) {
	if _, err := m.RankCycle(s, 1, class); err != nil {
		return nil, err
	}
	const steps = 120
	last := float64(s.N)
	at := func(i int) float64 { return math.Pow(last, float64(i)/steps) }
	lines := m.curves(s, class)
	of := func(id ID) curve { return lines[slices.IndexFunc(lines, func(c curve) bool { return c.ID == id })] }
	first := m.placeAt(lines, 1)
	list := []Stretch{{Best: first.Best, From: 1, To: last, Rivals: first.Rivals}}
	for i := range steps {
		here := m.placeAt(lines, at(i+1))
		before, after := list[len(list)-1].Best, here.Best
		if before == after {
			now := &list[len(list)-1]
			now.Rivals = add(now.Rivals, here.Rivals...)
			continue
		}
		to := boundary(at(i), at(i+1), func(k float64) bool { return cheapest(lines, k) == before })
		told := func(k float64) bool {
			return tells(m.ratio(of(before).at(k), of(after).at(k)))
		}
		now := &list[len(list)-1]
		now.To, now.Lo, now.Hi = to, 1, last
		for j := steps; j >= 0; j-- {
			if k := at(j); k < to && told(k) {
				now.Lo = boundary(k, min(at(j+1), to), told)
				break
			}
		}
		for j := range steps + 1 {
			if k := at(j); k > to && told(k) {
				now.Hi = boundary(max(at(j-1), to), k, func(k float64) bool { return !told(k) })
				break
			}
		}
		list = append(list, Stretch{Best: after, From: to, To: last, Rivals: here.Rivals})
	}
	return list, nil
}

// boundary is where what holds at from ceases to hold on the way to to.
func boundary(from, to float64, holds func(float64) bool) float64 {
	for range 50 {
		middle := math.Sqrt(from * to)
		if holds(middle) {
			from = middle
		} else {
			to = middle
		}
	}
	return from
}
