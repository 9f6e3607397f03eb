package show

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func rounds(n int) string {
	if n == 1 {
		return "1 round"
	}
	return evidence.Count(n) + " rounds"
}

func counts(ns []int) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = evidence.Count(n)
	}
	return strings.Join(texts, ", ")
}

// size is an n with what it counts: "n = 10,000 dictionaries", and only the
// number for records.
func size(run *evidence.Run, n int) string {
	text := "n = " + evidence.Count(n)
	if run.Plan.Counts != "" {
		text += " " + run.Plan.Counts
	}
	return text
}

// incomplete says what the run lacks, "" if nothing.
func incomplete(run *evidence.Run) string {
	if run.Complete {
		return ""
	}
	return MissingText(run.Missing())
}

// MissingText says which sizes of a run are missing, as Load displays it.
func MissingText(ns []int) string {
	return fmt.Sprintf("Incomplete: n = %s not measured to the last round.", counts(ns))
}

// headUnit is the unit of a column.
func headUnit(m labkit.Metric) string {
	switch m.Unit {
	case "records/s":
		return "rec/s"
	case "s":
		return "time"
	case "B":
		return "bytes"
	case "allocs/record", "B/record":
		return "a record"
	case "B/B":
		return "times"
	case "GCs":
		return "number"
	}
	return m.Unit
}

// describe says what an arm is.
func describe(arm labkit.Arm) string {
	if arm.Kind == "" || arm.Pair == "" {
		return arm.Kind + arm.Pair
	}
	return arm.Kind + ", " + arm.Pair
}

// survives is the durability class in words, without its article.
func survives(d labkit.Durability) string {
	return strings.ReplaceAll(d.String(), "-", " ")
}

func durabilities(run *evidence.Run) []labkit.Durability {
	var out []labkit.Durability
	for _, arm := range run.Arms {
		if !slices.Contains(out, arm.Durability) {
			out = append(out, arm.Durability)
		}
	}
	return out
}

// value is an arm's p50 with its interval; a rate's unit stands in the heading.
func value(run *evidence.Run, arm string, n int, m labkit.Metric) string {
	s, ok := run.Summary(arm, n, m.Name)
	if !ok {
		return none
	}
	number := func(v float64) string { return amount(v, m) }
	of, within := "", ""
	if s.Count < run.Plan.Rounds {
		of = "of " + rounds(s.Count)
	}
	if s.HasInterval() {
		within = interval(number(s.P50), number(s.Lo), number(s.Hi))
	}
	return lines(number(s.P50), of, within, ranged(s.Summary, number), behind(run, arm, n, m))
}

// wider tells whether samples lie outside of what is shown of a summary beside its
// p50: outside of its interval, or anywhere if there is none.
func wider(s labkit.Summary) bool {
	return s.Count > 1 && (!s.HasInterval() || s.Min < s.Lo || s.Max > s.Hi)
}

// ranged is the range of the samples in brackets, "" where it is the interval or only repeats
// the p50.
func ranged(s labkit.Summary, number func(float64) string) string {
	if !wider(s) {
		return ""
	}
	if text := interval(number(s.P50), number(s.Min), number(s.Max)); text != "" {
		return "[" + text + "]"
	}
	return ""
}

// behind says that a latency means little, since its arm does not keep up, or may
// not.
func behind(run *evidence.Run, arm string, n int, m labkit.Metric) string {
	if m.Name != labkit.Latency50.Name && m.Name != labkit.Latency99.Name {
		return ""
	}
	switch run.Pace(arm, n) {
	case evidence.FallsBehind:
		return "cannot keep up"
	case evidence.PaceUntold:
		return "may not keep up"
	}
	return ""
}

// amount writes a value of a metric in a column whose heading has the unit.
func amount(v float64, m labkit.Metric) string {
	switch {
	case m.Unit == "B/record": // a size all the same
		return evidence.Quantity(v, "B")
	case m.Amount():
		return evidence.Factor(v)
	case m.Unit == "GCs" && v == math.Trunc(v), m.Counted() && v == math.Trunc(v):
		return evidence.Count(int(v))
	case m.Unit == "GCs":
		return evidence.Factor(v)
	}
	text := strings.TrimSuffix(evidence.Quantity(v, m.Unit), " rec/s")
	return strings.TrimSuffix(text, " "+labkit.Throughput.Unit)
}

// interval is the interval of a p50, "" where it would only repeat the p50:
// what never varies, as a size on disk, has none to show.
func interval(p50, lo, hi string) string {
	if lo == p50 && hi == p50 {
		return ""
	}
	return span(lo, hi)
}

// lines puts what stands in a cell below each other, leaving out what is empty.
func lines(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), "\n")
}

// span writes an interval; a unit that both ends share is written once.
func span(lo, hi string) string {
	if lo == hi {
		return lo
	}
	first, unit, _ := strings.Cut(lo, " ")
	if _, other, _ := strings.Cut(hi, " "); unit == other {
		lo = first
	}
	return lo + " – " + hi
}

// intervalNote says what stands below each p50, or why nothing does.
func intervalNote(run *evidence.Run, n int) string {
	level, most, wide := 0.0, 0, ""
	for _, s := range run.Summaries {
		if s.N != n {
			continue
		}
		most = max(most, s.Count)
		if wider(s.Summary) {
			wide = " In brackets: the smallest and the largest, where they lie farther out."
		}
		if s.HasInterval() && (level == 0 || s.Level < level) {
			level = s.Level
		}
	}
	if level == 0 {
		return fmt.Sprintf("No intervals: %s, and an interval needs 5.", rounds(most)) + wide
	}
	note := fmt.Sprintf("Below each p50: where the median lies, at the %s level.", evidence.Percent(level))
	if level < labkit.WantedLevel {
		note += fmt.Sprintf(" %d rounds reach %s.", labkit.RoundsWanted, evidence.Percent(labkit.WantedLevel))
	}
	return note + wide
}

// warnings lists what weakens the run, each with its remedy.
func warnings(run *evidence.Run) []string {
	var out []string
	for _, w := range run.Warnings {
		out = append(out, strings.TrimSpace("⚠ "+w.Text+" "+w.Remedy))
	}
	return out
}

// sentence begins a sentence with the name of a metric.
func sentence(name string) string {
	letter, size := utf8.DecodeRuneInString(name)
	if size == 0 {
		return "?"
	}
	return string(unicode.ToUpper(letter)) + name[size:]
}
