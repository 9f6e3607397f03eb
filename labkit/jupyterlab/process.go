//go:build unix

package jupyterlab

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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
	cmd  *exec.Cmd
	tmp  string        // private folder, removed at the end
	dead chan struct{} // closed when the server has ended

	guard      *exec.Cmd
	guardStdin io.WriteCloser
	once       sync.Once
}

const logName = "server.log"

// endLimit is how long the server may take to end its kernels: it gives each
// five seconds before it kills it.
const endLimit = 10 * time.Second

// guardScript outlives the lab. It waits for a line; when its input ends
// without one, the lab is gone without having cleaned up (kill -9, a crash), so
// it ends the server in the lab's place.
const guardScript = `read -r _ || {
kill -s TERM "$1"
for i in 1 2 3 4 5 6 7 8 9 10; do kill -s 0 "$1" 2>/dev/null || break; sleep 1; done
kill -s KILL -- "-$1"
rm -rf -- "$2"
} 2>/dev/null`

// startProcess starts the command, in a session of its own: a Ctrl-C in the
// terminal reaches nobody but the lab, which then decides.
func startProcess(cmd *exec.Cmd, tmp string) (*process, error) {
	log, err := os.Create(filepath.Join(tmp, logName))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, tmp: tmp, dead: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is in its log
		close(p.dead)
	}()
	p.guard = exec.Command("/bin/sh", "-c", guardScript, "guard", strconv.Itoa(cmd.Process.Pid), tmp)
	p.guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if p.guardStdin, err = p.guard.StdinPipe(); err == nil {
		err = p.guard.Start()
	}
	if err != nil {
		p.guard = nil
		p.end()
		return nil, fmt.Errorf("starting the server's guard: %w", err)
	}
	return p, nil
}

// end ends the server and all that it has started. It may be called more than
// once.
func (p *process) end() {
	p.once.Do(func() {
		pid := p.cmd.Process.Pid
		family := descendants(pid)
		_ = p.cmd.Process.Signal(syscall.SIGTERM) // fails when it is gone, which is as good
		select {
		case <-p.dead:
		case <-time.After(endLimit):
			_ = syscall.Kill(-pid, syscall.SIGKILL)
			<-p.dead
		}
		for _, child := range family {
			endChild(child)
		}
		if p.guard != nil {
			_, _ = io.WriteString(p.guardStdin, "done\n")
			_ = p.guardStdin.Close()
			_ = p.guard.Wait()
		}
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
