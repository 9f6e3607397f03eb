package labkit

import "time"

// Clock tells the time that has passed since some fixed moment, monotonic: it
// does not jump when the wall clock is set. Tests inject their own.
type Clock func() time.Duration

var processStart = time.Now()

// Monotonic is the clock that measurements use unless they are given another.
func Monotonic() time.Duration { return time.Since(processStart) }

// Time runs op once and returns how long it took by the monotonic clock, and
// op's error. It is what a cell calls to measure by hand; Measure adds the
// warm-up, the rounds and the collection of garbage in between.
func Time(op func() error) (time.Duration, error) {
	start := Monotonic()
	err := op()
	return Monotonic() - start, err
}
