package evidence

import "golang.org/x/sys/unix"

func (e *Environment) machine(dir string) {
	e.Kernel, _ = unix.Sysctl("kern.osrelease")
	e.CPU, _ = unix.Sysctl("machdep.cpu.brand_string")
	if memory, err := unix.SysctlUint64("hw.memsize"); err == nil {
		e.Memory = int64(memory)
	}
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) == nil {
		e.FileSystem = unix.ByteSliceToString(fs.Fstypename[:])
	}
}
