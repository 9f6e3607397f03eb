package evidence

import (
	"fmt"
	"strings"

	"shelflab/labkit"
)

// ControlResult is what an arm measured against itself shows at one n. There is
// no difference to be found, so what is found is noise.
type ControlResult struct {
	N      int
	A, B   string  // the arm, and the arm once more
	Ratios int     // that have an interval
	Level  float64 // of their intervals, the lowest
	Differ []Ratio // those whose interval does not hold 1
	// Chance is how often, at most, equal arms differ in so many ratios.
	Chance float64
}

// Control returns what the control shows at n; ok is false where there is none.
//
// One ratio between equals differs with the chance 1 - level: 6.25 % after five
// rounds. Of several, one differs much more often than that: of three that have
// nothing to do with each other, in 17.6 % of the runs. And the operations of
// one turn do have to do with each other, since what slows the write may last
// until the read, so the chance of k of m cannot be worked out as for coins.
// What holds however they hang together is Markov's inequality: on average the
// sum of the chances differ, so k or more do in at most a k-th of that. Chance
// is this bound: after five rounds 18.75 % for one of three, 9.38 % for two.
func (r *Run) Control(n int) (c ControlResult, ok bool) {
	c.N = n
	expected := 0.0
	for _, x := range r.Ratios {
		if x.Role != Control || x.N != n {
			continue
		}
		if !ok {
			c.A, c.B, ok = x.A, x.B, true
		}
		if !x.HasInterval() {
			continue
		}
		if c.Ratios++; c.Ratios == 1 || x.Level < c.Level {
			c.Level = x.Level
		}
		expected += 1 - x.Level
		if x.Differs() {
			if x.P50 < 1 {
				x = r.Turned(x)
			}
			c.Differ = append(c.Differ, x)
		}
	}
	if k := len(c.Differ); k > 0 {
		c.Chance = min(1, expected/float64(k))
	}
	return c, ok
}

// Shows tells whether the control shows a difference: more ratios differ than
// chance gives in one run of ten, the level from which intervals are shown.
func (c ControlResult) Shows() bool {
	return len(c.Differ) > 0 && c.Chance <= 1-labkit.LeastLevel
}

// String says it in a sentence.
func (c ControlResult) String() string {
	at := "n = " + Count(c.N)
	switch {
	case c.Shows():
		return fmt.Sprintf("This machine was too noisy, %s: %s measured twice differs from itself: %s. Equal arms differ so in at most %s of all runs: a difference of this size is noise here.",
			at, c.A, c.differ(), Percent(c.Chance))
	case c.Ratios == 0:
		return fmt.Sprintf("Control, %s: too few rounds to set %s against itself, at least 5 are needed.", at, c.A)
	case len(c.Differ) > 0:
		return fmt.Sprintf("Control, %s: %s measured twice differs from itself in %d of %d ratios (%s), no more than chance gives in up to %s of all runs.",
			at, c.A, len(c.Differ), c.Ratios, c.differ(), Percent(c.Chance))
	}
	return fmt.Sprintf("Control, %s: %s measured twice shows no difference from itself: none of %d ratios differs at %s.", at, c.A, c.Ratios, Percent(c.Level))
}

// differ lists the ratios that differ, each as a number above 1.
func (c ControlResult) differ() string {
	texts := make([]string, len(c.Differ))
	for i, x := range c.Differ {
		texts[i] = fmt.Sprintf("%s %s times", x.Metric, Factor(x.P50))
	}
	return strings.Join(texts, ", ")
}

// most is the largest difference that the control shows.
func (c ControlResult) most() float64 {
	most := 1.0
	for _, x := range c.Differ {
		most = max(most, x.P50)
	}
	return most
}
