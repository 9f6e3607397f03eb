package labkit

import (
	"fmt"
	"math"
)

// LogSlope says how samples grow with n: the exponent of the power of n that
// fits them best, 1 for what is linear in n, 0 for what does not grow. rounds[i]
// holds the samples at n[i], one a round, in order. The slope of log(sample) on
// log(n) is fitted in each round by least squares, and the Summary is of those
// slopes, which have no unit and may be negative. The samples of one round at two
// sizes were not taken together, so what slows the machine down between two
// sizes is in the slope.
//
// Slopes are rounded to nine decimals, so that every machine gives the same bits,
// however its processor rounds. Fewer than two sizes, a size below 1 or there
// twice, sizes with unequal numbers of rounds or none, and a sample that is not
// positive and finite are ErrSamples.
func LogSlope(n []int, rounds [][]float64) (Summary, error) {
	bad := func(format string, args ...any) (Summary, error) {
		return Summary{}, fmt.Errorf("%w: %s", ErrSamples, fmt.Sprintf(format, args...))
	}
	if len(n) < 2 || len(n) != len(rounds) {
		return bad("a slope over %d sizes with samples at %d: it takes two or more", len(n), len(rounds))
	}
	seen := map[int]bool{}
	x := make([]float64, len(n))
	for i, size := range n {
		if size < 1 || seen[size] {
			return bad("n = %d is below 1 or there twice", size)
		}
		seen[size] = true
		x[i] = math.Log(float64(size))
		if len(rounds[i]) == 0 || len(rounds[i]) != len(rounds[0]) {
			return bad("%d rounds at n = %d, %d at n = %d", len(rounds[i]), size, len(rounds[0]), n[0])
		}
	}
	slopes := make([]float64, len(rounds[0]))
	y := make([]float64, len(n))
	for round := range slopes {
		for i := range n {
			sample := rounds[i][round]
			if err := usable(round, sample); err != nil || sample == 0 {
				return bad("number %d at n = %d is %v: there is no logarithm of it", round+1, n[i], sample)
			}
			y[i] = math.Log(sample)
		}
		slopes[round] = slope(x, y)
	}
	return summary(slopes), nil
}

// slope is that of y on x by least squares, to nine decimals. The x differ.
func slope(x, y []float64) float64 {
	meanX, meanY := mean(x), mean(y)
	var over, under float64
	for i := range x {
		dx := x[i] - meanX
		over += float64(dx * (y[i] - meanY)) // not fused with the addition, which some processors round otherwise
		under += float64(dx * dx)
	}
	const decimals = 1e9
	return math.Round(over/under*decimals)/decimals + 0 // no negative zero
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}
