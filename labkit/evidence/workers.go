package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shelflab/labkit"
)

// What several workers on one store have shown: whether it keeps up with the
// operations that it is offered, and whether what they have done is there.

// OfferedRate is the name under which a part is given the rate at which operations
// begin in its open loop, in operations a second.
const OfferedRate = "rate"

// Offered is the rate at which the operations of the run's open loop begin, in
// operations a second; 0 where there is none.
func (r *Run) Offered() float64 {
	rate, err := strconv.ParseFloat(r.Plan.Given[OfferedRate], 64)
	if err != nil || !(rate > 0) || rate > labkit.MaxRecords {
		return 0
	}
	return rate
}

// late is the share of the time over which operations were offered by which the
// last may be done later for the arm to have kept up: beyond it the backlog grows,
// and a longer measurement would give longer latencies.
const late = 0.1

// Pace says whether an arm keeps up with the rate that it is offered.
type Pace string

const (
	PaceUnknown Pace = ""               // not measured
	KeepsUp     Pace = "keeps up"       // for sure
	FallsBehind Pace = "falls behind"   // for sure: its backlog grows
	PaceUntold  Pace = "cannot be told" // the interval holds both, or the rounds give none
)

// Pace tells whether an arm keeps up with the offered rate at n: whether the work
// was done, after the last operation should have begun, within a tenth of the time
// over which operations were offered. It is for sure if the whole interval of the
// rounds says so.
func (r *Run) Pace(arm string, n int) Pace {
	rate := r.Offered()
	for _, s := range r.Series {
		if s.Arm != arm || s.N != n || s.Metric != labkit.Behind.Name || !(rate > 0) {
			continue
		}
		most := late * float64(s.Work) / rate
		took, err := labkit.Summarize(s.Samples)
		switch {
		case err != nil || took.Level < labkit.LeastLevel:
			return PaceUntold
		case took.Hi <= most:
			return KeepsUp
		case took.Lo > most:
			return FallsBehind
		}
		return PaceUntold
	}
	return PaceUnknown
}

// latencies are the metrics that mean nothing where an arm does not keep up: they
// tell how long it was measured.
var latencies = []string{labkit.Latency50.Name, labkit.Latency99.Name}

// notKeepingUp lists those of a comparison's arms that fall behind at n, if it is of
// latencies.
func (r *Run) notKeepingUp(c Comparison, n int, metric string) []string {
	if !slices.Contains(latencies, metric) {
		return nil
	}
	var list []string
	for _, arm := range []string{c.A, c.B} {
		if r.Pace(arm, n) == FallsBehind && !slices.Contains(list, arm) {
			list = append(list, arm)
		}
	}
	return list
}

// NotKeepingUp lists the arms of a ratio that there is none of because they do not
// keep up with what they are offered.
func (r *Run) NotKeepingUp(x Ratio) []string {
	return r.notKeepingUp(Comparison{A: x.A, B: x.B}, x.N, x.Metric)
}

// offeredText is the rate in words.
func (r *Run) offeredText() string { return Quantity(r.Offered(), labkit.Throughput.Unit) }

// HalfOfTypical returns half of the median, over the arms, of the p50 of
// their throughput at the smallest n that was measured, rounded down to two
// digits: a rate to offer all of them that is neither idle nor beyond most. 0 if
// no arm was measured.
func (r *Run) HalfOfTypical() int {
	ns := r.Measured()
	if len(ns) == 0 {
		return 0
	}
	var list []float64
	for _, arm := range labkit.Results(r.Arms) {
		if s, ok := r.Summary(arm.Name, ns[0], labkit.Throughput.Name); ok {
			list = append(list, s.P50)
		}
	}
	rate, unit := int(labkit.P50(list)/2), 1
	for rate >= 100*unit {
		unit *= 10
	}
	return rate / unit * unit
}

// workerLines say which arms do not keep up, and what is not there of what the
// workers have done, over all sizes: a line for each arm that fails in something,
// and one for all that do not.
func (r *Run) workerLines() []string {
	var lines, keeping, whole []string
	all := "" // what those that are whole have in common
	for _, arm := range labkit.Results(r.Arms) {
		at := map[Pace][]int{}
		for _, n := range r.Measured() {
			p := r.Pace(arm.Name, n)
			at[p] = append(at[p], n)
		}
		if ns := at[FallsBehind]; len(ns) > 0 {
			lines = append(lines, fmt.Sprintf("%s cannot keep up with %s at %s %s: its backlog grows, so its latency says only how long it was measured.",
				arm.Name, r.offeredText(), sizes(ns), r.Plan.Pieces()))
		}
		if ns := at[PaceUntold]; len(ns) > 0 {
			lines = append(lines, fmt.Sprintf("Whether %s keeps up with %s at %s %s cannot be told from %s.",
				arm.Name, r.offeredText(), sizes(ns), r.Plan.Pieces(), many(r.Plan.Rounds, "round", "rounds")))
		}
		if len(at) == 1 && len(at[KeepsUp]) > 0 {
			keeping = append(keeping, arm.Name)
		}
	}
	if len(keeping) > 0 {
		lines = append(lines, fmt.Sprintf("%s: %s up with %s at every n.", strings.Join(keeping, "; "), verb(len(keeping), "it keeps", "all keep"), r.offeredText()))
	}
	for _, arm := range labkit.Results(r.Arms) {
		lost, torn := r.counts(arm.Name, labkit.LostUpdates.Name), r.counts(arm.Name, labkit.TornReads.Name)
		if lost.rounds+torn.rounds == 0 {
			continue
		}
		text := fmt.Sprintf("of %s %s lost%s, and of %s %s what nobody has written%s; bounds at %s.",
			many(lost.of, "update", "updates"), noneOr(lost.counted, "was", "were"), lost.share("lose one"),
			many(torn.of, "read", "reads"), noneOr(torn.counted, "gave", "gave"), torn.share("give such"), Percent(labkit.WantedLevel))
		if lost.counted+torn.counted > 0 || all != "" && text != all { // an interrupted run has looked at fewer of some
			lines = append(lines, arm.Name+": "+text)
			continue
		}
		all, whole = text, append(whole, arm.Name)
	}
	if len(whole) > 0 {
		lines = append(lines, fmt.Sprintf("%s: %s%s", strings.Join(whole, "; "), verb(len(whole), "", "each, "), all))
	}
	return lines
}

// happenings are what was looked at and counted over all sizes and rounds.
type happenings struct{ of, counted, rounds, hits int }

// counts adds up, over all sizes and rounds, what was looked at, what was counted
// of it, and in how many rounds.
func (r *Run) counts(arm, metric string) (h happenings) {
	for _, s := range r.Series {
		if s.Arm != arm || s.Metric != metric {
			continue
		}
		h.of += s.Work * len(s.Samples)
		h.rounds += len(s.Samples)
		for _, x := range s.Samples {
			if h.counted += int(x); x > 0 {
				h.hits++
			}
		}
	}
	return h
}

// share bounds the share of rounds in which it happens, as it is done for kills. It
// is of rounds and not of operations, since those of one round meet each other: what
// happens to one tells of the next. Rounds of unequal n need not be alike: then the
// share is their mean. Where it never happened the bound holds for that as well,
// since a product of unequal shares is below that of equal ones; elsewhere nearly.
func (h happenings) share(does string) string {
	lo, hi, err := labkit.BinomialBounds(h.hits, h.rounds, labkit.WantedLevel)
	if err != nil { // it was not looked at
		return ""
	}
	if h.hits == 0 {
		return fmt.Sprintf(" (at most %s of rounds %s)", share(hi), does)
	}
	return fmt.Sprintf(" (in %d of %s; at least %s of rounds %s)", h.hits, rounds(h.rounds), share(lo), does)
}

func noneOr(n int, one, more string) string {
	if n == 0 {
		return "none " + one
	}
	return many(n, one, more)
}
