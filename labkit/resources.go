package labkit

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
)

// What is measured of each operation in a process of its own.
const (
	peakMemory = "peak memory"
	peakGrowth = "peak growth"
	liveHeap   = "live heap"
	allocs     = "allocs"
	allocated  = "allocated"
	gcs        = "GCs"
	gcPause    = "GC pause"
)

var perOperation = []struct{ name, unit, what string }{
	{peakMemory, "B", peakWhat},
	{peakGrowth, "B", "that peak above what was resident before the operation: what it added"},
	{liveHeap, "B", "Go heap in use above that before the operation, after a collection of garbage, while what was loaded is reachable or the store still open; 0 if it is less"},
	{allocs, "allocs/record", "heap objects allocated, for each record or get"},
	{allocated, "B/record", "heap bytes allocated, for each record or get"},
	{gcs, "GCs", "collections of garbage during the operation"},
	{gcPause, "s", "time for which those collections stopped the program"},
}

// Bytes written and kept, for each byte of the records: keys and fields.
var (
	// WrittenByCalls leaves out what is written through a mapping into memory.
	WrittenByCalls = Metric{"write, by calls", "bytes that the process passed to write calls during the write, for each byte of the records", "B/B", false, Resources}
	// WrittenToStorage counts a page each time that it begins to wait for the
	// device, whether it came there by a call or through a mapping.
	WrittenToStorage = Metric{"write, to storage", "bytes of the pages that the process dirtied for the storage to take during the write, whether or not they were taken, for each byte of the records", "B/B", false, Resources}
	// Space is the amplification of Disk.
	Space = Metric{"space", "bytes allocated on disk after close, for each byte of the records", "B/B", false, Resources}
)

// ResourceOperations lists the operations whose resources are measured.
func ResourceOperations() []Metric { return []Metric{Write, Read, Gets, Dump, Load} }

// ResourceMetrics lists the metrics of MeasureResources: those of each operation
// ("write, peak memory"), then WrittenByCalls, WrittenToStorage and Space.
func ResourceMetrics() []Metric {
	var list []Metric
	for _, of := range ResourceOperations() {
		for _, kind := range perOperation {
			list = append(list, resource(of, kind.name))
		}
	}
	return append(list, WrittenByCalls, WrittenToStorage, Space)
}

// resource is one metric of an operation.
func resource(of Metric, name string) Metric {
	for _, kind := range perOperation {
		if kind.name == name {
			return Metric{of.Name + ", " + name, kind.what, kind.unit, false, Resources}
		}
	}
	panic("labkit: no resource " + name)
}

// resources is the instrument of a turn in a process of its own.
type resources struct {
	before, after, aside runtime.MemStats // aside is what Held itself has cost
	live                 uint64           // heap in use when the result was held
	isHeld               bool
}

func (p *resources) held() {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runtime.GC()
	runtime.ReadMemStats(&after)
	p.live, p.isHeld = after.HeapAlloc, true
	p.aside.NumGC += after.NumGC - before.NumGC
	p.aside.PauseTotalNs += after.PauseTotalNs - before.PauseTotalNs
}

func (p *resources) operation(r *Round, m Metric, work int, op func() error) error {
	if !slices.ContainsFunc(ResourceOperations(), func(of Metric) bool { return of.Name == m.Name }) {
		return op()
	}
	*p = resources{}
	debug.FreeOSMemory() // collects, and gives back what would hide a peak
	memory, memoryErr := watchMemory()
	io, ioErr := ioCounters()
	runtime.ReadMemStats(&p.before)
	if err := op(); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	runtime.ReadMemStats(&p.after)
	peak, peakErr := memory.peak()
	ioAfter, ioAfterErr := ioCounters()
	aside := p.aside
	if !p.isHeld { // nothing but what the operation has left behind
		p.held()
	}

	f := filler{r: r}
	f.maybe(resource(m, peakMemory), 0, float64(peak), memoryErr, peakErr)
	f.maybe(resource(m, peakGrowth), 0, float64(max(peak-memory.before, 0)), memoryErr, peakErr)
	f.add(resource(m, liveHeap), 0, above(p.live, p.before.HeapAlloc))
	f.add(resource(m, allocs), work, float64(p.after.Mallocs-p.before.Mallocs))
	f.add(resource(m, allocated), work, float64(p.after.TotalAlloc-p.before.TotalAlloc))
	f.add(resource(m, gcs), 0, above(uint64(p.after.NumGC-p.before.NumGC), uint64(aside.NumGC)))
	f.add(resource(m, gcPause), 0, above(p.after.PauseTotalNs-p.before.PauseTotalNs, aside.PauseTotalNs)/1e9)
	if m.Name == Write.Name {
		f.amplified(WrittenByCalls, float64(ioAfter.calls-io.calls), ioErr, ioAfterErr)
		f.amplified(WrittenToStorage, float64(ioAfter.storage-io.storage), ioErr, ioAfterErr)
	}
	return f.err
}

// above is a-b, or 0 where b is larger.
func above(a, b uint64) float64 {
	if a < b {
		return 0
	}
	return float64(a - b)
}

func (p *resources) size(r *Round, m Metric, bytes int64) error {
	f := filler{r: r}
	if m.Name == Disk.Name {
		f.amplified(Space, float64(bytes))
	}
	return f.err
}

// filler adds samples to a turn until one is refused.
type filler struct {
	r   *Round
	err error
}

func (f *filler) add(m Metric, work int, x float64) {
	if f.err == nil {
		f.err = f.r.add(m, work, x)
	}
}

// maybe adds a sample unless the system has refused to tell it.
func (f *filler) maybe(m Metric, work int, x float64, refused ...error) {
	for _, err := range refused {
		if err != nil {
			f.r.without(m, err.Error())
			return
		}
	}
	f.add(m, work, x)
}

// amplified adds bytes for each byte of the records.
func (f *filler) amplified(m Metric, bytes float64, refused ...error) {
	if f.r.Payload < 1 {
		f.r.without(m, "the arm does not say how many bytes its records are")
		return
	}
	f.maybe(m, int(f.r.Payload), bytes, refused...)
}
