package labkit_test

import (
	"errors"
	"math"
	"testing"

	"shelflab/labkit"
)

// Values as tables of exact binomial bounds have them.
func TestBinomialBounds(t *testing.T) {
	for _, c := range []struct {
		hits, trials int
		level        float64
		lo, hi       float64
	}{
		{0, 30, 0.95, 0, 0.0950}, // 1 - 0.05^(1/30)
		{0, 3, 0.95, 0, 0.6316},
		{0, 59, 0.95, 0, 0.0495}, // the fewest that leave less than 5 %
		{0, 1, 0.95, 0, 0.95},
		{1, 1, 0.95, 0.05, 1},
		{30, 30, 0.95, 0.9050, 1},
		{5, 10, 0.975, 0.1871, 0.8129}, // both ends of the two-sided 95 %
		{1, 10, 0.975, 0.0025, 0.4450},
		{8, 20, 0.975, 0.1912, 0.6395},
	} {
		lo, hi, err := labkit.BinomialBounds(c.hits, c.trials, c.level)
		if err != nil || math.Abs(lo-c.lo) > 5e-5 || math.Abs(hi-c.hi) > 5e-5 {
			t.Errorf("%d of %d at %v: %v to %v, %v; want %v to %v", c.hits, c.trials, c.level, lo, hi, err, c.lo, c.hi)
		}
	}
}

// A share of hi gives so few hits or fewer with probability 1-level, and one of lo
// so many or more: what makes them bounds.
func TestBinomialBoundsAreExact(t *testing.T) {
	upTo := func(hits, trials int, share float64) (p float64) {
		each := math.Pow(1-share, float64(trials))
		for k := range hits + 1 {
			p += each
			each *= float64(trials-k) / float64(k+1) * share / (1 - share)
		}
		return p
	}
	for trials := 1; trials <= 60; trials += 7 {
		for hits := range trials + 1 {
			lo, hi, err := labkit.BinomialBounds(hits, trials, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			if p := upTo(hits, trials, hi); hits < trials && math.Abs(p-0.05) > 1e-4 {
				t.Errorf("%d of %d: a share of %v gives as few with %v", hits, trials, hi, p)
			}
			if p := 1 - upTo(hits-1, trials, lo); hits > 0 && math.Abs(p-0.05) > 1e-4 {
				t.Errorf("%d of %d: a share of %v gives as many with %v", hits, trials, lo, p)
			}
		}
	}
	for _, c := range []struct {
		hits, trials int
		level        float64
	}{{0, 0, 0.9}, {-1, 3, 0.9}, {4, 3, 0.9}, {1, 3, 0}, {1, 3, 1}, {1, 3, math.NaN()}} {
		if _, _, err := labkit.BinomialBounds(c.hits, c.trials, c.level); !errors.Is(err, labkit.ErrSamples) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
