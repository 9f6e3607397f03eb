//go:build unix

package jupyterlab

import (
	"os"
	"os/exec"
	"path/filepath"
	"shelflab/labkit/guard"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is the running server with its kernels, each of which it puts into a
// process group of its own, as a kernel does its gopls. Told to end, the server
// ends its kernels in good order; what is left of its descendants is then
// killed.
type process struct {
	*guard.Process
	tmp  string // private folder, removed at the end
	once sync.Once
}

const logName = "server.log"

// endLimit is how long the server may take to end its kernels: it gives each
// five seconds before it kills it.
const endLimit = 10 * time.Second

// guardScript ends the server as end does, as far as a shell can.
const guardScript = `kill -s TERM "$1"
for i in 1 2 3 4 5 6 7 8 9 10; do kill -s 0 "$1" || break; sleep 1; done
kill -s KILL -- "-$1"
rm -rf -- "$2"`

func startProcess(cmd *exec.Cmd, tmp string) (*process, error) {
	p, err := guard.Start(cmd, filepath.Join(tmp, logName), tmp, guardScript)
	if err != nil {
		return nil, err
	}
	return &process{Process: p, tmp: tmp}, nil
}

// end ends the server and all that it has started. It may be called more than
// once.
func (p *process) end() {
	p.once.Do(func() {
		pid := p.PID()
		family := descendants(pid)
		_ = p.Cmd.Process.Signal(syscall.SIGTERM) // fails when it is gone, which is as good
		select {
		case <-p.Dead:
		case <-time.After(endLimit):
			_ = syscall.Kill(-pid, syscall.SIGKILL)
			<-p.Dead
		}
		for _, child := range family {
			endChild(child)
		}
		p.Release()
		_ = os.RemoveAll(p.tmp)
	})
}

// child is a process as it was seen. Its number may be another's later, its
// start is not.
type child struct {
	pid     int
	started string
}

// endChild kills a process that has outlived the server, and waits until it is
// gone: a store's lock is held until then.
func endChild(c child) {
	for range 200 { // bounded, since a container may have no init that reaps
		started, state := look(c.pid)
		if started != c.started || strings.HasPrefix(state, "Z") {
			return
		}
		_ = syscall.Kill(c.pid, syscall.SIGKILL)
		time.Sleep(5 * time.Millisecond)
	}
}

func look(pid int) (started, state string) {
	out, err := exec.Command("ps", "-o", "lstart=,state=", "-p", strconv.Itoa(pid)).Output()
	fields := strings.Fields(string(out))
	if err != nil || len(fields) < 2 {
		return "", ""
	}
	last := len(fields) - 1
	return strings.Join(fields[:last], " "), fields[last]
}

// descendants lists the children of a process, their children, and so on.
func descendants(pid int) []child {
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=,lstart=").Output()
	if err != nil {
		return nil // without ps the server's own way to end its kernels must do
	}
	children := map[int][]child{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		own, err1 := strconv.Atoi(fields[0])
		parent, err2 := strconv.Atoi(fields[1])
		if err1 == nil && err2 == nil {
			children[parent] = append(children[parent], child{own, strings.Join(fields[2:], " ")})
		}
	}
	family := slices.Clone(children[pid])
	for i := 0; i < len(family); i++ {
		family = append(family, children[family[i].pid]...)
	}
	return family
}

// lastWords is what the server said at last.
func (p *process) lastWords() string {
	data, err := os.ReadFile(filepath.Join(p.tmp, logName))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	const most = 8
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}
