package labkit

import (
	"fmt"
	"runtime"
	"time"
)

// Round is one arm's turn in one round.
type Round struct {
	N      int    // records
	Number int    // from 0; the warm-up is -1
	Path   string // where the arm makes its store; nothing is there yet
	// Payload is set by the arm before it measures: bytes of the records
	// themselves, which what is written, what lies on disk and what it costs are
	// set against; 0 if it cannot tell. Each series tells it.
	Payload int64

	clock   Clock
	batches map[string]int // of the arm, by metric: what a warm-up has found
	enough  time.Duration  // an operation that takes less is measured in batches
	samples []Series       // in the order in which they were taken

	plan, arm string // whose turn it is, for processes beside it
	again     Again

	instrument instrument // measures instead of the clock, if set
	unmeasured []Unmeasured
}

// Time measures op, one sample of metric m, which does work records or gets. It
// calls op once, but Read and Gets twice where MeasureCold asks, so they begin
// their sums anew. Garbage is collected first, so that no arm pays for another's.
// It returns op's error, and one if the metric was measured twice in a round.
func (r *Round) Time(m Metric, work int, op func() error) error {
	if r.instrument != nil {
		return r.instrument.operation(r, m, work, op)
	}
	runtime.GC()
	return r.Lap(m, work, op)
}

// Lap measures a part of the operation that Time is measuring, such as the gets
// between an open and a close: it is Time without the collection of garbage,
// which would count as the operation's.
func (r *Round) Lap(m Metric, work int, op func() error) error {
	if r.instrument != nil { // it measures the whole
		return op()
	}
	return r.timed(m, work, 1, op)
}

// Mean is Time for an operation that is called so many times, because no two
// calls are alike: now and then a store tidies up. The sample is the mean of the
// calls, and the series tells how many. calls below 1 is ErrSamples. Where
// something else than time is measured, one call is.
func (r *Round) Mean(m Metric, work, calls int, op func() error) error {
	if calls < 1 {
		return fmt.Errorf("%w: the mean of %d calls of %s: give at least one", ErrSamples, calls, m.Name)
	}
	if r.instrument != nil {
		return r.instrument.operation(r, m, work, op)
	}
	runtime.GC()
	return r.timed(m, work, calls, op)
}

// Repeat is Time for an operation that only reads and may be called any number
// of times, such as gets from a store that is open: one that is too short for
// the clock is called in a batch, and the sample is the batch's time over its
// size. The first warm-up finds how large a batch must be, so that every sample
// of a series is of the same number of calls; the series tells it. A long operation
// is called once, as by Time.
//
// Write, Put and Dump are refused (ErrSamples): a second call would find the
// store that the first has made. op must not call Lap, which would measure its metric
// twice.
func (r *Round) Repeat(m Metric, work int, op func() error) error {
	if m.Name == Write.Name || m.Name == Put.Name || m.Name == Dump.Name {
		return fmt.Errorf("%w: %s cannot be repeated: the second call would find the store of the first", ErrSamples, m.Name)
	}
	if r.instrument != nil {
		return r.instrument.operation(r, m, work, op)
	}
	runtime.GC()
	if size := r.batches[m.Name]; size > 0 || r.Number >= 0 {
		return r.timed(m, work, max(1, size), op)
	}
	for size := 1; ; size *= 2 {
		took, err := r.batch(m, work, size, op)
		if err != nil {
			return err
		}
		if took >= r.enough || size >= maxBatch {
			r.batches[m.Name] = size
			return r.addBatch(m, work, size, took)
		}
	}
}

// maxBatch is how many calls a batch has at most: what takes no time at all
// must end too.
const maxBatch = 1 << 20

// timed measures size calls of op as one sample.
func (r *Round) timed(m Metric, work, size int, op func() error) error {
	took, err := r.batch(m, work, size, op)
	if err != nil {
		return err
	}
	return r.addBatch(m, work, size, took)
}

// batch returns how long size calls of op, each of which does work, take
// together.
func (r *Round) batch(m Metric, work, size int, op func() error) (time.Duration, error) {
	if work < 1 { // a rate of it would be nothing
		return 0, fmt.Errorf("%w: %s does work of %d: give the number of records or gets", ErrSamples, m.Name, work)
	}
	start := r.clock()
	for range size {
		if err := op(); err != nil {
			return 0, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return r.clock() - start, nil
}

func (r *Round) addBatch(m Metric, work, size int, took time.Duration) error {
	if took <= 0 { // a rate of it would be infinite
		return fmt.Errorf("%w: %s took no time by the clock: give it more work", ErrSamples, m.Name)
	}
	s := Series{N: r.N, Metric: m.Name, Unit: m.RawUnit(), Work: work, Samples: []float64{took.Seconds() / float64(size)}}
	if size > 1 {
		s.Batch = size
	}
	return r.keep(s)
}

// Size records a size in bytes, one sample of metric m.
func (r *Round) Size(m Metric, bytes int64) error {
	if bytes < 0 {
		return fmt.Errorf("%w: %s is %d bytes", ErrSamples, m.Name, bytes)
	}
	if r.instrument != nil {
		return r.instrument.size(r, m, bytes)
	}
	return r.add(m, 0, float64(bytes))
}

// Count records how many there were of what metric m counts, among work that were
// looked at: one sample.
func (r *Round) Count(m Metric, work, count int) error {
	if work < 1 || count < 0 {
		return fmt.Errorf("%w: %s counts %d of %d", ErrSamples, m.Name, count, work)
	}
	if r.instrument != nil {
		return nil
	}
	return r.add(m, work, float64(count))
}

// add adds a sample that is no time.
func (r *Round) add(m Metric, work int, x float64) error {
	return r.keep(Series{N: r.N, Metric: m.Name, Unit: m.RawUnit(), Work: work, Samples: []float64{x}})
}

func (r *Round) keep(s Series) error {
	for _, other := range r.samples {
		if other.Metric == s.Metric {
			return fmt.Errorf("%w: %s was measured twice in one round", ErrSamples, s.Metric)
		}
	}
	s.Payload = r.Payload
	r.samples = append(r.samples, s)
	return nil
}

// Check compares the checksum of what was read with that of the records.
func (r *Round) Check(what string, got, want uint64) error {
	if got != want {
		return fmt.Errorf("%w: %s: checksum %016x, the records have %016x", ErrWrong, what, got, want)
	}
	return nil
}
