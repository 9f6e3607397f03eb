package jupyterlab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"shelflab/labkit/notebook"
)

// program writes an executable shell script into dir.
func program(t *testing.T, dir, name, script string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// answers is a Python that says of itself what it is told to.
func answers(version string, whole bool) string {
	return fmt.Sprintf(`echo '{"path": "'$0'", "version": [%s], "whole": %t}'`, version, whole)
}

func TestFindPython(t *testing.T) {
	for name, c := range map[string]struct {
		there map[string]string // scripts by name
		want  string            // the one that is found
		err   error
		says  string
	}{
		"none":         {nil, "", ErrNoPython, "install Python 3.10 or newer"},
		"no python 3":  {map[string]string{"python": "echo 'SyntaxError' >&2; exit 1"}, "", ErrNoPython, "install"},
		"too old":      {map[string]string{"python3": answers("3, 9", true)}, "", ErrOldPython, "is Python 3.9: JupyterLab needs Python 3.10"},
		"no venv":      {map[string]string{"python3": answers("3, 12", false)}, "", ErrNoVenv, "is Python 3.12, but its venv module is missing: install it"},
		"usual":        {map[string]string{"python3": answers("3, 12", true)}, "python3", nil, ""},
		"oldest":       {map[string]string{"python3": answers("3, 10", true)}, "python3", nil, ""},
		"beside":       {map[string]string{"python3": answers("3, 9", true), "python3.12": answers("3, 12", true)}, "python3.12", nil, ""},
		"broken shim":  {map[string]string{"python3": "exit 127", "python3.11": answers("3, 11", true)}, "python3.11", nil, ""},
		"nearest told": {map[string]string{"python3": answers("3, 12", false), "python": answers("2, 7", true)}, "", ErrNoVenv, "python3-venv"},
		"four":         {map[string]string{"python3": answers("4, 0", true)}, "python3", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, script := range c.there {
				program(t, dir, name, script)
			}
			t.Setenv("PATH", dir)
			got, err := findPython(t.Context())
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			if err != nil && (!strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("error %q, want one line with %q", err, c.says)
			}
			if err == nil && filepath.Base(got.path) != c.want {
				t.Errorf("found %s, want %s", got.path, c.want)
			}
		})
	}
}

// What pip and the file system can say is answered by a remedy, and nothing
// half-made counts as made.
func TestSetupFails(t *testing.T) {
	for name, c := range map[string]struct{ pip, says string }{
		"no index":   {"WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError(failed to establish a new connection)'", "no package index in reach"},
		"not there":  {"ERROR: No matching distribution found for jupyterlab==4.6.6", "no package index in reach"},
		"wrong hash": {"ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "not the one that the lab has pinned"},
		"no space":   {"ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "no disk space"},
		"read-only":  {"ERROR: [Errno 30] Read-only file system: '/x'", "cannot be written"},
		"no pip":     {"/x/bin/python: No module named pip", "apt install python3-venv"},
		"who knows":  {"ERROR: out of cheese", "out of cheese"},
	} {
		t.Run(name, func(t *testing.T) {
			bin, cache := t.TempDir(), t.TempDir()
			// It makes an environment whose Python fails as pip would.
			program(t, bin, "python3", `case "$*" in
*"-m venv"*) mkdir -p "$4/bin"; printf '#!/bin/sh\necho "$PIP_SAYS"; exit 1\n' > "$4/bin/python"; chmod +x "$4/bin/python";;
*) `+answers("3, 12", true)+`;; esac`)
			t.Setenv("PATH", bin+":/bin:/usr/bin")
			t.Setenv("PIP_SAYS", c.pip)
			for range 2 { // the second one finds what the first one left
				_, err := Setup(t.Context(), cache, nil)
				if !errors.Is(err, ErrPackages) || !strings.Contains(err.Error(), c.says) {
					t.Fatalf("error %v, want %q", err, c.says)
				}
			}
		})
	}
}

func TestSetupCacheCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	program(t, dir, "python3", answers("3, 12", true))
	t.Setenv("PATH", dir)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Setup(t.Context(), filepath.Join(file, "cache"), nil); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v, want one about %s", err, file)
	}
}

func TestSetupInterrupted(t *testing.T) {
	dir := t.TempDir()
	program(t, dir, "python3", answers("3, 12", true))
	t.Setenv("PATH", dir)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := Setup(ctx, t.TempDir(), nil); !errors.Is(err, why) {
		t.Errorf("error %v, want %v", err, why)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	program(t, dir, "jupyter-lab", "echo 4.2.5")
	old := program(t, dir, "old", "echo 3.6.3")
	foreign := program(t, dir, "foreign", "exit 1")
	if lab, err := Find(t.Context(), "jupyter-lab"); err != nil || len(lab.command) != 1 || lab.command[0] != filepath.Join(dir, "jupyter-lab") {
		t.Errorf("%v, %v", lab, err)
	}
	for program, says := range map[string]string{"nowhere": "no JupyterLab", old: "is no JupyterLab 4", foreign: "is no JupyterLab 4"} {
		if _, err := Find(t.Context(), program); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", program, err, says)
		}
	}
}

// What would fail later is told before anything is started.
func TestStartMistakes(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	if _, err := freePort(port); !errors.Is(err, ErrPort) || !strings.Contains(err.Error(), "--port "+strconv.Itoa(port)) {
		t.Errorf("a taken port: %v", err)
	}
	if got, err := freePort(0); err != nil || got == 0 || got == port {
		t.Errorf("any port: %d, %v", got, err)
	}
	if os.Geteuid() == 0 {
		if _, err := Start(t.Context(), &Lab{}, Options{Dir: t.TempDir()}); !errors.Is(err, ErrRoot) {
			t.Errorf("as root: %v", err)
		}
	}
	gone := filepath.Join(t.TempDir(), "gone")
	if _, err := Start(t.Context(), &Lab{}, Options{Dir: gone, Root: true}); err == nil || !strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("a folder that cannot be written: %v", err)
	}
}

func TestOpenBrowser(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	for _, name := range []string{"SSH_CONNECTION", "SSH_TTY", "BROWSER", "DISPLAY", "WAYLAND_DISPLAY"} {
		t.Setenv(name, "")
	}
	seen := filepath.Join(dir, "seen")
	t.Setenv("BROWSER", program(t, dir, "my-browser", `echo "$1" > "`+seen+`.new" && mv "`+seen+`.new" "`+seen+`"`))
	if err := OpenBrowser("http://127.0.0.1/"); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the browser's page", func() bool {
		text, _ := os.ReadFile(seen)
		return string(text) == "http://127.0.0.1/\n"
	})
	t.Setenv("BROWSER", "no-such-browser")
	if err := OpenBrowser("http://127.0.0.1/"); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("a browser that is not there: %v", err)
	}
	t.Setenv("SSH_CONNECTION", "10.0.0.1 22")
	if err := OpenBrowser("http://127.0.0.1/"); !errors.Is(err, ErrRemote) {
		t.Errorf("a remote shell: %v", err)
	}
}

// A port that another program takes before the server does is not insisted on.
func TestStartFindsAnotherPort(t *testing.T) {
	dir := t.TempDir()
	ports := filepath.Join(dir, "ports")
	// A server that has always come too late: it takes the port and ends.
	taken := program(t, dir, "late", `for a in "$@"; do case $a in --ServerApp.port=*) echo "${a#*=}" >> `+ports+`;; esac; done; while [ ! -e `+dir+`/taken.$(wc -l < `+ports+`) ]; do sleep 0.05; done; exit 1`)
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	ended := make(chan error, 1)
	go func() {
		_, err := Start(t.Context(), &Lab{command: []string{taken}}, Options{
			Kernel: &notebook.Kernel{Gonb: filepath.Join(dir, "gonb")}, Dir: dir, State: filepath.Join(dir, "state"), Root: true,
		})
		ended <- err
	}()
	tried := func() []string {
		text, _ := os.ReadFile(ports)
		return strings.Fields(string(text))
	}
	for n := 1; n <= 2; n++ {
		waitFor(t, "an attempt", func() bool { return len(tried()) == n })
		l, err := net.Listen("tcp", "127.0.0.1:"+tried()[n-1])
		must(t, err)
		held = append(held, l)
		program(t, dir, "taken."+strconv.Itoa(n), "")
	}
	waitFor(t, "a third attempt", func() bool { return len(tried()) == 3 })
	program(t, dir, "taken.3", "") // which ends for another reason
	if err := <-ended; !errors.Is(err, ErrExit) {
		t.Errorf("error %v, want %v", err, ErrExit)
	}
	if got := tried(); len(got) != 3 || got[0] == got[1] || got[1] == got[2] || got[0] == got[2] {
		t.Errorf("ports tried: %q, want three", got)
	}
}
