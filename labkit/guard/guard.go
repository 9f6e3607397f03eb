//go:build unix

// Package guard runs a program that must not outlive the lab, such as a kernel
// or a server, whose own programs may hold a store's lock: beside it waits a
// guard, which ends it in the lab's place if the lab is gone without having
// cleaned up (kill -9, a crash).
package guard

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// Process is a program with its guard. Err is how it ended, and may be read once
// Dead is closed.
type Process struct {
	Cmd  *exec.Cmd
	Dead chan struct{}
	Err  error

	guard *exec.Cmd
	stdin io.WriteCloser
}

// Start starts cmd in a session of its own, so that a Ctrl-C in the terminal
// reaches nobody but the lab, which then decides. What it says goes to the file
// log. script is what a shell does once the lab is gone; $1 in it is the number
// of the program's process and of its group, and $2 is tmp, a folder that is
// to be removed then. After an error nothing is running.
func Start(cmd *exec.Cmd, log, tmp, script string) (*Process, error) {
	file, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{Cmd: cmd, Dead: make(chan struct{})}
	go func() {
		p.Err = cmd.Wait()
		close(p.Dead)
	}()
	// The guard waits for a line; its input ends without one when the lab is gone.
	p.guard = exec.Command("/bin/sh", "-c", "read -r _ || {\n"+script+"\n} 2>/dev/null", "guard", strconv.Itoa(p.PID()), tmp)
	p.guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if p.stdin, err = p.guard.StdinPipe(); err == nil {
		err = p.guard.Start()
	}
	if err != nil {
		_ = syscall.Kill(-p.PID(), syscall.SIGKILL)
		<-p.Dead
		return nil, fmt.Errorf("starting a guard: %w", err)
	}
	return p, nil
}

// PID is the number of the program's process, and of its group.
func (p *Process) PID() int { return p.Cmd.Process.Pid }

// Release ends the guard: the lab has cleaned up by itself. It is called once.
func (p *Process) Release() {
	_, _ = io.WriteString(p.stdin, "done\n")
	_ = p.stdin.Close()
	_ = p.guard.Wait()
}
