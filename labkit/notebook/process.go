//go:build unix

package notebook

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is a running kernel with everything that it starts: compilers and
// cell programs. They form one process group of one session of their own, so
// that a Ctrl-C in the terminal reaches nobody but the lab, which then decides,
// and so that one kill reaches them all.
type process struct {
	cmd  *exec.Cmd
	tmp  string        // private folder: sockets, log, and TMPDIR of the kernel and its cells
	dead chan struct{} // closed when the kernel process has ended
	err  error         // how it ended; read after dead is closed

	guard      *exec.Cmd
	guardStdin io.WriteCloser
	once       sync.Once
}

const logName = "kernel.log"

// guardScript outlives the lab. It waits for a line; when its input ends
// without one, the lab is gone without having cleaned up (kill -9, a crash), so
// it ends the kernel's group and removes the folder in the lab's place.
const guardScript = `read -r _ || { kill -s KILL -- "-$1"; sleep 1; rm -rf -- "$2"; }`

// startProcess starts the command in a fresh private folder of its own. On an
// error nothing is left.
func startProcess(cmd *exec.Cmd, tmp string) (*process, error) {
	logFile, err := os.Create(filepath.Join(tmp, logName))
	if err != nil {
		return nil, err
	}
	defer logFile.Close()
	cmd.Stdout, cmd.Stderr = logFile, logFile
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}

	p := &process{cmd: cmd, tmp: tmp, dead: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = cmd.Wait()
		close(p.dead)
	}()
	p.guard = exec.Command("/bin/sh", "-c", guardScript, "guard", strconv.Itoa(cmd.Process.Pid), tmp)
	p.guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if p.guardStdin, err = p.guard.StdinPipe(); err == nil {
		err = p.guard.Start()
	}
	if err != nil {
		p.guard = nil
		p.kill()
		return nil, fmt.Errorf("starting the kernel's guard: %w", err)
	}
	return p, nil
}

// interrupt asks the running cell to end. The kernel passes the signal on to
// the cell's program once.
func (p *process) interrupt() {
	_ = p.cmd.Process.Signal(os.Interrupt) // fails when it is gone, which is as good
}

// kill ends the kernel and all that it started, waits until they are gone, and
// removes the private folder. It may be called more than once.
func (p *process) kill() {
	p.once.Do(func() {
		pid := p.cmd.Process.Pid
		_ = syscall.Kill(-pid, syscall.SIGKILL)
		<-p.dead
		// The kernel is reaped; its children were killed with it and now
		// belong to init. Wait for them: a store's lock is held until they are
		// gone. Bounded, since a container may have no init that reaps.
		for range 200 {
			if syscall.Kill(-pid, syscall.SIGKILL) != nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if p.guard != nil {
			_, _ = io.WriteString(p.guardStdin, "done\n")
			_ = p.guardStdin.Close()
			_ = p.guard.Wait()
		}
		_ = os.RemoveAll(p.tmp)
	})
}

// routineLog matches the lines of information and warning in the kernel's log.
var routineLog = regexp.MustCompile(`^[IW]\d{4} `)

// lastWords is what the kernel said at last that was not routine: why it died,
// if it knew.
func (p *process) lastWords() string {
	data, err := os.ReadFile(filepath.Join(p.tmp, logName))
	if err != nil {
		return ""
	}
	var words []string
	for line := range strings.Lines(stripANSI(string(data))) {
		if line = strings.TrimSpace(line); line != "" && !routineLog.MatchString(line) {
			words = append(words, line)
		}
	}
	const most = 5
	return strings.Join(words[max(0, len(words)-most):], "\n")
}
