package cost_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit"
	"shelflab/labkit/cost"
)

// costs are what the operations of an arm cost, exactly.
type costs map[cost.Operation]cost.Formula

// measured is an arm that was measured without any error.
func measured(name string, class labkit.Durability, of costs) cost.Measured {
	m := cost.Measured{ID: cost.ID{Name: name, Class: class}, Points: map[cost.Operation][]cost.Point{}, HeldPoints: map[cost.Operation][]cost.Point{}}
	for op, f := range of {
		m.Points[op] = grid(f)
	}
	return m
}

// keyed gets a key at a time, snapshot loads all.
var (
	keyed = costs{
		cost.Write: {Fixed: 1e-2, PerRecord: 1e-6, PerByte: 1e-9}, cost.Load: {Fixed: 1e-3, PerRecord: 1e-6},
		cost.Open: {Fixed: 1e-3}, cost.Get: {Fixed: 1e-5, PerRecord: 1e-12}, cost.Update: {Fixed: 2e-5}, cost.Disk: {Fixed: 8192, PerByte: 1},
	}
	snapshot = costs{
		cost.Write: {Fixed: 1e-3, PerRecord: 5e-7, PerByte: 1e-9}, cost.Load: {Fixed: 1e-4, PerRecord: 1e-6, PerByte: 2e-9},
		cost.Change: {Fixed: 2e-3, PerRecord: 2e-6}, cost.Disk: {Fixed: 4096, PerByte: 0.5},
	}
)

func model(t testing.TB, arms ...cost.Measured) *cost.Model {
	t.Helper()
	m, err := cost.New(arms)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// both are the two of them.
func both(t testing.TB) *cost.Model {
	return model(t, measured("keyed", labkit.ProcessCrash, keyed), measured("snapshot", labkit.ProcessCrash, snapshot))
}

// exactly is what a cycle costs, by the formulas themselves.
func exactly(of costs, s cost.Size, k float64) float64 {
	x := of[cost.Write].At(s)
	if get, ok := of[cost.Get]; ok {
		return x + of[cost.Open].At(s) + k*get.At(s)
	}
	return x + of[cost.Load].At(s)
}

func TestCycle(t *testing.T) {
	m := both(t)
	for _, s := range []cost.Size{cost.Of(100, 120), cost.Of(5000, 500), cost.Of(100_000, 1100)} {
		for _, k := range []int{0, 1, 200, 100_000} {
			for i, of := range []costs{keyed, snapshot} {
				b, err := m.Arms[i].Cycle(s, k)
				want := exactly(of, s, float64(k))
				if k == 0 {
					want = of[cost.Write].At(s)
				}
				if err != nil || !near(b.Cost, want) || !near(b.Lo, want) || !near(b.Hi, want) || b.Beyond != nil {
					t.Errorf("%s, %+v, k = %d: %+v, %v, want %v", m.Arms[i], s, k, b.Estimate, err, want)
				}
			}
		}
	}
	b, err := m.Arms[0].Cycle(cost.Of(10_000, 120), 1000)
	if err != nil || len(b.Terms) != 3 || b.Terms[2].Operation != cost.Get || b.Terms[2].Times != 1000 || !near(b.Terms[2].All, 1000*1.001e-5) ||
		b.Terms[2].Part != "the fixed part" || b.Terms[0].Part != "the fixed part" && b.Terms[0].Part != "the part per record" {
		t.Errorf("%+v, %v", b.Terms, err)
	}
	for _, c := range []struct {
		s cost.Size
		k int
	}{{cost.Of(10, 10), -1}, {cost.Of(10, 10), labkit.MaxRecords + 1}, {cost.Of(0, 10), 1}, {cost.Of(10, math.NaN()), 1}} {
		if _, err := m.Arms[0].Cycle(c.s, c.k); !errors.Is(err, cost.ErrSize) {
			t.Errorf("%+v: %v, want ErrSize", c, err)
		}
		if _, err := m.RankCycle(c.s, c.k, labkit.ProcessCrash); !errors.Is(err, cost.ErrSize) {
			t.Errorf("%+v: %v, want ErrSize", c, err)
		}
	}
	without := model(t, measured("odd", labkit.ProcessCrash, costs{cost.Write: keyed[cost.Write]}))
	if _, err := without.Arms[0].Cycle(cost.Of(1000, 120), 5); !errors.Is(err, cost.ErrLacks) || err.Error() != "odd, load: not measured" {
		t.Errorf("%v, want ErrLacks", err)
	}
}

func TestDay(t *testing.T) {
	m := both(t)
	day := cost.Day{N: 10_000, Record: 120, Writes: 2, Opens: 3, Gets: 5000, Updates: 7}
	s := cost.Of(day.N, day.Record)
	list, without, err := m.RankDay(day)
	if err != nil || without != nil || len(list) != 2 {
		t.Fatalf("%+v, %v, %v", list, without, err)
	}
	first := 2*keyed[cost.Write].At(s) + 3*keyed[cost.Open].At(s) + 5000*keyed[cost.Get].At(s) + 7*keyed[cost.Update].At(s)
	// Its updates were measured with open and close inside only.
	second := 2*snapshot[cost.Write].At(s) + 3*snapshot[cost.Load].At(s) + 7*snapshot[cost.Change].At(s)
	if list[0].Name != "keyed" || !near(list[0].Bill.Cost, first) || list[1].Name != "snapshot" || !near(list[1].Bill.Cost, second) {
		t.Errorf("%s %v, %s %v, want %v and %v", list[0].Name, list[0].Bill.Cost, list[1].Name, list[1].Bill.Cost, first, second)
	}
	if !near(list[1].Ratio.Cost, second/first) || !list[1].Told() || list[0].Ratio.Cost != 1 || list[0].Told() {
		t.Errorf("ratios %+v, %+v", list[0].Ratio, list[1].Ratio)
	}
	if !near(list[0].Disk.Cost, 8192+s.Bytes) || !near(list[1].Disk.Cost, 4096+s.Bytes/2) {
		t.Errorf("disk %v, %v", list[0].Disk.Cost, list[1].Disk.Cost)
	}
	// What is only got must be opened once; a snapshot is then had from memory.
	list, _, err = m.RankDay(cost.Day{N: 1000, Record: 120, Gets: 1e9})
	if err != nil || list[0].Name != "snapshot" || !near(list[0].Bill.Cost, snapshot[cost.Load].At(cost.Of(1000, 120))) || len(list[1].Terms) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	for name, c := range map[string]struct {
		day  cost.Day
		want error
	}{
		"nothing":            {cost.Day{N: 10, Record: 10}, cost.ErrSize},
		"less than nothing":  {cost.Day{N: 10, Record: 10, Gets: -1}, cost.ErrSize},
		"NaN":                {cost.Day{N: 10, Record: 10, Gets: math.NaN()}, cost.ErrSize},
		"infinitely often":   {cost.Day{N: 10, Record: 10, Gets: math.Inf(1)}, cost.ErrSize},
		"no records":         {cost.Day{Record: 10, Gets: 1}, cost.ErrSize},
		"records of nothing": {cost.Day{N: 10, Gets: 1}, cost.ErrSize},
		"NaN bytes":          {cost.Day{N: 10, Record: math.NaN(), Gets: 1}, cost.ErrSize},
		"another durability": {cost.Day{N: 10, Record: 10, Gets: 1, Durability: labkit.PowerLoss}, cost.ErrLacks},
	} {
		if list, _, err := m.RankDay(c.day); !errors.Is(err, c.want) || list != nil {
			t.Errorf("%s: %v, %v, want %v", name, list, err, c.want)
		}
	}
	// An arm that lacks what the day takes is named, with the reason.
	odd := measured("odd", labkit.ProcessCrash, keyed)
	odd.Points[cost.Update] = odd.Points[cost.Update][:1]
	list, without, err = model(t, odd, measured("snapshot", labkit.ProcessCrash, snapshot)).RankDay(day)
	if err != nil || len(list) != 1 || len(without) != 1 || !errors.Is(without[0], cost.ErrLacks) || !errors.Is(without[0], cost.ErrPoints) {
		t.Errorf("%+v, %v, %v", list, without, err)
	}
}

// The map names the arm that brute force finds, cell by cell, and the stretches
// agree with where the two lines cross.
func TestMapAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := []string{"a", "b", "c"}
		of := map[string]costs{}
		var list []cost.Measured
		for _, name := range names {
			c := costs{cost.Write: formulas().Draw(rt, "write"), cost.Load: formulas().Draw(rt, "load")}
			if rapid.Bool().Draw(rt, "keyed") {
				c[cost.Open], c[cost.Get] = formulas().Draw(rt, "open"), cost.Formula{Fixed: 1e-6 * rapid.Float64Range(1, 100).Draw(rt, "get")}
			}
			of[name] = c
			list = append(list, measured(name, labkit.ProcessCrash, c))
		}
		m := model(t, list...)
		best := func(s cost.Size, k float64) (name string, x, margin float64) {
			x, margin = math.Inf(1), math.Inf(1)
			for _, n := range names {
				switch y := exactly(of[n], s, k); {
				case y < x:
					name, x, margin = n, y, min(margin, x/y)
				default:
					margin = min(margin, y/x)
				}
			}
			for _, n := range names {
				if n != name {
					margin = min(margin, exactly(of[n], s, k)/x)
				}
			}
			return name, x, margin
		}
		const record = 120
		grid, err := m.Map(record, labkit.ProcessCrash, 12)
		if err != nil {
			rt.Fatal(err)
		}
		for i, n := range grid.N {
			for j, k := range grid.K {
				p := grid.Cells[i][j]
				if k > n {
					if p.Best != (cost.ID{}) {
						rt.Fatalf("n = %v, k = %v: %v is the cheapest above n", n, k, p.Best)
					}
					continue
				}
				want, _, margin := best(cost.Of(int(math.Round(n)), record), k)
				if p.Best.Name != want && margin > 1.0001 {
					rt.Fatalf("n = %v, k = %v: %s, want %s", n, k, p.Best, want)
				}
				if margin > 1.001 && !p.Sure() {
					rt.Fatalf("n = %v, k = %v: without any error, %s cannot be told from %v", n, k, p.Best, p.Rivals)
				}
			}
		}
		s := cost.Of(rapid.IntRange(100, 100_000).Draw(rt, "n"), record)
		stretches, err := m.Stretches(s, labkit.ProcessCrash)
		if err != nil || stretches[0].From != 1 || stretches[len(stretches)-1].To != float64(s.N) {
			rt.Fatalf("%+v, %v", stretches, err)
		}
		for i, x := range stretches[:len(stretches)-1] {
			a, b := exactly(of[x.Best.Name], s, x.To), exactly(of[stretches[i+1].Best.Name], s, x.To)
			if math.Abs(a/b-1) > 1e-3 || x.Lo > x.To || x.Hi < x.To || stretches[i+1].From != x.To {
				rt.Fatalf("%+v: at %v one costs %v, the other %v", stretches, x.To, a, b)
			}
		}
	})
}

func TestMapRefuses(t *testing.T) {
	m := both(t)
	for _, c := range []struct {
		record float64
		class  labkit.Durability
		steps  int
		want   error
	}{
		{120, labkit.ProcessCrash, 1, cost.ErrSize}, {120, labkit.ProcessCrash, 401, cost.ErrSize},
		{0, labkit.ProcessCrash, 10, cost.ErrSize}, {math.NaN(), labkit.ProcessCrash, 10, cost.ErrSize},
		{120, labkit.PowerLoss, 10, cost.ErrLacks},
	} {
		if _, err := m.Map(c.record, c.class, c.steps); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	// Nothing vouches for records of another size: nothing is drawn of them.
	grid, err := m.Map(9000, labkit.ProcessCrash, 10)
	if err != nil {
		t.Fatal(err)
	}
	if sure, unsure := grid.Shares(); len(sure) > 0 || unsure != 0 {
		t.Errorf("%v, %v", sure, unsure)
	}
	if _, err := m.Stretches(cost.Of(1_000_000, 120), labkit.ProcessCrash); !errors.Is(err, cost.ErrLacks) {
		t.Errorf("above what was measured: %v", err)
	}
}

// Noise in the rounds makes a band around the crossover, in which it cannot be told.
func TestBand(t *testing.T) {
	noisy := func(m cost.Measured, by ...float64) cost.Measured {
		for _, points := range m.Points {
			for i := range points {
				for j := range points[i].Rounds {
					points[i].Rounds[j] *= by[j]
				}
			}
		}
		return m
	}
	a := noisy(measured("keyed", labkit.ProcessCrash, keyed), 1, 0.9, 1.1, 1, 1)
	m := model(t, a, measured("snapshot", labkit.ProcessCrash, snapshot))
	s := cost.Of(50_000, 120)
	list, err := m.Stretches(s, labkit.ProcessCrash)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	x := list[0]
	crossing := (exactly(snapshot, s, 0) - exactly(keyed, s, 0)) / keyed[cost.Get].At(s)
	// The keyed arm costs a tenth less, or more, in one round each.
	low := (exactly(snapshot, s, 0)/1.1 - exactly(keyed, s, 0)) / keyed[cost.Get].At(s)
	high := (exactly(snapshot, s, 0)/0.9 - exactly(keyed, s, 0)) / keyed[cost.Get].At(s)
	if math.Abs(x.To/crossing-1) > 1e-3 || math.Abs(x.Lo/low-1) > 1e-3 || math.Abs(x.Hi/high-1) > 1e-3 {
		t.Errorf("%+v, want %v, %v to %v", x, crossing, low, high)
	}
	// Fewer rounds tell nothing.
	for _, points := range a.Points {
		for i := range points {
			points[i].Rounds = points[i].Rounds[:2]
		}
	}
	list, err = model(t, a, measured("snapshot", labkit.ProcessCrash, snapshot)).Stretches(s, labkit.ProcessCrash)
	if err != nil || list[0].Lo != 1 || list[0].Hi != 50_000 || len(list[0].Rivals) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

// Cycles that cost more than their operations add up to widen what is said of
// others, and of ratios; held-out ones do not, and are found outside.
func TestCyclesWiden(t *testing.T) {
	at := func(of costs, n, k int, times float64) cost.Cycle {
		s := cost.Of(n, 120)
		x := times * exactly(of, s, float64(k))
		return cost.Cycle{Point: cost.Point{Size: s, Rounds: []float64{x, x, x, x, x}}, K: k}
	}
	a, b := measured("keyed", labkit.ProcessCrash, keyed), measured("snapshot", labkit.ProcessCrash, snapshot)
	for _, n := range []int{1000, 10_000} {
		for _, k := range []int{1, 100} {
			a.Cycles = append(a.Cycles, at(keyed, n, k, 1.2))
			b.Cycles = append(b.Cycles, at(snapshot, n, k, 1.2))
		}
	}
	a.HeldCycles = []cost.Cycle{at(keyed, 5000, 10, 1.15), at(keyed, 5000, 100, 1.3)}
	a.HeldPoints[cost.Get] = []cost.Point{exact(cost.Formula{Fixed: 2e-5}, 5000, 120)}
	m := model(t, a, b)
	if !near(m.Arms[0].Off, 1.2) || !near(m.Arms[1].Off, 1.2) {
		t.Fatalf("off by %v and %v, want 1.2", m.Arms[0].Off, m.Arms[1].Off)
	}
	bill, err := m.Arms[0].Cycle(cost.Of(5000, 120), 10)
	if err != nil || !near(bill.Width(), 1.2) {
		t.Errorf("%+v, %v", bill.Estimate, err)
	}
	// Both are wrong alike, so the ratio is right.
	ranked, err := m.RankCycle(cost.Of(5000, 120), 10, labkit.ProcessCrash)
	if err != nil || len(ranked) != 2 || !near(ranked[1].Ratio.Width(), 1) || !ranked[1].Told() {
		t.Errorf("%+v, %v", ranked[1].Ratio, err)
	}
	var held []bool
	for _, c := range m.Cycles {
		if c.Held {
			held = append(held, c.Inside())
		}
	}
	if len(held) != 2 || !held[0] || held[1] || len(m.Points) != 1 || m.Points[0].Inside() || m.Points[0].Operation != cost.Get {
		t.Errorf("held-out cycles inside: %v; points: %+v", held, m.Points)
	}
	spots := m.Spots(labkit.ProcessCrash)
	if len(spots) != 6 || spots[2].N != 5000 || !spots[2].Held || spots[3].K != 100 || len(spots[3].Outside) != 1 || spots[3].Outside[0].Name != "keyed" {
		t.Errorf("%+v", spots)
	}
	for _, s := range spots {
		if !s.Right() {
			t.Errorf("%+v: the model names another", s)
		}
	}
}
