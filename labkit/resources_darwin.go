package labkit

import (
	"errors"

	"golang.org/x/sys/unix"
)

const peakWhat = "the most memory that the process had resident since it began, program and records included: this system does not let a peak begin anew"

// memory watches how much of the process is resident.
type memory struct{ before int64 } // bytes

func watchMemory() (m memory, err error) {
	m.before, err = m.peak()
	return m, err
}

// peak is the most that was resident since the process began, in bytes.
func (memory) peak() (int64, error) {
	var usage unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_SELF, &usage)
	return usage.Maxrss, err
}

func ownMemory() (int64, error) {
	return 0, errors.New("this system does not tell what memory is a process's own")
}

// counters is what the process has read and written since it began, in bytes.
type counters struct{ calls, storage, fetched int64 }

func ioCounters() (counters, error) {
	return counters{}, errors.New("this system does not tell a process what it reads and writes")
}
