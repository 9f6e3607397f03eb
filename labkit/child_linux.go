package labkit

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the child killed when its parent ends, however that ends.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
