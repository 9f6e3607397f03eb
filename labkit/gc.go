package labkit

import (
	"runtime/debug"
	"slices"
	"sync"
)

// GCOff is the percentage that turns the garbage collector off.
const GCOff = -1

// WithGC runs op under other settings of the garbage collector and puts back
// those that were in force before, whatever happens: op returns, returns an
// error, panics or ends its goroutine. It returns op's error.
//
// percent is that of debug.SetGCPercent: 100 is Go's default, GCOff (or any
// negative number) collects only when limit asks for it. limit is that of
// debug.SetMemoryLimit, in bytes; 0 or less leaves the limit as it is. With
// GCOff and no limit the heap grows by everything that op allocates. A limit
// below what op needs at once does not fail: the collector then runs all the
// time, up to half of the processor's time.
//
// The settings belong to the process, not to op: other goroutines run under
// them too, and their garbage is not collected either. Calls may be nested or
// overlap: the settings of the one that began last and has not ended are in
// force, and after the last one has ended those from before the first are back.
// What something else sets while op runs is lost. A nil op is a panic, as a call
// of nil is.
//
// Nothing is collected at the end: the garbage that op has left stays until the
// next collection, which the settings of before bring on.
func WithGC(percent int, limit int64, op func() error) error {
	mine := &gcSettings{percent, limit}
	gcActive.begin(mine)
	defer gcActive.end(mine)
	return op()
}

type gcSettings struct {
	percent int
	limit   int64 // bytes; 0 or less: as it was before
}

// gcStack holds the settings of the calls that have not ended, in the order in
// which they began.
type gcStack struct {
	sync.Mutex
	before gcSettings // of the process, before the first of them
	calls  []*gcSettings
}

var gcActive gcStack

func (s *gcStack) begin(mine *gcSettings) {
	s.Lock()
	defer s.Unlock()
	if len(s.calls) == 0 {
		// A percentage can only be read by setting it: begin sets its own next.
		s.before = gcSettings{debug.SetGCPercent(mine.percent), debug.SetMemoryLimit(-1)}
	}
	s.calls = append(s.calls, mine)
	s.apply()
}

func (s *gcStack) end(mine *gcSettings) {
	s.Lock()
	defer s.Unlock()
	at := slices.Index(s.calls, mine)
	s.calls = slices.Delete(s.calls, at, at+1)
	s.apply()
}

// apply puts the settings in force that belong there now. A call without a limit
// of its own has that of the call around it.
func (s *gcStack) apply() {
	percent, limit := s.before.percent, s.before.limit
	for _, call := range s.calls {
		percent = call.percent
		if call.limit > 0 {
			limit = call.limit
		}
	}
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
}
