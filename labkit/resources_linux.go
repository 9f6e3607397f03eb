package labkit

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const peakWhat = "the most memory that the process had resident, program and records included"

// memory watches how much of the process is resident.
type memory struct{ before int64 } // bytes

// watchMemory begins a peak of its own.
func watchMemory() (memory, error) {
	// 5 makes the peak what is resident now.
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return memory{}, fmt.Errorf("this system does not let a process begin a new peak (%w)", errors.Unwrap(err))
	}
	before, err := procField("/proc/self/status", "VmRSS")
	return memory{before}, err
}

// peak is the most that was resident since watchMemory, in bytes.
func (memory) peak() (int64, error) { return procField("/proc/self/status", "VmHWM") }

// ownMemory is what RLIMIT_DATA is held against, in bytes.
func ownMemory() (int64, error) { return procField("/proc/self/status", "VmData") }

// counters is what the process has read and written since it began, in bytes.
type counters struct {
	calls   int64 // passed to write calls
	storage int64 // of pages dirtied for the storage to take
	fetched int64 // that came from the device
}

func ioCounters() (c counters, err error) {
	for name, to := range map[string]*int64{"wchar": &c.calls, "write_bytes": &c.storage, "read_bytes": &c.fetched} {
		if *to, err = procField("/proc/self/io", name); err != nil {
			return c, err
		}
	}
	return c, nil
}

// procField returns a number of the proc file system, in bytes.
func procField(file, name string) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, fmt.Errorf("this system does not tell %s (%w)", name, errors.Unwrap(err))
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		if key != name {
			continue
		}
		number, kilo := strings.CutSuffix(strings.TrimSpace(value), " kB")
		x, err := strconv.ParseInt(number, 10, 64)
		if kilo {
			x *= 1024
		}
		return x, err
	}
	return 0, fmt.Errorf("this system does not tell %s", name)
}
