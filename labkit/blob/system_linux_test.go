package blob_test

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// mountSmall mounts a file system of half a megabyte at dir.
func mountSmall(dir string) error {
	return unix.Mount("tmpfs", dir, "tmpfs", 0, "size=512k")
}

// nobody makes a child another user than root.
func nobody() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}
