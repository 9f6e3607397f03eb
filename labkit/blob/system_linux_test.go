package blob_test

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// mountSmall mounts a file system of half a megabyte at dir.
func mountSmall(dir string) error {
	return unix.Mount("tmpfs", dir, "tmpfs", 0, "size=512k")
}

// apart gives a child mounts of its own, and the right to make some to users other
// than root too.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
}

// nobody makes a child another user than root.
func nobody() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}
