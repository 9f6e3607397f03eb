package jupyterlab

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"shelflab/labkit/notebook"
)

// requirements pins every package of the private JupyterLab.
//
//go:embed requirements.txt
var requirements string

// Lab is a JupyterLab that can be started.
type Lab struct {
	command []string // what starts it, without flags
}

// Setup makes the private JupyterLab in a folder below cache, or finds the one
// that it made earlier. Another Python or another list of packages gets an
// environment of its own. Any number of processes may call it at once. report
// is told what goes on as it begins; it may be nil.
//
// An error is one line with the remedy: no Python, one too old, one without its
// venv module, no package index in reach, a package that is not the pinned one,
// no space, a folder that cannot be written. When ctx ends its cause is
// returned, and nothing half-made is used later.
func Setup(ctx context.Context, cache string, report func(stage string)) (*Lab, error) {
	if report == nil {
		report = func(string) {}
	}
	py, err := findPython(ctx)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256([]byte(py.path + "\n" + py.String() + "\n" + requirements))
	dir := filepath.Join(cache, "jupyterlab-"+hex.EncodeToString(key[:])[:16])
	lab := &Lab{command: []string{filepath.Join(dir, "bin", "python"), "-I", "-m", "jupyterlab"}}
	done := filepath.Join(dir, "complete")
	if err := once(ctx, cache, done, report, func() error { return install(ctx, py, dir, done, report) }); err != nil {
		return nil, err
	}
	now := time.Now()
	_ = os.Chtimes(dir, now, now) // for removeOld; a folder that cannot be written keeps its date
	return lab, nil
}

// Find is the JupyterLab of the user's own: program is the path of jupyter-lab,
// or its name on PATH. It must be of version 4.
func Find(ctx context.Context, program string) (*Lab, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, fmt.Errorf("no JupyterLab %q: give the path of jupyter-lab, or leave the flag out for a private one", program)
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	version := strings.TrimSpace(string(out))
	if err != nil || !strings.HasPrefix(version, "4.") {
		return nil, fmt.Errorf("%s is no JupyterLab 4 (--version says %q): give the path of jupyter-lab, or leave the flag out for a private one", path, version)
	}
	return &Lab{command: []string{path}}, nil
}

// once calls do unless the file is there, one process at a time.
func once(ctx context.Context, cache, file string, report func(string), do func() error) error {
	there := func() bool { _, err := os.Stat(file); return err == nil }
	if there() {
		return nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return notebook.FolderError(err)
	}
	lock := flock.New(filepath.Join(cache, "jupyterlab.lock"))
	free, err := lock.TryLock()
	if err == nil && !free {
		report("waiting for another process that sets up JupyterLab")
		_, err = lock.TryLockContext(ctx, 100*time.Millisecond)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return notebook.FolderError(err)
	}
	defer lock.Unlock()
	if there() {
		return nil
	}
	return do()
}

// install makes the environment. It cannot be moved once it is made, so it
// grows in its place, and the file done says that it is whole.
func install(ctx context.Context, py python, dir, done string, report func(string)) error {
	report("installing a private JupyterLab, once")
	removeOld(filepath.Dir(dir))
	if err := os.RemoveAll(dir); err != nil { // what an interrupted one left
		return notebook.FolderError(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return notebook.FolderError(err)
	}
	list := filepath.Join(dir, "requirements.txt")
	if err := os.WriteFile(list, []byte(requirements), 0o644); err != nil {
		return notebook.FolderError(err)
	}
	if err := runPython(ctx, py.path, "-I", "-m", "venv", dir); err != nil {
		return err
	}
	report("fetching JupyterLab's packages, once")
	err := runPython(ctx, filepath.Join(dir, "bin", "python"), "-I", "-m", "pip", "install", "--quiet",
		"--disable-pip-version-check", "--no-input", "--retries", "2",
		"--require-hashes", "--only-binary", ":all:", "--no-deps", "-r", list)
	if err != nil {
		return err
	}
	return os.WriteFile(done, nil, 0o644)
}

// runPython runs a step of the installation. It is interrupted when ctx ends.
func runPython(ctx context.Context, path string, args ...string) error {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	said, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return pythonError(string(said), err)
}

// ErrPackages: the packages of the private JupyterLab could not be installed.
var ErrPackages = errors.New("JupyterLab's packages cannot be installed")

// remedies tells what to do about what pip says. The first match counts.
var remedies = []struct {
	said   *regexp.Regexp
	remedy string
}{
	{regexp.MustCompile(`No space left on device|Disk quota exceeded`),
		"no disk space: free some, or set XDG_CACHE_HOME and TMPDIR to folders on another disk"},
	{regexp.MustCompile(`DO NOT MATCH THE HASHES`),
		"a package is not the one that the lab has pinned: ask who keeps your package index"},
	{regexp.MustCompile(`ensurepip is not available|No module named (?:venv|ensurepip|pip)`),
		"Python's venv module is incomplete: install it (Debian and Ubuntu: apt install python3-venv)"},
	{regexp.MustCompile(`Read-only file system|Permission denied`),
		"the cache folder cannot be written: make it writable, or set XDG_CACHE_HOME to one that is"},
	{regexp.MustCompile(`establish a new connection|Connection refused|Connection (?:to|broken)|Max retries|Name or service not known|name resolution|ProxyError|ConnectTimeout|ReadTimeout|timed out|No matching distribution`),
		"no package index in reach that has them: run it once with one (see pip config list), or use a JupyterLab of yours with --jupyter"},
}

func pythonError(said string, err error) error {
	said = strings.TrimSpace(said)
	lines := strings.Split(said, "\n")
	last := lines[len(lines)-1]
	for _, r := range remedies {
		if r.said.MatchString(said) {
			return fmt.Errorf("%w: %s\n%s", ErrPackages, r.remedy, last)
		}
	}
	return fmt.Errorf("%w: %v\n%s", ErrPackages, err, last)
}

// oldAfter is how long an environment of other packages may lie unused.
const oldAfter = 30 * 24 * time.Hour

// removeOld removes environments that nobody has set up for long. The lock is
// held. Failing to is no reason to fail.
func removeOld(cache string) {
	entries, _ := filepath.Glob(filepath.Join(cache, "jupyterlab-*"))
	for _, dir := range entries {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > oldAfter {
			_ = os.RemoveAll(dir)
		}
	}
}
