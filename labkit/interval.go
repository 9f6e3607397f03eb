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

// Holding is the chance that the interval of s holds the p50 of m other samples,
// if nothing sets the two apart: the samples are of one distribution, whatever it
// is, and no two are equal. For an even m it is that of either sample in the middle,
// which their mean meets a little more often. It is 0 where there is no interval, or m
// is below 1.
func (s Summary) Holding(m int) float64 {
	if s.Level == 0 || m < 1 {
		return 0
	}
	n, k := s.Count, (m+1)/2
	rank, _ := medianInterval(n)
	// Shuffled together, every order of theirs and ours is equally likely. The k-th of
	// the others lies outside where fewer than rank of s come before it, or after it.
	outside := 0.0
	for i := range rank {
		outside += math.Exp(choose(k-1+i, i) + choose(m-k+n-i, n-i) - choose(n+m, n))
		outside += math.Exp(choose(m-k+i, i) + choose(k-1+n-i, n-i) - choose(n+m, n))
	}
	return 1 - outside
}

// choose is the logarithm of the number of ways to choose k of n.
func choose(n, k int) float64 {
	of := func(n int) float64 {
		log, _ := math.Lgamma(float64(n + 1))
		return log
	}
	return of(n) - of(k) - of(n-k)
}
