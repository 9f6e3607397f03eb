//go:build unix

package notebook

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"shelflab/labkit/guard"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is a running kernel with everything that it starts: compilers and
// cell programs. They form one process group, so that one kill reaches them all.
type process struct {
	*guard.Process
	tmp  string // private folder: sockets, log, and TMPDIR of the kernel and its cells
	once sync.Once
}

const logName = "kernel.log"

// guardScript ends the kernel's group and removes the folder.
const guardScript = `kill -s KILL -- "-$1"; sleep 1; rm -rf -- "$2"`

// startProcess starts the command with a private folder of its own.
func startProcess(cmd *exec.Cmd, tmp string) (*process, error) {
	p, err := guard.Start(cmd, filepath.Join(tmp, logName), tmp, guardScript)
	if err != nil {
		return nil, err
	}
	return &process{Process: p, tmp: tmp}, nil
}

// interrupt asks the running cell to end. The kernel passes the signal on to
// the cell's program once.
func (p *process) interrupt() {
	_ = p.Cmd.Process.Signal(os.Interrupt) // fails when it is gone, which is as good
}

// kill ends the kernel and all that it started, waits until they are gone, and
// removes the private folder. It may be called more than once.
func (p *process) kill() {
	p.once.Do(func() {
		pid := p.PID()
		_ = syscall.Kill(-pid, syscall.SIGKILL)
		<-p.Dead
		// The kernel is reaped; its children were killed with it and now
		// belong to init. Wait for them: a store's lock is held until they are
		// gone. Bounded, since a container may have no init that reaps.
		for range 200 {
			if syscall.Kill(-pid, syscall.SIGKILL) != nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		p.Release()
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
