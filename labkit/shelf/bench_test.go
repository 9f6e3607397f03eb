package shelf_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The benchmarks measure a shelf beside raw Badger with the same options and
// bytes encoded beforehand (its ceiling), and beside Badger with its default
// options and a fresh gob a value (what a program does that takes no care). All
// take turns within an iteration, and the medians of the paired ratios are
// reported: how many times as fast as raw, and as naive, the shelf is.

// race times step on each contender in turn, b.N times, and reports what the
// first, the shelf, takes, and its ratios to the others.
func race(b *testing.B, all []*contender, units float64, prepare, step func(c *contender, dir string), finish func(c *contender)) {
	times, cpu := make([][]float64, len(all)), make([][]float64, len(all))
	for i := range b.N {
		dirs := []string{b.TempDir(), b.TempDir(), b.TempDir()}
		for j := range all {
			k := (i + j) % len(all) // nobody is always first
			prepare(all[k], dirs[k])
			runtime.GC()
			start, used := time.Now(), cpuSeconds(b)
			step(all[k], dirs[k])
			times[k] = append(times[k], time.Since(start).Seconds())
			cpu[k] = append(cpu[k], cpuSeconds(b)-used)
			finish(all[k])
		}
	}
	median := func(x []float64) float64 {
		x = slices.Sorted(slices.Values(x))
		return x[len(x)/2]
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(times[0])*1e3, "ms")
	if units > 0 {
		b.ReportMetric(units/median(times[0])/1e3, "k/s")
	}
	paired := func(x [][]float64, k int) float64 {
		ratios := make([]float64, b.N)
		for i := range ratios {
			ratios[i] = x[k][i] / x[0][i]
		}
		return median(ratios)
	}
	b.ReportMetric(paired(times, 1), "x-raw")
	b.ReportMetric(paired(times, 2), "x-naive")
	b.ReportMetric(paired(cpu, 1), "cpu-x-raw") // on a busy machine, the steadier number
}

func cpuSeconds(b *testing.B) float64 {
	var u unix.Rusage
	must(b, unix.Getrusage(unix.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func BenchmarkShelf(b *testing.B) {
	all := contenders(b)
	open := func(c *contender, dir string) { c.open(b, dir) }
	loaded := func(c *contender, dir string) {
		c.open(b, dir)
		c.putAll(b)
		c.close(b)
		c.open(b, dir)
	}
	closeIt := func(c *contender) { c.close(b) }
	rng := rand.New(rand.NewPCG(1, 1))
	random := make([]string, 200)
	for i := range random {
		random[i] = keys[rng.IntN(benchN)]
	}
	b.Run("PutAll", func(b *testing.B) {
		race(b, all, benchN, open, func(c *contender, _ string) { c.putAll(b) }, closeIt)
	})
	b.Run("Put", func(b *testing.B) {
		race(b, all, 2000, open, func(c *contender, _ string) { c.put(b, 2000) }, closeIt)
	})
	b.Run("All", func(b *testing.B) {
		race(b, all, benchN, loaded, func(c *contender, _ string) { c.all(b) }, closeIt)
	})
	b.Run("Get200", func(b *testing.B) {
		race(b, all, 200, loaded, func(c *contender, _ string) { c.gets(b, random) }, closeIt)
	})
	b.Run("GetMany200", func(b *testing.B) {
		race(b, all, 200, loaded, func(c *contender, _ string) { c.many(b, random) }, closeIt)
	})
	b.Run("OpenClose", func(b *testing.B) {
		race(b, all, 0, func(c *contender, dir string) {
			loaded(c, dir)
			c.close(b)
		}, func(c *contender, dir string) {
			c.open(b, dir)
			c.close(b)
		}, func(*contender) {})
	})
}
