package evidence

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/cost"
)

// mapSteps is how fine the map is, in either direction.
const mapSteps = 80

// TooFar is the misfit from which a formula is said not to describe what it was
// fitted to.
const TooFar = 2

// Lines are the sentences of the model: which arm's cycle is the cheapest where on
// the map of records of the run's size, with the crossovers at each size measured;
// what the held-out points say of it; how far the formulas are off, and what could
// not be fitted. Without cycles there are none.
func (m *Model) Lines() []string {
	if len(m.Cycles) == 0 {
		return nil
	}
	lines := append([]string{m.mapLine()}, m.crossings()...)
	lines = append(lines, m.heldLines()...)
	lines = append(lines, m.misfitLine())
	return append(lines, m.withoutLines()...)
}

// about says what the map is of.
func (m *Model) about() string {
	return fmt.Sprintf("records of %s, %s", Quantity(m.Record, "B"), m.Class)
}

// Grid is the map of the model's records and class: the one that is drawn, and
// that sentences are about. A size of records that there cannot be, or a class
// without arms, is package cost's error.
func (m *Model) Grid() (*cost.Map, error) { return m.Map(m.Record, m.Class, mapSteps) }

func (m *Model) mapLine() string {
	grid, err := m.Grid()
	if err != nil {
		return fmt.Sprintf("The map: none, since %v.", err)
	}
	r, _ := m.Measured(m.Class)
	head := fmt.Sprintf("The map, n = %s to %s by 1 to n keys fetched after a write, %s: ", Count(r.MinN), Count(r.MaxN), m.about())
	sure, unsure := grid.Shares()
	if m.Rounds < 5 {
		return head + fmt.Sprintf("no verdict after %s, at least 5 are needed.", rounds(m.Rounds))
	}
	var texts []string
	for _, id := range m.byShare(sure) {
		texts = append(texts, fmt.Sprintf("%s on %s", id, MapShare(sure[id])))
	}
	if len(texts) == 0 {
		return head + "which arm's cycle is the cheapest cannot be told anywhere."
	}
	tail := "; on the rest it cannot be told"
	if unsure == 0 {
		tail = ""
	}
	return head + "the cheapest is " + strings.Join(texts, ", ") + tail + "."
}

// byShare lists arms, those of the largest part of the map first.
func (m *Model) byShare(of map[cost.ID]float64) []cost.ID {
	var ids []cost.ID
	for _, a := range m.Arms {
		if of[a.ID] > 0 {
			ids = append(ids, a.ID)
		}
	}
	slices.SortStableFunc(ids, func(a, b cost.ID) int {
		switch {
		case of[a] > of[b]:
			return -1
		case of[a] < of[b]:
			return 1
		}
		return 0
	})
	return ids
}

// MapShare writes a part of the map, more than none of it: in whole hundredths.
func MapShare(share float64) string {
	switch {
	case share < 0.005:
		return "less than 1 %"
	case share > 0.995 && share < 1:
		return "more than 99 %"
	}
	return wholePercent(share)
}

// crossings say at each size which arm is the cheapest for how many keys; sizes at
// which one arm is it for any number of them are put together.
func (m *Model) crossings() []string {
	var lines []string
	type run struct {
		from, to int
		best     cost.ID
		rivals   []cost.ID
	}
	var same run
	flush := func() {
		switch {
		case same.from == 0:
			return
		case same.from == same.to:
			lines = append(lines, fmt.Sprintf("At n = %s: by the p50s, %s is the cheapest for any number of keys%s.", Count(same.from), same.best, m.untold(same.rivals)))
		default:
			lines = append(lines, fmt.Sprintf("From n = %s to %s: by the p50s, %s is the cheapest for any number of keys at each size that was measured%s.", Count(same.from), Count(same.to), same.best, m.untold(same.rivals)))
		}
		same = run{}
	}
	for _, n := range m.Sizes {
		list, err := m.Stretches(cost.Of(n, m.Record), m.Class)
		if err != nil { // no arm was measured around it
			continue
		}
		if len(list) == 1 && same.best == list[0].Best && same.from > 0 {
			same.to = n
			same.rivals = append(same.rivals, list[0].Rivals...)
			continue
		}
		flush()
		if len(list) == 1 {
			same = run{n, n, list[0].Best, slices.Clone(list[0].Rivals)}
			continue
		}
		lines = append(lines, m.crossing(n, list))
	}
	flush()
	return lines
}

func (m *Model) crossing(n int, list []cost.Stretch) string {
	var texts []string
	for i, s := range list[:len(list)-1] {
		band := "no interval"
		if m.Rounds >= 5 {
			lo, hi := keysText(s.Lo), keysText(s.Hi)
			band = fmt.Sprintf("%s to %s", lo, hi)
			if s.Lo <= 1 && s.Hi >= float64(n) {
				band = "anywhere"
			}
		}
		does := "stays the cheapest"
		if i == 0 {
			does = "is the cheapest"
		}
		texts = append(texts, fmt.Sprintf("%s %s up to k = %s keys between writes (%s)", s.Best, does, keysText(s.To), band))
	}
	last := list[len(list)-1]
	var others []cost.ID // that are the cheapest nowhere, but may be
	for _, s := range list {
		for _, id := range s.Rivals {
			if !slices.ContainsFunc(list, func(s cost.Stretch) bool { return s.Best == id }) {
				others = append(others, id)
			}
		}
	}
	return fmt.Sprintf("At n = %s: by the p50s, %s, then %s up to n%s.", Count(n), strings.Join(texts, ", then "), last.Best, m.untold(others))
}

// untold names arms that cannot be told from the cheapest somewhere, as the end of
// a sentence; with too few rounds nothing can, and the map says so.
func (m *Model) untold(ids []cost.ID) string {
	var names []string
	for _, id := range ids {
		if !slices.Contains(names, id.String()) {
			names = append(names, id.String())
		}
	}
	if len(names) == 0 || m.Rounds < 5 {
		return ""
	}
	return "; for some of them it cannot be told from " + strings.Join(names, " and ")
}

// heldLines say how many of the held-out points lie within what was said of them,
// and which do not.
func (m *Model) heldLines() []string {
	held := slices.DeleteFunc(slices.Concat(m.Points, m.Cycles), func(c cost.Check) bool { return !c.Held })
	if len(held) == 0 {
		return []string{"Held out: nothing, so nothing checks the model."}
	}
	var outside []string
	least, most := held[0].Said.Width(), held[0].Said.Width()
	for _, c := range held {
		least, most = min(least, c.Said.Width()), max(most, c.Said.Width())
		if !c.Inside() {
			outside = append(outside, outsideText(c))
		}
	}
	inside := len(held) - len(outside)
	line := fmt.Sprintf("Held out: of %s %s within the stated error, a factor of %s to %s", points(len(held)), lie(inside), Factor(least), Factor(most))
	if len(outside) > 0 {
		line += "; outside: " + strings.Join(outside, "; ")
	}
	lines := []string{line + "."}
	right, spots := 0, 0
	for _, s := range m.Spots(m.Class) {
		if s.Held {
			spots++
			if s.Right() {
				right++
			}
		}
	}
	if spots > 0 {
		lines = append(lines, fmt.Sprintf("Held-out places on the map: at %d of %d the arm that was measured to be the cheapest is the one that the model names, or one that it cannot tell from that.", right, spots))
	}
	return lines
}

func points(n int) string {
	if n == 1 {
		return "1 held-out point"
	}
	return Count(n) + " held-out points"
}

func lie(n int) string {
	if n == 1 {
		return "1 lies"
	}
	return Count(n) + " lie"
}

func outsideText(c cost.Check) string {
	what := string(c.Operation)
	if c.Operation == "" {
		what = fmt.Sprintf("cycle with %s keys", Count(c.K))
	}
	unit := "s"
	if c.Operation == cost.Disk {
		unit = "B"
	}
	q := func(x float64) string { return Quantity(x, unit) }
	return fmt.Sprintf("%s, %s, n = %s, records of %s: measured %s, said %s (%s to %s)",
		c.ID, what, Count(c.N), Quantity(c.Each(), "B"), q(c.Measured), q(c.Said.Cost), q(c.Said.Lo), q(c.Said.Hi))
}

// Bad names the formulas that are off by more than TooFar where they were fitted,
// with their misfits: of all arms, or of those that a map of the model's class is made
// of.
func (m *Model) Bad(ofMap bool) []string {
	var bad []string
	for _, a := range m.Arms {
		for _, of := range cost.Operations() {
			if ofMap && (a.Class != m.Class || !a.InCycle(of)) {
				continue
			}
			if f, ok := a.Fits[of]; ok && f.Misfit > TooFar {
				bad = append(bad, fmt.Sprintf("%s of %s (%s)", of, a.ID, Factor(f.Misfit)))
			}
		}
	}
	return bad
}

// misfitLine says how far the formulas are off where they were fitted, and what
// the operations add up to where cycles were measured.
func (m *Model) misfitLine() string {
	most, where := 1.0, ""
	off, whose := 1.0, ""
	for _, a := range m.Arms {
		for _, of := range cost.Operations() {
			f, ok := a.Fits[of]
			if !ok {
				continue
			}
			if f.Misfit > most {
				most, where = f.Misfit, fmt.Sprintf("%s of %s at n = %s", of, a.ID, Count(f.Worst.N))
			}
		}
		if a.Off > off {
			off, whose = a.Off, a.ID.String()
		}
	}
	line := "The error: the formulas go through all points"
	if where != "" {
		line = fmt.Sprintf("The error: the formulas are off by a factor of up to %s at the sizes that they were fitted to (%s)", Factor(most), where)
	}
	if whose != "" {
		line += fmt.Sprintf("; what the operations add up to was off by %s beyond that in a cycle of %s", Factor(off), whose)
	}
	line += ". Both widen what is said"
	if m.Rounds >= 5 {
		line += fmt.Sprintf(", beside the rounds, at %s", Percent(m.level()))
	}
	line += "."
	if arms := m.unchecked(); len(arms) > 0 {
		line += fmt.Sprintf(" Not known of %s, which had no more sizes than coefficients in some operation.", strings.Join(arms, ", "))
	}
	if bad := m.Bad(false); len(bad) > 0 {
		line += fmt.Sprintf(" A bad fit, more than a factor of %d: %s.", TooFar, strings.Join(bad, ", "))
	}
	return line
}

// unchecked are the arms with a formula whose misfit says nothing.
func (m *Model) unchecked() (names []string) {
	for _, a := range m.Arms {
		for _, of := range cost.Operations() {
			if f, ok := a.Fits[of]; ok && f.Spare == 0 && !slices.Contains(names, a.ID.String()) {
				names = append(names, a.ID.String())
			}
		}
	}
	return names
}

// level is what as many rounds as the plan has reach.
func (m *Model) level() float64 {
	s, err := labkit.Summarize(make([]float64, m.Rounds))
	if err != nil {
		return 0
	}
	return s.Level
}

// withoutLines say what was measured and not fitted.
func (m *Model) withoutLines() []string {
	var texts []string
	for _, a := range m.Arms {
		for _, of := range cost.Operations() {
			if err := a.Without[of]; err != nil {
				texts = append(texts, fmt.Sprintf("%s of %s: %v", of, a.ID, err))
			}
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return []string{"Not fitted: " + strings.Join(texts, "; ") + "."}
}
