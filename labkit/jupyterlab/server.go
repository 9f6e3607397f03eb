package jupyterlab

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"shelflab/labkit/notebook"
)

// Options say what a server shows, and how.
type Options struct {
	Kernel *notebook.Kernel // the kernel of its notebooks
	Gopls  string           // folder of gopls; empty: no completion
	Dir    string           // the folder that it shows
	State  string           // folder for what is kept between starts: the user's settings, and which notebooks are trusted
	Port   int              // 0: 8888 if it is free, else any
	Root   bool             // allow it to run as the superuser
	Env    []string         // added to the environment of the server and its kernels, "name=value"
	Args   []string         // further flags for jupyter-lab
	Export []string         // the command that makes a notebook's page: PATH --out FILE follow
}

// What can keep a server from starting. Errors of [Start] wrap them.
var (
	ErrRoot = errors.New("you are root, and every cell would be, too: run it as another user, or add --allow-root")
	ErrPort = errors.New("the port is taken: give another one with --port, or leave the flag out for a free one")
	ErrExit = errors.New("JupyterLab ended by itself")
)

// firstPort is the one that Jupyter uses, too.
const firstPort = 8888

// Server is a running JupyterLab.
type Server struct {
	proc  *process
	port  int
	token string
}

// Check says what would keep a server from starting, as far as Dir, Port and Root
// tell, so that it is known before anything is set up.
func (opt Options) Check() error {
	if os.Geteuid() == 0 && !opt.Root {
		return ErrRoot
	}
	if err := writable(opt.Dir); err != nil {
		return err
	}
	_, err := freePort(opt.Port)
	return err
}

// Start starts the JupyterLab on the loopback interface behind a token and
// returns when it answers. After an error, and after Close, nothing runs on.
func Start(ctx context.Context, lab *Lab, opt Options) (*Server, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	const attempts = 5
	for attempt := 1; ; attempt++ {
		port, err := freePort(opt.Port)
		if err != nil {
			return nil, err
		}
		s, err := startOn(ctx, lab, opt, port)
		if errors.Is(err, ErrExit) && opt.Port == 0 && attempt < attempts {
			if _, taken := freePort(port); taken != nil {
				continue // another program took it meanwhile
			}
		}
		return s, err
	}
}

// startOn starts the JupyterLab on a port.
func startOn(ctx context.Context, lab *Lab, opt Options, port int) (*Server, error) {
	tmp, err := os.MkdirTemp("", "shelflab-")
	if err != nil {
		return nil, notebook.FolderError(err)
	}
	s := &Server{port: port, token: newToken()}
	f := files{tmp: tmp, state: opt.State}
	if err := f.write(opt, s.token); err != nil {
		_ = os.RemoveAll(tmp)
		return nil, err
	}
	args := append(slices.Clone(lab.command[1:]), f.flags(opt, port)...)
	cmd := exec.Command(lab.command[0], append(args, opt.Args...)...)
	cmd.Dir = opt.Dir
	cmd.Env = append(f.environ(os.Environ()), opt.Env...)
	if s.proc, err = startProcess(cmd, tmp); err != nil {
		_ = os.RemoveAll(tmp)
		return nil, fmt.Errorf("starting JupyterLab: %w", err)
	}
	if err := s.ready(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// startLimit is how long a server may take: a cold disk and a virus scanner
// make a minute of a second.
const startLimit = 2 * time.Minute

// ready waits until the server answers.
func (s *Server) ready(ctx context.Context) error {
	// Another program that has the port may take a question and never answer.
	asking, stop := context.WithTimeout(ctx, startLimit)
	defer stop()
	go func() {
		select {
		case <-s.proc.Dead:
			stop()
		case <-asking.Done():
		}
	}()
	limit := time.After(startLimit)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-limit:
			return fmt.Errorf("JupyterLab does not answer after %v\n%s", startLimit, s.proc.lastWords())
		case <-s.proc.Dead:
			return fmt.Errorf("%w before it answered\n%s", ErrExit, s.proc.lastWords())
		case <-tick.C:
			if s.answers(asking) {
				return nil
			}
		}
	}
}

// answers says whether the server does, to its token.
func (s *Server) answers(ctx context.Context) bool {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base()+"/api/status?token="+s.token, nil)
	if err != nil {
		return false
	}
	r, err := http.DefaultClient.Do(ask)
	if err != nil {
		return false
	}
	r.Body.Close()
	return r.StatusCode == http.StatusOK
}

func (s *Server) base() string { return "http://127.0.0.1:" + strconv.Itoa(s.port) }

// Port is the port on which it listens.
func (s *Server) Port() int { return s.port }

// URL is what a browser opens to see a file, whose path is relative to the
// folder that the server shows. It holds the token: who has it can run code.
func (s *Server) URL(path string) string {
	u := url.URL{Path: "/lab/tree/" + filepath.ToSlash(path)}
	return s.base() + u.EscapedPath() + "?token=" + s.token
}

// Done is closed when the server has ended, by Close or by itself.
func (s *Server) Done() <-chan struct{} { return s.proc.Dead }

// Close ends the server and everything that it has started, and waits until it
// is gone. It may be called more than once.
func (s *Server) Close() { s.proc.end() }

func newToken() string {
	b := make([]byte, 24)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// freePort finds a port that nobody listens on. Another program may take it
// before the server does, which then ends.
func freePort(wanted int) (int, error) {
	try := func(port int) (int, error) {
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
		if err != nil {
			return 0, err
		}
		defer l.Close()
		return l.Addr().(*net.TCPAddr).Port, nil
	}
	if wanted != 0 {
		port, err := try(wanted)
		if err != nil {
			return 0, fmt.Errorf("--port %d: %w (%v)", wanted, ErrPort, err)
		}
		return port, nil
	}
	if port, err := try(firstPort); err == nil {
		return port, nil
	}
	return try(0)
}

// writable proves that a notebook in the folder can be saved.
func writable(dir string) error {
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written, so nothing that you change would be kept: make it writable, or open a copy in a folder that is (%w)", dir, err)
	}
	probe.Close()
	return os.Remove(probe.Name())
}

// isPrivate says that a variable of the environment would let a setting of the
// user's Jupyter, Python or outer Go kernel through.
func isPrivate(variable string) bool {
	for _, prefix := range []string{"JUPYTER", "PYTHON", "IPYTHON", "GONB_", "VIRTUAL_ENV", "CONDA_"} {
		if strings.HasPrefix(variable, prefix) {
			return true
		}
	}
	return false
}
