package evidence

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// fileSystems names the file systems that a data folder is likely to be on, by
// the magic numbers of statfs.
var fileSystems = map[int64]string{
	unix.EXT4_SUPER_MAGIC:      "ext4",
	unix.BTRFS_SUPER_MAGIC:     "btrfs",
	unix.XFS_SUPER_MAGIC:       "xfs",
	unix.TMPFS_MAGIC:           "tmpfs",
	unix.OVERLAYFS_SUPER_MAGIC: "overlay",
	unix.NFS_SUPER_MAGIC:       "nfs",
	unix.F2FS_SUPER_MAGIC:      "f2fs",
	0x2fc12fc1:                 "zfs", // not in the kernel's own list
}

func (e *Environment) machine(dir string) {
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		e.Kernel = unix.ByteSliceToString(name.Release[:])
	}
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) == nil {
		e.FileSystem = fileSystems[int64(fs.Type)]
		if e.FileSystem == "" {
			e.FileSystem = fmt.Sprintf("%#x", fs.Type)
		}
	}
	e.CPU = field("/proc/cpuinfo", "model name")
	if kb, err := strconv.ParseInt(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"), 10, 64); err == nil {
		e.Memory = kb * 1024
	}
	e.Virtual = virtual()
	e.Device = deviceOf(dir)
}

// load is the mean run queue of the last minute, 0 if it is not told.
func load() (load float64) {
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Sscan(string(text), &load)
	}
	return load
}

// virtual tells whether the machine is a virtual one. A processor of the x86
// family says so itself; others say nothing.
func virtual() Answer {
	flags := field("/proc/cpuinfo", "flags")
	switch {
	case flags == "":
		return ""
	case slices.Contains(strings.Fields(flags), "hypervisor"):
		return Yes
	}
	return No
}

// field returns the first value of a "name: value" file of the proc file
// system.
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
