package labkit

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestHolding(t *testing.T) {
	many := summary(make([]float64, MaxRounds))
	for _, c := range []struct {
		n, m       int
		want, give float64
	}{
		{5, 1, 4.0 / 6, 1e-9},                    // it is neither the first nor the last of six
		{5, 7, 1 - 2*840.0/11880, 1e-9},          // the first four of twelve are none of the seven
		{5, 6, 1 - 120.0/990 - 21.0/462, 1e-9},   // the third of six
		{1, 7, 0, 0},                             // no interval
		{5, 0, 0, 0},                             // nothing to hold
		{MaxRounds, 1_000_001, many.Level, 1e-3}, // so many have the median itself
	} {
		if got := summary(make([]float64, c.n)).Holding(c.m); math.Abs(got-c.want) > c.give {
			t.Errorf("%d samples against %d: %v, want %v", c.n, c.m, got, c.want)
		}
	}
	// A trial with samples of a lopsided distribution.
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []float64 {
		samples := make([]float64, n)
		for i := range samples {
			samples[i] = random.ExpFloat64()
		}
		return samples
	}
	const tries = 4000
	for _, n := range []int{5, 6, 11, 20} {
		for _, m := range []int{3, 7, 15} {
			held := 0
			for range tries {
				if s, p50 := summary(draw(n)), P50(draw(m)); s.Lo <= p50 && p50 <= s.Hi {
					held++
				}
			}
			want := summary(draw(n)).Holding(m)
			if got := float64(held) / tries; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/tries) {
				t.Errorf("%d samples against %d: %.3f of %d trials, want %.3f", n, m, got, tries, want)
			}
		}
	}
}
