package labkit_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"shelflab/labkit"
)

type gcState struct {
	percent int
	limit   int64
}

// gcNow reads the settings in force, which only setting them tells.
func gcNow() gcState {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return gcState{percent, debug.SetMemoryLimit(-1)}
}

// before gives the process settings that are no default, and checks at the end
// that they are still in force.
func before(t *testing.T) gcState {
	t.Helper()
	percent, limit := debug.SetGCPercent(73), debug.SetMemoryLimit(7<<30)
	want := gcState{73, 7 << 30}
	t.Cleanup(func() {
		if got := gcNow(); got != want {
			t.Errorf("afterwards %+v, want %+v", got, want)
		}
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
	return want
}

func TestWithGC(t *testing.T) {
	for name, c := range map[string]struct {
		percent int
		limit   int64
		want    gcState
	}{
		"off":              {labkit.GCOff, 0, gcState{-1, 7 << 30}},
		"off with a limit": {labkit.GCOff, 1 << 30, gcState{-1, 1 << 30}},
		"more often":       {20, 0, gcState{20, 7 << 30}},
		"any negative":     {-5, -1, gcState{-1, 7 << 30}},
		"at every chance":  {0, 0, gcState{0, 7 << 30}},
	} {
		t.Run(name, func(t *testing.T) {
			before(t)
			broken := errors.New("broken")
			var got gcState
			err := labkit.WithGC(c.percent, c.limit, func() error { got = gcNow(); return broken })
			if !errors.Is(err, broken) || got != c.want {
				t.Errorf("inside %+v (%v), want %+v", got, err, c.want)
			}
		})
	}
}

func TestWithGCAfterPanic(t *testing.T) {
	before(t)
	defer func() {
		if recover() != "op" {
			t.Error("the panic did not come through")
		}
	}()
	labkit.WithGC(labkit.GCOff, 1<<30, func() error { panic("op") })
}

func TestWithGCAfterGoexit(t *testing.T) {
	before(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		labkit.WithGC(labkit.GCOff, 1<<30, func() error { runtime.Goexit(); return nil })
	}()
	<-done
}

func TestWithGCNested(t *testing.T) {
	before(t)
	labkit.WithGC(labkit.GCOff, 1<<30, func() error {
		labkit.WithGC(20, 0, func() error {
			if got := gcNow(); got != (gcState{20, 1 << 30}) {
				t.Errorf("inner call: %+v", got)
			}
			return nil
		})
		if got := gcNow(); got != (gcState{-1, 1 << 30}) {
			t.Errorf("after the inner call: %+v", got)
		}
		return nil
	})
}

// Two calls that overlap, the first ending first: with settings that are put
// back blindly the second would leave those of the first behind.
func TestWithGCOverlapping(t *testing.T) {
	want := before(t)
	secondBegan, firstEnded := make(chan struct{}), make(chan struct{})
	var both sync.WaitGroup
	both.Go(func() {
		labkit.WithGC(labkit.GCOff, 0, func() error {
			both.Go(func() {
				labkit.WithGC(20, 1<<30, func() error {
					close(secondBegan)
					<-firstEnded
					if got := gcNow(); got != (gcState{20, 1 << 30}) {
						t.Errorf("the second call, after the first has ended: %+v", got)
					}
					return nil
				})
			})
			<-secondBegan
			return nil
		})
		close(firstEnded)
	})
	both.Wait()
	if got := gcNow(); got != want {
		t.Errorf("after both: %+v, want %+v", got, want)
	}
}

// The settings do what they say: off, nothing is collected, and a limit brings
// the collector back.
func TestWithGCCollects(t *testing.T) {
	before(t)
	collections := func(percent int, limit int64) uint32 {
		runtime.GC()
		var from, to runtime.MemStats
		runtime.ReadMemStats(&from)
		labkit.WithGC(percent, limit, func() error {
			for range 64 {
				garbage = make([]byte, 1<<20)
			}
			return nil
		})
		runtime.ReadMemStats(&to)
		return to.NumGC - from.NumGC
	}
	if n := collections(labkit.GCOff, 0); n != 0 {
		t.Errorf("off: %d collections", n)
	}
	if n := collections(labkit.GCOff, 24<<20); n == 0 {
		t.Error("off with a limit that is too small: no collection")
	}
	if n := collections(20, 0); n == 0 {
		t.Error("on: no collection")
	}
}

var garbage []byte
