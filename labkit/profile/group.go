package profile

import "strings"

// The groups that a sample may be in, the first that fits. A group fits if one
// of the sample's functions is below one of its names: a package, or the
// beginning of a function's name.
var groups = []struct {
	name  string
	below []string
}{
	{"collecting garbage", []string{"runtime.gc", "runtime.bgsweep", "runtime.bgscavenge", "runtime.(*gc", "runtime.scanobject", "runtime.greyobject", "runtime.sweepone", "runtime.wbBuf", "runtime.markroot", "gcWriteBarrier"}},
	{"allocating memory", []string{"runtime.mallocgc", "runtime.newobject", "runtime.makeslice", "runtime.growslice", "runtime.rawstring", "runtime.slicebytetostring", "runtime.stringtoslicebyte", "runtime.newarray"}},
	{"filling and reading maps", []string{"internal/runtime/maps.", "runtime.mapassign", "runtime.mapaccess", "runtime.mapiter", "runtime.mapIter", "runtime.mapclear", "runtime.makemap"}},
	{"reading and writing files", []string{"os.(*File).", "internal/poll.", "syscall.", "internal/runtime/syscall."}},
	{"the runtime: scheduling, timers", []string{"runtime.schedule", "runtime.findRunnable", "runtime.mcall", "runtime.mstart", "runtime.park_m", "runtime.sysmon"}},
}

// group says what a sample was spent on: one of groups or, for all else, the
// package whose function was at work, or had the runtime at work.
func group(stack []string) string {
	for _, g := range groups {
		for _, name := range stack {
			for _, below := range g.below {
				if strings.HasPrefix(name, below) {
					return g.name
				}
			}
		}
	}
	for _, name := range stack {
		if of := packageOf(name); of != "runtime" && !strings.HasPrefix(of, "internal/") {
			return of
		}
	}
	return "the runtime"
}

// packageOf is the path of the package of a function.
func packageOf(name string) string {
	name, _, _ = strings.Cut(name, "[") // type parameters have paths of their own
	slash := strings.LastIndexByte(name, '/') + 1
	before, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + before
}
