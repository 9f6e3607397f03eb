package labkit

import (
	"errors"
	"fmt"
	"slices"
)

// Told is what another process says of an operation that it has carried out for
// an arm and has measured itself, as peers in other languages do.
type Told struct {
	Seconds float64 `json:"seconds"` // by its own monotonic clock
	// Memory and IO are of the other process; nil where its system does not tell.
	Memory *ToldMemory `json:"memory,omitempty"`
	IO     *ToldIO     `json:"io,omitempty"`
}

// ToldMemory is what the process had resident, in bytes.
type ToldMemory struct {
	Before int64 `json:"before"` // when the operation began
	Peak   int64 `json:"peak"`   // the most during the operation
}

// ToldIO is what the operation has moved, in bytes.
type ToldIO struct {
	Calls   int64 `json:"calls"`   // passed to write calls
	Storage int64 `json:"storage"` // of pages dirtied for the storage to take
	Fetched int64 `json:"fetched"` // that came from the device
}

var (
	errOther   = errors.New("the arm works in a process that does not tell it")
	errOtherIO = errors.New("this system does not tell what another process moves")
)

// TimeTold is Time for an operation that another process carries out: op has it
// do so and returns what it says. op calls LapTold for a part of it.
func (r *Round) TimeTold(m Metric, work int, op func() (Told, error)) error {
	switch in := r.instrument.(type) {
	case *resources:
		return in.told(r, m, work, op)
	case *cold:
		return in.told(r, m, work, op)
	}
	told, err := op()
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	return r.addTold(m, work, 1, told.Seconds)
}

// LapTold is Lap for a part that took seconds.
func (r *Round) LapTold(m Metric, work int, seconds float64) error {
	if r.instrument != nil {
		return nil
	}
	return r.addTold(m, work, 1, seconds)
}

// RepeatTold is Repeat for an operation that another process calls as often as
// op is told; what op returns is of all calls together.
func (r *Round) RepeatTold(m Metric, work int, op func(calls int) (Told, error)) error {
	if r.instrument != nil {
		return r.TimeTold(m, work, func() (Told, error) { return op(1) })
	}
	size := max(1, r.batches[m.Name])
	search := r.batches[m.Name] == 0 && r.Number < 0
	for {
		told, err := op(size)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		if !search || told.Seconds >= r.enough.Seconds() || size >= maxBatch {
			if search {
				r.batches[m.Name] = size
			}
			return r.addTold(m, work, size, told.Seconds)
		}
		size *= 2
	}
}

func (r *Round) addTold(m Metric, work, size int, seconds float64) error {
	if work < 1 || seconds <= 0 {
		return fmt.Errorf("%w: %s did work of %d in %g s, as another process says", ErrSamples, m.Name, work, seconds)
	}
	s := Series{N: r.N, Metric: m.Name, Unit: m.RawUnit(), Work: work, Samples: []float64{seconds / float64(size)}}
	if size > 1 {
		s.Batch = size
	}
	return r.keep(s)
}

func (p *resources) told(r *Round, m Metric, work int, op func() (Told, error)) error {
	told, err := op()
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	if !slices.ContainsFunc(ResourceOperations(), func(of Metric) bool { return of.Name == m.Name }) {
		return nil
	}
	var memory ToldMemory
	var io ToldIO
	memoryErr, ioErr := errOther, errOtherIO
	if told.Memory != nil {
		memory, memoryErr = *told.Memory, nil
	}
	if told.IO != nil {
		io, ioErr = *told.IO, nil
	}
	f := filler{r: r}
	f.maybe(PeakMemory.Of(m), 0, float64(memory.Peak), memoryErr)
	f.maybe(PeakGrowth.Of(m), 0, float64(max(memory.Peak-memory.Before, 0)), memoryErr)
	for _, x := range []Resource{LiveHeap, Allocs, Allocated, GCs, GCPause} {
		f.maybe(x.Of(m), work, 0, errOther)
	}
	if m.Name == Write.Name {
		f.amplified(WrittenByCalls, float64(io.Calls), ioErr)
		f.amplified(WrittenToStorage, float64(io.Storage), ioErr)
	}
	return f.err
}

func (c *cold) told(r *Round, m Metric, work int, op func() (Told, error)) error {
	as, again, need := c.asked(r, m, work)
	if as == (Metric{}) {
		_, err := op()
		return err
	}
	err := dropCache(r.Path)
	first, err1 := op()
	second, err2 := op()
	if failed := errors.Join(err1, err2); failed != nil {
		return fmt.Errorf("%s: %w", as.Name, failed)
	}
	got := int64(0)
	if first.IO != nil {
		got = first.IO.Fetched
	} else if err == nil {
		err = errOtherIO
	}
	if err := errors.Join(r.addTold(as, work, 1, first.Seconds), r.addTold(again, work, 1, second.Seconds)); err != nil {
		return err
	}
	c.judge(r, as, again, got, need, err)
	return nil
}
