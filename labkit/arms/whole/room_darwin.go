package whole

import "golang.org/x/sys/unix"

// systemRoom is the memory of the machine: what of it is in use can be
// compressed or dropped, and is not told.
func systemRoom() (Room, error) {
	bytes, err := unix.SysctlUint64("hw.memsize")
	return Room{Bytes: int64(bytes), Of: "the machine"}, err
}
