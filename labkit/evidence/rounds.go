package evidence

import (
	"fmt"
	"math"
	"strings"

	"shelflab/labkit"
)

// What the rounds themselves show, whichever arm is better: a first one that is
// slow, a trend from the first to the last, and whether it matters to be
// measured first or last in a round.
//
// All three look at turns. A turn's pace is the median, over what was timed in
// it, of the sample over the p50 of its series: 1.2 is a turn that was a fifth
// slower than that arm usually is. Only divisions and medians are used, so that
// verifying gives the same bits on every machine.

// sweep is the paces of the turns at one n.
type sweep struct {
	n     int
	pace  [][]float64 // by arm, then round
	place [][]int     // by arm, then round, from 1; empty if it is not known
}

// rounds is the pace of each round: the median over its turns.
func (s sweep) rounds() []float64 { return medians(s.pace, len(s.pace[0])) }

// sweeps returns the turns at each n, of the rounds that all arms have.
func (r *Run) sweeps() []sweep {
	var list []sweep
	type seat struct {
		n   int
		arm string
	}
	of := map[seat][]labkit.Series{}
	for _, s := range r.Series {
		if r.timed(s) {
			of[seat{s.N, s.Arm}] = append(of[seat{s.N, s.Arm}], s)
		}
	}
	for _, n := range r.Measured() {
		at := sweep{n: n}
		count, known := r.Plan.Rounds, true
		for _, arm := range r.Arms {
			pace, place := turnsOf(of[seat{n, arm.Name}])
			if len(pace) == 0 {
				continue
			}
			at.pace, at.place = append(at.pace, pace), append(at.place, place)
			known, count = known && len(place) >= len(pace), min(count, len(pace))
		}
		if len(at.pace) == 0 {
			continue
		}
		if !known {
			at.place = nil
		}
		for i := range at.pace { // an arm that came first may have a round more
			at.pace[i] = at.pace[i][:count]
		}
		list = append(list, at)
	}
	return list
}

// turnsOf returns the paces and places of one arm's turns, of which it was timed
// in these series: of as many rounds as all of them have.
func turnsOf(series []labkit.Series) (pace []float64, place labkit.Turns) {
	var ratios [][]float64
	count := 0
	for i, s := range series {
		p50 := labkit.P50(s.Samples)
		over := make([]float64, len(s.Samples))
		for j, x := range s.Samples {
			over[j] = x / p50
		}
		if ratios = append(ratios, over); i == 0 || len(over) < count {
			count = len(over)
		}
		place = s.Turns
	}
	return medians(ratios, count), place
}

// medians returns the median over the lists at each of the first count places.
func medians(lists [][]float64, count int) []float64 {
	out := make([]float64, count)
	for i := range out {
		column := make([]float64, len(lists))
		for j := range lists {
			column[j] = lists[j][i]
		}
		out[i] = labkit.P50(column)
	}
	return out
}

// timed tells whether a series holds times that the clock took in the rounds of
// Measure: what is measured in rounds of its own has others beside it.
func (r *Run) timed(s labkit.Series) bool {
	m, _ := r.Metric(s.Metric)
	return s.Unit == "s" && m.Group == labkit.Main
}

const (
	// visible is the least difference between rounds, or places in a round,
	// that a warning speaks of.
	visible = 1.05
	// fewestRounds is how many rounds at one n must be there to say anything
	// about the first.
	fewestRounds = 5
)

// firstSlow returns the sizes at which the first round is slower than all
// others, and the largest of how many times it is slower than their p50.
//
// The test is Dixon's: the gap between the slowest round and the next is more
// than twice as wide as the range of all the rest. Of five equal rounds whose
// paces are normally distributed the slowest one stands apart so far at about a
// twelfth of the sizes, and is the first in a fifth of those: 2 % of the sizes.
func firstSlow(sweeps []sweep) (ns []int, times float64) {
	for _, s := range sweeps {
		paces := s.rounds()
		if len(paces) < fewestRounds {
			continue
		}
		first, rest := paces[0], paces[1:]
		slowest, fastest := rest[0], rest[0]
		for _, x := range rest {
			slowest, fastest = max(slowest, x), min(fastest, x)
		}
		over := first / labkit.P50(rest)
		if first-slowest > 2*(slowest-fastest) && over >= visible {
			ns, times = append(ns, s.n), max(times, over)
		}
	}
	return ns, times
}

// drift tells whether the rounds grow slower (or faster) from the first to the
// last, and how many times the p50 of the last round is that of the first.
//
// The test is Mann's and Kendall's, with the sizes as its seasons: of all pairs
// of rounds at one n, how many more are slower in the later one than faster. It
// supposes no distribution. Rounds without a trend are taken for drifting in at
// most 5 % of the runs; after five rounds at one n, in 1.7 %, since only a trend
// without exception is told.
func drift(sweeps []sweep) (times float64, drifts bool) {
	more, variance := 0, 0.0
	var lasts []float64
	for _, s := range sweeps {
		paces := s.rounds()
		for i := range paces {
			for _, later := range paces[i+1:] {
				switch {
				case later > paces[i]:
					more++
				case later < paces[i]:
					more--
				}
			}
		}
		n := float64(len(paces))
		variance += n * (n - 1) * (2*n + 5) / 18
		lasts = append(lasts, paces[len(paces)-1]/paces[0])
	}
	times = labkit.P50(lasts)
	beyond := float64(max(more, -more)-1) > 1.96*math.Sqrt(variance)
	return times, beyond && (times >= visible || times <= 1/visible)
}

// effect is what it does to a turn to be the first, or the last, of its round.
type effect struct {
	where string  // "first" or "last"
	times float64 // p50 of its pace over that of its round
	slow  int     // turns that were slower than their round
	turns int     // that were slower or faster
	seen  bool    // it can be told from chance, and it is large enough to matter
}

// ofOrder returns what it does to be first, and to be last.
//
// The test is the sign test. The order of a round is drawn by lot, so the arm
// that comes first is any of them, and without an effect its pace is as likely
// above the median pace of that round as below, whatever the arms, their noise
// and the rounds are like. Its level is 99 %, since there are two tests; fewer
// than nine turns cannot reach that. With two or three arms each one is first so
// often that its p50 hides the effect.
func ofOrder(sweeps []sweep) []effect {
	var list []effect
	for _, where := range []string{"first", "last"} {
		e := effect{where: where}
		var paces []float64
		for _, s := range sweeps {
			if s.place == nil {
				continue
			}
			for i, round := range s.rounds() {
				at := atPlace(s, i, where)
				if at < 0 {
					continue
				}
				pace := s.pace[at][i] / round
				paces = append(paces, pace)
				switch {
				case pace > 1:
					e.slow++
					e.turns++
				case pace < 1:
					e.turns++
				}
			}
		}
		e.times = labkit.P50(paces)
		apart := 2*e.slow - e.turns
		beyond := float64(max(apart, -apart)-1) > 2.576*math.Sqrt(float64(e.turns))
		e.seen = beyond && (e.times >= visible || e.times <= 1/visible)
		list = append(list, e)
	}
	return list
}

// Order says in a sentence what the order of the arms does, which is drawn anew
// in each round: "" if no round has two arms. A warning says more where an
// effect is seen.
func (r *Run) Order() string {
	effects := ofOrder(r.sweeps())
	texts := make([]string, len(effects))
	for i, e := range effects {
		if e.times == 0 { // the order is not told
			return ""
		}
		what := "no effect seen"
		if e.seen {
			what = "an effect"
		}
		texts[i] = fmt.Sprintf("the %s arm of a round takes %s times its round's pace (%s in %d turns)", e.where, Factor(e.times), what, e.turns)
	}
	return "Order: " + strings.Join(texts, ", ") + "."
}

// atPlace finds the arm that was first, or last, in round i, -1 if there are
// not two arms.
func atPlace(s sweep, i int, where string) int {
	if len(s.place) < 2 {
		return -1
	}
	at := 0
	for arm := range s.place {
		place, best := s.place[arm][i], s.place[at][i]
		if where == "first" && place < best || where == "last" && place > best {
			at = arm
		}
	}
	return at
}
