package labkit

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// ErrLimit says that a process's memory cannot be limited, and why.
var ErrLimit = errors.New("memory limit")

// LimitsData tells whether this system can hold a process to a Plan's DataLimit:
// nil, or an error that wraps ErrLimit and says why not. Linux can: RLIMIT_DATA
// counts whatever memory no file backs, from the moment it is mapped for writing,
// and refuses what goes beyond, whatever the program thinks of it. Pages of files
// that are read or mapped do not count: they are the system's, which takes them
// back when it needs them. A limit of Go's own (GOMEMLIMIT) is a wish; the limit of
// all addresses (RLIMIT_AS) would count a file that is mapped, as if it were held.
func LimitsData() error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("%w: %s takes a limit on the memory of one process and does not keep it: run this on Linux", ErrLimit, runtime.GOOS)
	}
	return nil
}

// Starved is what the reason of an Unmeasured begins with that a limit left without
// memory.
const Starved = "out of memory"

// limitData holds this process to so many bytes of memory of its own beyond what it
// has, which it returns; 0 to none. A Go program has much before it does anything,
// mapped and not used, such as 8 MB of stack for each thread where C is linked.
func limitData(bytes int64) (has int64, err error) {
	if bytes == 0 {
		return 0, nil
	}
	if err := LimitsData(); err != nil {
		return 0, err
	}
	if has, err = ownMemory(); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrLimit, err)
	}
	limit := syscall.Rlimit{Cur: uint64(has + bytes), Max: uint64(has + bytes)}
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrLimit, err)
	}
	return has, nil
}

// outOfMemory tells whether a process has ended because the system gave it no more
// memory: Go's runtime ends a program then, and a library may return the error.
func outOfMemory(err error) bool {
	if err == nil || errors.Is(err, syscall.ENOMEM) {
		return err != nil
	}
	return errors.Is(err, ErrChild) && starves(err.Error())
}

// starves tells whether a program that ended under a limit says that it was left
// without memory. The stack of a thread counts, too, and where C is linked that is
// said as a thread that cannot be had.
func starves(text string) bool {
	return slices.ContainsFunc([]string{
		"out of memory",
		"cannot allocate memory",
		"pthread_create failed: " + syscall.EAGAIN.Error(),
	}, func(says string) bool { return strings.Contains(strings.ToLower(text), says) })
}

// beyondLimit is what an arm says that was left without memory, as the end of a
// sentence: the limit, and the first line of what its process said.
func beyondLimit(bytes int64, err error) string {
	line := err.Error()
	for text := range strings.Lines(err.Error()) {
		if starves(text) {
			line = strings.TrimSpace(text)
			break
		}
	}
	return fmt.Sprintf("%s, with %d bytes of its own (%s)", Starved, bytes, line)
}

// peakOf is the most that a process that has ended had resident, in bytes; 0 where
// the system does not tell.
func peakOf(state *os.ProcessState) int64 {
	if state == nil {
		return 0
	}
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // in bytes there, in kB elsewhere
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}
