package notebook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Kernel is a GoNB kernel that [Setup] has built and that can be started.
type Kernel struct {
	// Gonb is the path of the kernel's program. The folder that holds it comes
	// first on the kernel's PATH: it also holds goimports, which the kernel looks
	// for there, and a go that says below some errors what to do (cellgo.sh).
	Gonb string

	root      string // the module whose packages the cells import
	goVersion string // the toolchain that built the kernel, as GOTOOLCHAIN takes it; may be empty
	stubs     string // folder of programs that hide others on PATH
}

// CellFlags are the GOFLAGS under which cells are built: without symbol tables
// a cell that links much is ready in half the time.
const CellFlags = "'-ldflags=-s -w' -buildvcs=false"

// Args are the kernel's arguments for a connection file, as a kernel
// specification or a command line gives them.
func (k *Kernel) Args(connectionFile string) []string {
	return []string{k.Gonb, "--kernel", connectionFile, "--go_work=" + k.root, "--raw_error=true"}
}

// Env lists what the kernel's environment must have beside the user's own.
// Cells are built without asking a module proxy: it would be asked for each
// cell, and could move versions in the cell's workspace.
func (k *Kernel) Env() []string {
	env := []string{"GOPROXY=off", "GOFLAGS=" + CellFlags, "GOWORK=auto"}
	if k.goVersion != "" {
		env = append(env, "GOTOOLCHAIN="+k.goVersion)
	}
	return env
}

// StartOptions say where and with what a kernel runs.
type StartOptions struct {
	// Dir is the working folder of the kernel and its cells: the notebook's
	// folder. Empty means the current one.
	Dir string
	// Env is added to the environment, "name=value", and wins over it. This is
	// how parameters reach cells.
	Env []string
}

// Start starts the kernel. Everything that it and its cells put into the
// temporary folder lands in a private one that Close removes. When ctx ends
// before the kernel answers, or the kernel ends by itself, nothing is left and
// the error says which.
func (k *Kernel) Start(ctx context.Context, opt StartOptions) (*Session, error) {
	if info, err := os.Stat(opt.Dir); opt.Dir != "" && (err != nil || !info.IsDir()) {
		return nil, fmt.Errorf("starting the kernel: %q is no folder", opt.Dir)
	}
	tmp, err := privateFolder()
	if err != nil {
		return nil, fmt.Errorf("starting the kernel: %w", err)
	}
	s, err := k.start(ctx, opt, tmp)
	if err != nil {
		_ = os.RemoveAll(tmp)
		return nil, fmt.Errorf("starting the kernel: %w", FolderError(err))
	}
	return s, nil
}

func (k *Kernel) start(ctx context.Context, opt StartOptions, tmp string) (*Session, error) {
	conn := newConnection(filepath.Join(tmp, "s"))
	data, err := json.Marshal(conn)
	if err != nil {
		return nil, err
	}
	// The name must not look like one of a Jupyter server's: GoNB would take
	// an id from it, by which cells tell that a front end is there.
	file := filepath.Join(tmp, "connection.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, err
	}
	args := k.Args(file)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = opt.Dir
	cmd.Env = k.environ(tmp, opt.Env)
	proc, err := startProcess(cmd, tmp)
	if err != nil {
		return nil, err
	}
	// The sockets live until Close, not until ctx ends: after a Ctrl-C the
	// interrupted cell's outputs are still wanted.
	life, stop := context.WithCancel(context.Background())
	s := &Session{proc: proc, stop: stop, requests: map[string]*execution{}, displays: map[string][]*Output{}}
	if err := s.connect(ctx, life, conn); err != nil {
		words := proc.lastWords()
		s.Close()
		if errors.Is(err, errDied) && words != "" {
			err = fmt.Errorf("%w; its last words:\n%s", err, words)
		}
		return nil, err
	}
	return s, nil
}

// environ is the user's environment with what the kernel needs. Variables of a
// GoNB kernel that the lab itself may be running under are removed: cells would
// write their displays into that kernel's pipes.
func (k *Kernel) environ(tmp string, extra []string) []string {
	env := make([]string, 0, 64)
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GONB_") {
			env = append(env, kv)
		}
	}
	path := strings.Join([]string{k.stubs, filepath.Dir(k.Gonb), os.Getenv("PATH")}, string(os.PathListSeparator))
	env = append(env, "PATH="+path, "TMPDIR="+filepath.Join(tmp, tmpName))
	env = append(env, k.Env()...)
	return append(env, extra...)
}

// tmpName is the folder of the kernel's and the cells' own temporary files,
// within the session's.
const tmpName = "tmp"

// maxSocketPath keeps below the 104 bytes that macOS gives a socket's path.
const maxSocketPath = 100

// privateFolder makes the session's folder. Where the user's temporary folder
// has too long a name for a socket, it goes to the system's.
func privateFolder() (string, error) {
	parent := os.TempDir()
	if len(parent)+len("/shelflab-1234567890/s-1") > maxSocketPath {
		parent = "/tmp"
	}
	tmp, err := os.MkdirTemp(parent, "shelflab-")
	if err != nil {
		return "", FolderError(err)
	}
	return tmp, os.Mkdir(filepath.Join(tmp, tmpName), 0o700)
}
