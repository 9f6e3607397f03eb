package crowd

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"
)

// clock is the time of an open loop, which begins at 0. A test has one of its own.
type clock interface {
	now() time.Duration
	until(t time.Duration) // returns when t has come
}

// arrivals are the moments at which n operations should begin: as if each were
// asked for by somebody who knows nothing of the others, with exponential gaps of
// 1/rate on average, scaled so that the last comes at n/rate.
func arrivals(n int, rate float64, seed uint64, round int) []time.Duration {
	random := rand.New(rand.NewPCG(seed, uint64(round)<<1|1))
	at, sum := make([]float64, n), 0.0
	for i := range at {
		sum += random.ExpFloat64()
		at[i] = sum
	}
	list := make([]time.Duration, n)
	for i := range list {
		list[i] = time.Duration(at[i] / sum * float64(n) / rate * float64(time.Second))
	}
	return list
}

// openLoop has workers carry out operations that should begin at fixed moments. A
// worker that is free takes the next one and waits for its moment; where none is
// free it waits until one is. It returns, for each operation, how long it took from
// that moment on. Where ctx ends the times of what was not done are 0.
func openLoop(ctx context.Context, c clock, moments []time.Duration, workers int, one func(i int)) []time.Duration {
	took := make([]time.Duration, len(moments))
	work(ctx, workers, len(moments), func(i int) {
		c.until(moments[i])
		one(i)
		took[i] = c.now() - moments[i]
	})
	return took
}

// near is how long before a moment the system's timer is no longer relied on: it
// may wake up a goroutine that much too late, which would count as latency.
const near = 150 * time.Microsecond

// wall is the real time since it began.
type wall struct{ start time.Time }

func (w wall) now() time.Duration { return time.Since(w.start) }

func (w wall) until(t time.Duration) {
	if left := t - w.now(); left > near {
		time.Sleep(left - near)
	}
	for w.now() < t {
		runtime.Gosched()
	}
}

// percentile is what a share of the times are at most: the smallest time of which
// that is true.
func percentile(times []time.Duration, share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	at := int(math.Ceil(share*float64(len(sorted)))) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}
