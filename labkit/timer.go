package labkit

import "time"

// Timer says what the clock itself takes, in seconds: no sample can be more
// exact. The zero value is a clock of which nothing is known.
type Timer struct {
	Cost  float64 `json:"cost"`  // seconds that one reading of the clock takes, p50
	Grain float64 `json:"grain"` // seconds, the smallest step between two readings that differ
}

const (
	// timerPasses and timerReadings are how often the clock is read to measure
	// it: a tenth of a millisecond on a clock that takes 50 ns.
	timerPasses   = 8
	timerReadings = 256
	// exactly is how many times the clock's own uncertainty an operation must
	// take to be measured by one call: 0.1 % is left.
	exactly = 1000
	// roughly is how many times it must take to be told from nothing at all.
	roughly = 100
)

// MeasureTimer measures the clock that samples are taken with. A clock that
// stands still gives the zero value.
func MeasureTimer(clock Clock) Timer {
	var t Timer
	costs := make([]float64, timerPasses)
	for i := range costs {
		start := clock()
		last := start
		for range timerReadings {
			now := clock()
			if step := (now - last).Seconds(); step > 0 && (t.Grain == 0 || step < t.Grain) {
				t.Grain = step
			}
			last = now
		}
		costs[i] = (last - start).Seconds() / timerReadings
	}
	t.Cost = P50(costs)
	return t
}

// Uncertainty is what a sample may be off by, in seconds: the larger of the
// clock's cost and its grain.
func (t Timer) Uncertainty() float64 { return max(t.Cost, t.Grain) }

// Enough is how many seconds an operation must take to be measured by one call:
// what is shorter, and may be repeated, is measured in batches. It is 1000
// times the clock's uncertainty.
func (t Timer) Enough() float64 { return exactly * t.Uncertainty() }

func (t Timer) enough() time.Duration { return time.Duration(t.Enough() * float64(time.Second)) }

// TooShort tells whether the calls of a sample are so short, together, that the
// sample may be wrong by more than one part in a hundred, or whether one call
// takes no longer than reading the clock does, which is as long as nothing
// takes. seconds is the sample, of one call; batch is the number of calls, 0
// or 1 where it was not repeated.
func (t Timer) TooShort(seconds float64, batch int) bool {
	return seconds*float64(max(batch, 1)) < roughly*t.Uncertainty() || seconds < t.Uncertainty()
}
