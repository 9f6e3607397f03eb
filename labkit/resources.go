package labkit

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// Resource is one thing that is measured of each operation in a process of its
// own.
type Resource string

// The resources; what each is stands in the metric that Of returns.
const (
	PeakMemory Resource = "peak memory"
	PeakGrowth Resource = "peak growth"
	LiveHeap   Resource = "live heap"
	Allocs     Resource = "allocs"
	Allocated  Resource = "allocated"
	GCs        Resource = "GCs"
	GCPause    Resource = "GC pause"
	// OwnMemory is measured under a Plan's DataLimit alone.
	OwnMemory Resource = "own memory"
)

var perOperation = []struct {
	name       Resource
	unit, what string
}{
	{PeakMemory, "B", peakWhat},
	{PeakGrowth, "B", "the peak of resident memory above what was resident before the operation: what it added"},
	{LiveHeap, "B", "Go heap in use above that before the operation, after a collection of garbage, while what was loaded is reachable or the store still open; 0 if it is less"},
	{Allocs, "allocs/record", "heap objects allocated, for each record or get"},
	{Allocated, "B/record", "heap bytes allocated, for each record or get"},
	{GCs, "GCs", "collections of garbage during the operation"},
	{GCPause, "s", "time for which collections of garbage stopped the program during the operation"},
	{OwnMemory, "B", "memory of its own that the process has taken by the end of the operation, beyond what it had when the limit was set, as the system counts it against that: heap, stacks and whatever else no file backs, once mapped for good"},
}

// Bytes written and kept, for each byte of the records: keys and fields.
var (
	// WrittenByCalls leaves out what is written through a mapping into memory.
	WrittenByCalls = Metric{"write, by calls", "bytes that the process passed to write calls during the write, for each byte of the records", "B/B", false, Resources}
	// WrittenToStorage counts a page each time that it begins to wait for the
	// device, whether it came there by a call or through a mapping.
	WrittenToStorage = Metric{"write, to storage", "bytes of the pages that the process dirtied for the storage to take during the write, whether or not they were taken, for each byte of the records", "B/B", false, Resources}
	// Space is the amplification of Disk.
	Space = Metric{"space", "bytes allocated on disk, in whole blocks of the file system, after close, for each byte of the records", "B/B", false, Resources}
)

// ResourceOperations lists the operations whose resources are measured.
func ResourceOperations() []Metric { return []Metric{Write, Read, Gets, Dump, Load} }

// ResourceMetrics lists the metrics of MeasureResources: those of each operation
// ("write, peak memory"), then WrittenByCalls, WrittenToStorage and Space.
func ResourceMetrics() []Metric {
	var list []Metric
	for _, of := range ResourceOperations() {
		for _, kind := range perOperation {
			list = append(list, kind.name.Of(of))
		}
	}
	return append(list, WrittenByCalls, WrittenToStorage, Space)
}

// Of is the metric of an operation, "load, peak growth" for PeakGrowth.Of(Load).
// Of a resource that the lab does not know it is the zero Metric, which nothing
// is measured of.
func (x Resource) Of(operation Metric) Metric {
	for _, kind := range perOperation {
		if kind.name == x {
			return Metric{operation.Name + ", " + string(x), kind.what, kind.unit, false, Resources}
		}
	}
	return Metric{}
}

// OfResource takes the name of a metric apart that Of has made; ok is false for
// any other.
func OfResource(metric string) (operation string, x Resource, ok bool) {
	operation, name, _ := strings.Cut(metric, ", ")
	for _, of := range ResourceOperations() {
		if of.Name == operation && Resource(name).Of(of).Name == metric {
			return operation, Resource(name), true
		}
	}
	return "", "", false
}

// resources is the instrument of a turn in a process of its own.
type resources struct {
	base, before, after, aside runtime.MemStats // aside is what Held itself has cost
	live                       uint64           // heap in use when the result was held
	isHeld                     bool
	limited                    bool  // by Turn.DataLimit
	has                        int64 // bytes of its own memory that the process had when it was
}

func (p *resources) held() {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runtime.GC()
	runtime.GC() // what pools and tables of weak pointers let go of takes a second one
	runtime.ReadMemStats(&after)
	p.live, p.isHeld = after.HeapAlloc, true
	p.aside.NumGC += after.NumGC - before.NumGC
	p.aside.PauseTotalNs += after.PauseTotalNs - before.PauseTotalNs
}

func (p *resources) operation(r *Round, m Metric, work int, op func() error) error {
	if !slices.ContainsFunc(ResourceOperations(), func(of Metric) bool { return of.Name == m.Name }) {
		return op()
	}
	*p = resources{limited: p.limited, has: p.has}
	runtime.GC()         // as often as held, so that nothing is let go of only there
	debug.FreeOSMemory() // collects, and gives back what would hide a peak
	// At once, since what the next lines leave behind is garbage that held collects.
	runtime.ReadMemStats(&p.base)
	memory, memoryErr := watchMemory()
	io, ioErr := ioCounters()
	runtime.ReadMemStats(&p.before)
	if err := op(); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	runtime.ReadMemStats(&p.after)
	peak, peakErr := memory.peak()
	ioAfter, ioAfterErr := ioCounters()
	own, ownErr := ownMemory()
	aside := p.aside
	if !p.isHeld { // nothing but what the operation has left behind
		p.held()
	}

	f := filler{r: r}
	f.maybe(PeakMemory.Of(m), 0, float64(peak), memoryErr, peakErr)
	f.maybe(PeakGrowth.Of(m), 0, float64(max(peak-memory.before, 0)), memoryErr, peakErr)
	f.add(LiveHeap.Of(m), 0, above(p.live, p.base.HeapAlloc))
	f.add(Allocs.Of(m), work, float64(p.after.Mallocs-p.before.Mallocs))
	f.add(Allocated.Of(m), work, float64(p.after.TotalAlloc-p.before.TotalAlloc))
	f.add(GCs.Of(m), 0, above(uint64(p.after.NumGC-p.before.NumGC), uint64(aside.NumGC)))
	f.add(GCPause.Of(m), 0, above(p.after.PauseTotalNs-p.before.PauseTotalNs, aside.PauseTotalNs)/1e9)
	if p.limited {
		f.maybe(OwnMemory.Of(m), 0, float64(max(own-p.has, 0)), ownErr)
	}
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
