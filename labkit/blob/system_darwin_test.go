package blob_test

import (
	"errors"
	"syscall"
)

func mountSmall(string) error { return errors.New("no tmpfs here") }

// nobody makes a child another user than root.
func nobody() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}
