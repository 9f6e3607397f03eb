package labkit

import (
	"math"
	"math/big"
)

// medianInterval returns the narrowest interval around the median of n samples
// that reaches WantedLevel, or the range if none does: it goes from the rank-th
// smallest sample to the rank-th largest, counted from 1. level is what it
// reaches: the median lies outside only if fewer than rank of n fair coins fall
// on one side.
//
// Both ends have the same rank, so that the interval of b/a is that of a/b
// turned over, and a verdict does not depend on which arm is named first. (An
// interval that may be lopsided, as benchmath's, is a little narrower for some
// n, such as 8 or 11, and leans to the low side.)
//
// The sums are whole numbers and divided once, so a level has the same bits on
// every machine: verifying compares them.
func medianInterval(n int) (rank int, level float64) {
	if n > MaxRounds {
		// So many coins are normally distributed; one rank is given away for
		// the error of that.
		half := float64(1.96 * math.Sqrt(float64(n)) / 2)
		return int(float64(n)/2-half) - 1, WantedLevel
	}
	var (
		all     = new(big.Int).Lsh(big.NewInt(1), uint(n)) // 2^n ways in which the coins fall
		ways    = big.NewInt(1)                            // in which exactly rank-1 fall on one side
		outside = new(big.Int)                             // in which fewer than rank do, on either side
	)
	for k := 0; 2*k < n; k++ {
		outside.Add(outside, new(big.Int).Lsh(ways, 1))
		inside := new(big.Float).SetInt(new(big.Int).Sub(all, outside))
		reached, _ := inside.SetMantExp(inside, -n).Float64()
		if rank > 0 && reached < WantedLevel {
			break
		}
		rank, level = k+1, reached
		ways.Mul(ways, big.NewInt(int64(n-k)))
		ways.Quo(ways, big.NewInt(int64(k+1)))
	}
	return rank, level
}
