package show

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/cost"
	"shelflab/labkit/evidence"
)

// Day returns the arms in the order of what a day costs them, the cheapest first,
// with the seconds and their interval, how many times as much that is as for the
// first, the bytes on disk, and what most of it is. What lies outside of what was
// measured says so; arms that were not measured in what the day takes, or write for
// the other durability, are named below. A day that there cannot be, or for which no
// arm is left, gives a table that says why, and so does a nil model.
func Day(m *evidence.Model, day cost.Day) Table {
	t := Table{Title: "No ranking"}
	if m == nil {
		t.Notes = []string{"There is no model yet: run the sweep first."}
		return t
	}
	list, without, err := m.RankDay(day)
	if err != nil {
		t.Notes = append([]string{fmt.Sprintf("%s: %v.", dayText(day), err)}, reasons(without)...)
		return t
	}
	t.Title = dayText(day)
	t.Head = slices.Clone(dayHead)
	beyond := map[cost.Beyond][]string{} // arms, by in what they lie outside
	var order []cost.Beyond
	untold := false
	for i, r := range list {
		took := func(x float64) string { return evidence.Quantity(x, "s") }
		row := []string{r.ID.Name, estimate(r.Bill.Estimate, took), "1", none, mostOf(r.Bill)}
		if i > 0 {
			row[2] = estimate(r.Ratio, evidence.Factor)
			if !r.Told() {
				row[2] += "\ncannot be told"
				untold = true
			}
		}
		if r.Disk.Cost > 0 {
			row[3] = estimate(r.Disk, func(x float64) string { return evidence.Quantity(x, "B") })
		}
		if len(r.Bill.Beyond) > 0 {
			row[0] += "\nextrapolated"
		}
		for _, what := range r.Bill.Beyond {
			if beyond[what] == nil {
				order = append(order, what)
			}
			beyond[what] = append(beyond[what], r.ID.Name)
		}
		t.Rows = append(t.Rows, row)
	}
	for _, what := range order {
		t.Notes = append(t.Notes, fmt.Sprintf("⚠ Extrapolated, so that nothing vouches for it: %s (%s).", exceeded(what), strings.Join(beyond[what], ", ")))
	}
	if list[0].Bill.Level >= labkit.LeastLevel {
		t.Notes = append(t.Notes, fmt.Sprintf("Below each number: its interval, of the rounds at the %s level, widened by how far the formulas are off where they were fitted.", evidence.Percent(list[0].Bill.Level)))
	} else {
		t.Notes = append(t.Notes, fmt.Sprintf("No intervals: %s, and an interval needs 5.", rounds(list[0].Bill.Rounds)))
	}
	t.Notes = append(t.Notes, unchecked(list)...)
	var longer []string
	for _, r := range list {
		if r.Bill.Cost > secondsADay {
			longer = append(longer, r.ID.Name)
		}
	}
	if len(longer) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("⚠ More than the %s s that a day has: %s.", evidence.Count(secondsADay), strings.Join(longer, ", ")))
	}
	if untold {
		t.Notes = append(t.Notes, "Cannot be told: the interval of the ratio to the first spans 1, so either may be the cheaper one.")
	}
	t.Notes = append(t.Notes, "A store that is read a key at a time is opened as often as the program starts; a snapshot is loaded, and then in memory. One update of a snapshot saves all of it.")
	t.Notes = append(t.Notes, reasons(without)...)
	for _, a := range m.Arms {
		if a.Class != day.Durability {
			t.Notes = append(t.Notes, fmt.Sprintf("Arms that write for %s are left out: the day asks for %s.", a.Class, day.Durability))
			break
		}
	}
	return t
}

const secondsADay = 24 * 60 * 60

// dayHead are the headings of a Day.
var dayHead = []string{"store\nthe cheapest first", "a day\ntime", "over the first\ntimes", "on disk\nbytes", "most of it"}

// unchecked says of which arms' operations the error is not known.
func unchecked(list []cost.Ranked) []string {
	var texts []string
	for _, r := range list {
		var ops []string
		for _, t := range r.Terms {
			if t.Unchecked {
				ops = append(ops, string(t.Operation))
			}
		}
		if len(ops) > 0 {
			texts = append(texts, fmt.Sprintf("%s of %s", strings.Join(ops, ", "), r.ID.Name))
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("⚠ The error is not known, since there were no more sizes than coefficients: %s. The interval is that of the rounds alone.", strings.Join(texts, "; "))}
}

// exceeded says in what an estimate lies outside of what was measured.
func exceeded(b cost.Beyond) string {
	which := "below the smallest"
	if b.Above {
		which = "above the largest"
	}
	if b.Of == cost.Records {
		return fmt.Sprintf("n is %s that was measured, %s", which, evidence.Count(int(b.Limit)))
	}
	return fmt.Sprintf("the records are %s that were measured, of %s", which, evidence.Quantity(b.Limit, "B"))
}

func reasons(without []error) (notes []string) {
	for _, err := range without {
		notes = append(notes, fmt.Sprintf("Not ranked: %v.", err))
	}
	return notes
}

// estimate is the cost with its interval below, if it has one.
func estimate(e cost.Estimate, number func(float64) string) string {
	p50 := number(e.Cost)
	if e.Level < labkit.LeastLevel {
		return p50
	}
	return lines(p50, interval(p50, number(e.Lo), number(e.Hi)))
}

// nouns are what a day counts of each operation.
var nouns = map[cost.Operation]string{
	cost.Write: "full writes", cost.Load: "loads", cost.Open: "opens", cost.Get: "gets", cost.Update: "updates",
	cost.Change: "updates, each with an opening",
}

// mostOf says which operation most of a bill is, and which part of its formula.
func mostOf(b cost.Bill) string {
	most := b.Terms[0]
	for _, t := range b.Terms[1:] {
		if t.All > most.All {
			most = t
		}
	}
	share := evidence.Percent(math.Round(100*most.All/b.Cost) / 100)
	return lines(fmt.Sprintf("%s, %s", nouns[most.Operation], share), "mostly "+most.Part)
}

// dayText says all of a day, so that ParseDay can read it.
func dayText(d cost.Day) string {
	return fmt.Sprintf("A day with %s records of %s bytes, %s: full writes %s, opens %s, gets %s, updates %s",
		number(float64(d.N)), number(d.Record), d.Durability, number(d.Writes), number(d.Opens), number(d.Gets), number(d.Updates))
}

// number writes all digits of a number, whole ones with separators.
func number(x float64) string {
	const most = 1e15
	if x == math.Trunc(x) && math.Abs(x) < most {
		return evidence.Count(int(x))
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

var dayPattern = regexp.MustCompile(`^A day with (\S+) records of (\S+) bytes, (\S+): full writes (\S+), opens (\S+), gets (\S+), updates (\S+)$`)

// ErrDay: a text is not the title of a Day.
var ErrDay = errors.New("no title of a day")

// ParseDay reads the title of a Day. Anything else is ErrDay.
func ParseDay(title string) (d cost.Day, err error) {
	found := dayPattern.FindStringSubmatch(title)
	if found == nil {
		return d, fmt.Errorf("%w: %q", ErrDay, title)
	}
	n := 0.0
	for i, to := range []*float64{&n, &d.Record, nil, &d.Writes, &d.Opens, &d.Gets, &d.Updates} {
		if to == nil {
			err = d.Durability.UnmarshalText([]byte(found[i+1]))
		} else {
			*to, err = strconv.ParseFloat(strings.ReplaceAll(found[i+1], ",", ""), 64)
		}
		if err != nil {
			return cost.Day{}, fmt.Errorf("%w: %q: %v", ErrDay, title, err)
		}
	}
	if d.N = int(n); float64(d.N) != n || dayText(d) != title {
		return cost.Day{}, fmt.Errorf("%w: %q", ErrDay, title)
	}
	return d, nil
}
