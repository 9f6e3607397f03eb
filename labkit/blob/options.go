package blob

import (
	"fmt"
	"runtime"
)

// Durability is what a finished Save or Pack survives. In both classes a reader
// sees the old content or the new, never a mixture, however the writer ends.
type Durability int

const (
	// ProcessCrash: once the call has returned, the content survives the death of
	// the process, because the operating system holds it. A power cut in the
	// seconds after may bring back the old content, or leave a file that Load
	// and Open refuse with ErrCorrupt.
	ProcessCrash Durability = iota
	// PowerLoss: the file and then its folder are synced to the device before the
	// call returns, so the content survives a power cut too.
	PowerLoss
)

// String returns "process crash" or "power loss".
func (d Durability) String() string {
	switch d {
	case ProcessCrash:
		return "process crash"
	case PowerLoss:
		return "power loss"
	}
	return fmt.Sprintf("Durability(%d)", int(d))
}

// Options of Save, Load, Pack and Open. The zero value is the default: survive a
// process crash, use all cores.
type Options struct {
	// Durability is for writing; reading ignores it. An unknown class is an error.
	Durability Durability

	// Workers is how many goroutines encode or decode at a time, 256 at most. 0
	// means GOMAXPROCS; 1 shows what the codec does without the cores; a negative
	// number is an error. What is written does not depend on it.
	Workers int
}

const maxWorkers = 256

func (o Options) check() error {
	if o.Workers < 0 {
		return fmt.Errorf("%w: Workers is %d: give 0 for all cores, or a positive number", ErrOption, o.Workers)
	}
	if o.Durability != ProcessCrash && o.Durability != PowerLoss {
		return fmt.Errorf("%w: Durability is %d: give ProcessCrash or PowerLoss", ErrOption, int(o.Durability))
	}
	return nil
}

// workers returns how many goroutines to use for so many pieces of work.
func (o Options) workers(pieces int) int {
	n := o.Workers
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return max(1, min(n, pieces, maxWorkers))
}
