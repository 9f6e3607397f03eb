package labkit

import (
	"os/exec"
	"syscall"
)

// DieWithParent has a process that is about to be started killed when this one
// ends, however that ends. It dies with the thread that starts it: the caller
// locks itself to one until it has waited for the process.
func DieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
