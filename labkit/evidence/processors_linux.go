package evidence

import (
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// spentSoFar is what was taken of the processors' time since the machine
// started, and by this process and those of its processes that have ended. ok is
// false where the system does not tell.
func spentSoFar() (s spent, ok bool) {
	var mine unix.CPUSet
	text, err := os.ReadFile("/proc/stat")
	if err != nil || unix.SchedGetaffinity(0, &mine) != nil {
		return s, false
	}
	if s.all, s.busy, ok = processorTimes(string(text), mine.IsSet); !ok {
		return s, false
	}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if syscall.Getrusage(who, &usage) != nil {
			return s, false
		}
		for _, t := range []syscall.Timeval{usage.Utime, usage.Stime} {
			s.own += float64(t.Nano()) / 1e9
		}
	}
	return s, true
}

// processorTimes reads a /proc/stat: seconds of those processors that are mine,
// all and busy. A line is "cpu1" and ticks of user, nice, system, idle, iowait,
// irq, softirq and steal; the guests' that follow are in user and nice already.
// ok is false where there is no such line.
func processorTimes(stat string, mine func(cpu int) bool) (all, busy float64, ok bool) {
	for line := range strings.Lines(stat) {
		fields := strings.Fields(line)
		if len(fields) < 9 || !strings.HasPrefix(fields[0], "cpu") {
			continue
		}
		cpu, err := strconv.Atoi(fields[0][len("cpu"):])
		if err != nil || !mine(cpu) { // without a number it is the sum of all
			continue
		}
		for i, field := range fields[1:9] {
			ticks, err := strconv.ParseUint(field, 10, 64)
			if err != nil {
				return 0, 0, false
			}
			all += float64(ticks) * tick
			if i != 3 && i != 4 {
				busy += float64(ticks) * tick
			}
		}
		ok = true
	}
	return all, busy, ok
}
