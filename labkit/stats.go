package labkit

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrSamples says that samples cannot be summarised or compared: there are
// none, one is NaN, infinite or negative, or two series do not pair up.
var ErrSamples = errors.New("samples")

const (
	// WantedLevel is the confidence level that intervals are asked at.
	WantedLevel = 0.95
	// LeastLevel is the lowest level at which an interval is shown. Five rounds
	// reach 0.9375, four only 0.875.
	LeastLevel = 0.90
	// RoundsWanted is how many rounds reach WantedLevel.
	RoundsWanted = 6
)

// P50 returns the median of the samples: the middle one, or the mean of the
// two middle ones. The samples are copied, not sorted in place. No samples give
// the zero value.
func P50[T ~int | ~int64 | ~float64](samples []T) T {
	if len(samples) == 0 {
		var zero T
		return zero
	}
	sorted := slices.Sorted(slices.Values(samples))
	mid := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[mid]
	}
	return sorted[mid-1] + (sorted[mid]-sorted[mid-1])/2
}

// Summary is what a series of samples says. All numbers are in the unit of the
// samples. Lo and Hi bound the interval in which the median lies at confidence
// Level, without assuming any distribution (order statistics); for five samples
// that is their range, at 0.9375. It supposes that the rounds do not depend on
// each other: a machine that grows slower from round to round breaks that.
type Summary struct {
	Count int     `json:"count"` // samples
	P50   float64 `json:"p50"`   // their median
	Min   float64 `json:"min"`   // the smallest
	Max   float64 `json:"max"`   // the largest
	Lo    float64 `json:"lo"`    // lower end of the interval
	Hi    float64 `json:"hi"`    // upper end of the interval
	Level float64 `json:"level"` // the level actually reached, between 0 and 1; 0 for one sample
}

// Summarize returns the p50, the range and the interval of the samples, in any
// order; they are copied before they are sorted. Nothing is dropped as an
// outlier. The interval is asked at WantedLevel and, where there are too few
// samples for that, at the level that they reach.
func Summarize(samples []float64) (Summary, error) {
	if len(samples) == 0 {
		return Summary{}, fmt.Errorf("%w: there are none", ErrSamples)
	}
	for i, x := range samples {
		if err := usable(i, x); err != nil {
			return Summary{}, err
		}
	}
	return summary(samples), nil
}

// summary is Summarize for numbers that are known to be good, of either sign.
func summary(numbers []float64) Summary {
	sorted := slices.Sorted(slices.Values(numbers))
	rank, level := medianInterval(len(sorted))
	return Summary{
		Count: len(sorted), P50: P50(sorted), Min: sorted[0], Max: sorted[len(sorted)-1],
		Lo: sorted[rank-1], Hi: sorted[len(sorted)-rank], Level: level,
	}
}

// usable refuses what is no measurement.
func usable(i int, x float64) error {
	if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
		return fmt.Errorf("%w: number %d is %v", ErrSamples, i+1, x)
	}
	return nil
}

// HasInterval tells whether the interval reaches LeastLevel: otherwise show the
// p50 alone and say how many rounds are needed.
func (s Summary) HasInterval() bool { return s.Level >= LeastLevel }

// PairedRatio compares two arms by the ratio a/b inside each round, so that
// what slows the machine down for a while slows both. a and b hold one value a
// round, in order, and must be equally long. A zero in b, or any value that
// Summarize refuses, is ErrSamples.
func PairedRatio(a, b []float64) (Summary, error) {
	if len(a) != len(b) {
		return Summary{}, fmt.Errorf("%w: %d rounds against %d do not pair up", ErrSamples, len(a), len(b))
	}
	ratios := make([]float64, len(a))
	for i := range a {
		if err := errors.Join(usable(i, a[i]), usable(i, b[i])); err != nil {
			return Summary{}, err
		}
		if b[i] == 0 {
			return Summary{}, fmt.Errorf("%w: round %d of the divisor is zero", ErrSamples, i+1)
		}
		ratios[i] = a[i] / b[i]
	}
	return Summarize(ratios)
}

// Differs tells whether a paired ratio shows a difference: its interval has a
// level worth showing and does not span 1. Each ratio is judged by itself: of
// comparisons between equals, about 1 in 16 differs by chance at 0.9375, so a
// table of many is to be read with that in mind.
func (s Summary) Differs() bool {
	return s.HasInterval() && (s.Lo > 1 || s.Hi < 1)
}

// tooWide is how many times the upper end of an interval may be its lower one
// for a ratio that spans 1 to say that there is hardly a difference.
const tooWide = 2

// Unclear tells whether a paired ratio does not even say that there is hardly a
// difference: its interval spans 1, and its ends are more than a factor of 2
// apart, so that a large one may hide in it.
func (s Summary) Unclear() bool {
	return s.HasInterval() && !s.Differs() && s.Hi > tooWide*s.Lo
}
