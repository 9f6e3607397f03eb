package crowd

import (
	"slices"
	"testing"
	"time"

	"shelflab/labkit/arms/mix"
)

// fake is a clock that only what is done moves on.
type fake struct{ t time.Duration }

func (f *fake) now() time.Duration    { return f.t }
func (f *fake) until(t time.Duration) { f.t = max(f.t, t) }

// What waits behind a slow operation is slow, too.
func TestQueueingIsCounted(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name                   string
		moments, service, took []time.Duration
	}{
		{"nobody waits", []time.Duration{0, 10 * ms, 20 * ms}, []time.Duration{ms, 2 * ms, 3 * ms}, []time.Duration{ms, 2 * ms, 3 * ms}},
		{"one stall", []time.Duration{0, 10 * ms, 20 * ms, 30 * ms}, []time.Duration{25 * ms, ms, ms, ms}, []time.Duration{25 * ms, 16 * ms, 7 * ms, ms}},
		{"too slow, so that the backlog grows", []time.Duration{0, ms, 2 * ms, 3 * ms}, []time.Duration{3 * ms, 3 * ms, 3 * ms, 3 * ms}, []time.Duration{3 * ms, 5 * ms, 7 * ms, 9 * ms}},
	} {
		clock := &fake{}
		took := openLoop(t.Context(), clock, c.moments, 1, func(i int) { clock.t += c.service[i] })
		if !slices.Equal(took, c.took) {
			t.Errorf("%s: %v, want %v", c.name, took, c.took)
		}
	}
}

func TestArrivals(t *testing.T) {
	list := arrivals(1000, 500, 1, 0)
	if !slices.IsSorted(list) || list[0] <= 0 || list[999] != 2*time.Second {
		t.Errorf("from %v to %v", list[0], list[999])
	}
	short := 0 // of gaps that come without a memory of each other, 63 % are shorter than the mean
	for i := range list[1:] {
		if list[i+1]-list[i] < 2*time.Millisecond {
			short++
		}
	}
	if short < 580 || short > 690 {
		t.Errorf("%d of 999 gaps are shorter than the mean", short)
	}
	if slices.Equal(list, arrivals(1000, 500, 1, 1)) || !slices.Equal(list, arrivals(1000, 500, 1, 0)) {
		t.Error("they do not follow from the seed and the round")
	}
}

func TestPercentile(t *testing.T) {
	var times []time.Duration
	for i := range 200 {
		times = append(times, time.Duration(200-i))
	}
	for share, want := range map[float64]time.Duration{0.5: 100, 0.99: 198, 1: 200, 0: 1} {
		if got := percentile(times, share); got != want {
			t.Errorf("%v of them take at most %d, want %d", share, got, want)
		}
	}
	if got := percentile([]time.Duration{7}, 0.99); got != 7 {
		t.Errorf("of one: %v", got)
	}
}

// The mix is the same for every arm and exact, and every operation has a worker.
func TestOperations(t *testing.T) {
	o := load{mix.Options{Items: 5, Updates: 10}}
	list := o.operations(200, 1, 0)
	updates, keys := 0, map[string]int{}
	for _, op := range list {
		keys[op.key]++
		if op.update {
			updates++
		}
	}
	if updates != 20 || len(keys) != 5 || !slices.Equal(list, o.operations(200, 1, 0)) || slices.Equal(list, o.operations(200, 1, 1)) {
		t.Errorf("%d updates of %d items", updates, len(keys))
	}
	for n := 1; n < 9; n++ {
		end := 0
		for i := range n {
			from, to := share(i, n, 100)
			if from != end || to < from {
				t.Fatalf("share %d of %d is from %d to %d", i, n, from, to)
			}
			end = to
		}
		if end != 100 {
			t.Errorf("%d shares end at %d", n, end)
		}
	}
}
