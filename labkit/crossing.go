package labkit

import (
	"fmt"
	"math"
)

// Crossed says how two arms stand to each other over n. Each round is of one of
// five kinds, and counted there.
type Crossed struct {
	First  int // the first is better at every size
	Second int // the second is
	Gains  int // the first is worse at small n and better at large ones
	Loses  int // the first is better at small n and worse at large ones
	Often  int // they change places more than once
	// At summarises the n at which the two change places. A round in which one is
	// better at every size counts as one that changes below the smallest, 0, or
	// beyond the largest, +Inf: Lo and Hi may be either. Its Count is 0 where no
	// such n can be told, since rounds change either way, or more than once, or
	// the median lies outside of the sizes.
	At Summary
}

// Crossing finds the n from which on the other of two arms is better. better[i]
// holds how many times better the first is at n[i], one a round, in order. In each
// round the n is looked for on a straight line from one size to the next, both n
// and ratio on log scales, and rounded to a whole number; what lies outside of the
// sizes is not looked for. Equal is as good as better.
//
// Errors are those of LogSlope: fewer than two sizes, sizes that do not ascend,
// unequal numbers of rounds, and a ratio that is not positive and finite.
func Crossing(n []int, better [][]float64) (c Crossed, err error) {
	if _, err := LogSlope(n, better); err != nil {
		return c, err
	}
	for i := range n[1:] {
		if n[i] >= n[i+1] {
			return c, fmt.Errorf("%w: the sizes %v do not ascend", ErrSamples, n)
		}
	}
	rounds := len(better[0])
	at := make([]float64, rounds)
	for round := range better[0] {
		changes := 0
		for i := range n[1:] {
			x, y := better[i][round], better[i+1][round]
			if (x < 1) == (y < 1) {
				continue
			}
			changes++
			// The share of the way at which the line meets a ratio of 1.
			share := math.Log(x) / (math.Log(x) - math.Log(y))
			at[round] = math.Round(math.Exp(math.Log(float64(n[i])) + share*math.Log(float64(n[i+1])/float64(n[i]))))
		}
		switch first := better[0][round] >= 1; {
		case changes > 1:
			c.Often++
		case changes == 1 && first:
			c.Loses++
		case changes == 1:
			c.Gains++
		case first:
			c.First++
		default:
			c.Second++
		}
	}
	if c.Often > 0 || c.Gains > 0 == (c.Loses > 0) {
		return c, nil
	}
	for round := range at {
		// Who is better throughout is so beyond where the other one ends.
		if first := better[0][round] >= 1; at[round] == 0 && first == (c.Loses > 0) {
			at[round] = math.Inf(1)
		}
	}
	if s := summary(at); s.P50 > 0 && !math.IsInf(s.P50, 1) {
		c.At = s
	}
	return c, nil
}
