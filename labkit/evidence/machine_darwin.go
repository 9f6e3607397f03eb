package evidence

import (
	"encoding/binary"
	"strings"

	"golang.org/x/sys/unix"
)

func (e *Environment) machine(dir string) {
	e.Kernel, _ = unix.Sysctl("kern.osrelease")
	e.CPU, _ = unix.Sysctl("machdep.cpu.brand_string")
	if memory, err := unix.SysctlUint64("hw.memsize"); err == nil {
		e.Memory = int64(memory)
	}
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) == nil {
		e.FileSystem = unix.ByteSliceToString(fs.Fstypename[:])
		// "/dev/disk3s5" is a slice of disk3. What that is made of only a
		// framework tells.
		if name, ok := strings.CutPrefix(unix.ByteSliceToString(fs.Mntfromname[:]), "/dev/"); ok {
			e.Device.Name = name
		}
	}
	if guest, err := unix.SysctlUint32("kern.hv_vmm_present"); err == nil {
		e.Virtual = No
		if guest != 0 {
			e.Virtual = Yes
		}
	}
}

// load is the mean run queue of the last minute, 0 if it is not told. The
// system gives three means in fixed point, then the scale.
func load() float64 {
	raw, err := unix.SysctlRaw("vm.loadavg")
	if err != nil || len(raw) < 24 {
		return 0
	}
	if scale := binary.NativeEndian.Uint64(raw[16:]); scale > 0 {
		return float64(binary.NativeEndian.Uint32(raw)) / float64(scale)
	}
	return 0
}
