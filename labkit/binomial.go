package labkit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// BinomialBounds says how large the share of trials with a hit may be when hits of
// trials had one: at least lo, at a confidence of level, and at most hi, likewise,
// each by itself. They are exact (Clopper and Pearson's), so that none in 30 still
// leaves up to 9.5 % at 0.95. It supposes that the trials do not depend on each
// other.
//
// Bounds are rounded to six decimals, so that every machine gives the same bits. No
// trials, hits outside of them and a level not between 0 and 1 are ErrSamples.
func BinomialBounds(hits, trials int, level float64) (lo, hi float64, err error) {
	if trials < 1 || hits < 0 || hits > trials || !(level > 0 && level < 1) {
		return 0, 0, fmt.Errorf("%w: %d of %d trials at a level of %v have no bounds", ErrSamples, hits, trials, level)
	}
	k, n := float64(hits), float64(trials)
	hi = 1
	if hits > 0 {
		lo = mathext.InvRegIncBeta(k, n-k+1, 1-level)
	}
	if hits < trials {
		hi = mathext.InvRegIncBeta(k+1, n-k, level)
	}
	const decimals = 1e6
	return math.Round(lo*decimals) / decimals, math.Round(hi*decimals) / decimals, nil
}
