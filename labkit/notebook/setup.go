package notebook

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	gonbPackage      = "github.com/janpfeifer/gonb"
	goimportsPackage = "golang.org/x/tools/cmd/goimports"
)

// Setup makes the kernel ready to start: it builds gonb and goimports from the
// go.mod of the module in root into a folder below cache, and compiles the
// packages (import paths, as root's module resolves them) so that the first
// cell that imports them does not. What is there already is not built again: a
// second call takes a fraction of a second. Another Go, go.mod or go.sum gets a
// kernel of its own. Any number of processes may call it at once.
//
// report, if not nil, is told what goes on as it begins: building,
// downloading, waiting for another process.
//
// An error is one line with the remedy, followed by what go said where that
// helps: no go command or one too old, no go.mod in root, no module proxy while
// modules are missing, no space, a folder that cannot be written, packages that
// do not compile. When ctx ends its cause is returned and nothing half-built
// stays.
func Setup(ctx context.Context, root, cache string, packages []string, report func(stage string)) (*Kernel, error) {
	if report == nil {
		report = func(string) {}
	}
	root, err := filepath.Abs(root)
	if err == nil {
		cache, err = filepath.Abs(cache)
	}
	if err != nil {
		return nil, err
	}
	if strings.Contains(root, ",") {
		return nil, fmt.Errorf("%s: GoNB cannot use a folder with a comma in its name: move the module", root)
	}
	g := goTool{dir: root, report: report}
	env, err := g.env(ctx)
	if err != nil {
		return nil, err
	}
	key, err := kernelKey(root, env)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, kernelPrefix+key)
	k := &Kernel{
		Gonb:      filepath.Join(dir, "bin", "gonb"),
		root:      root,
		goVersion: env.toolchain(),
		stubs:     filepath.Join(dir, "stubs"),
	}
	// A cell resolves its imports in a workspace, for which Go reads the go.mod
	// of more modules than for building in one module; offline they must be
	// there. This fetches what is missing, and takes some 40 ms when nothing is.
	if _, err := g.run(ctx, "list", "-m", "all"); err != nil {
		return nil, err
	}
	if !k.complete() {
		if err := buildLocked(ctx, g, k, cache, dir); err != nil {
			return nil, err
		}
	}
	now := time.Now()
	_ = os.Chtimes(dir, now, now) // for removeOld; a folder that cannot be written keeps its date
	if len(packages) > 0 {
		report("compiling the notebook's packages")
		if err := g.build(ctx, packages...); err != nil {
			return nil, err
		}
	}
	return k, nil
}

const kernelPrefix = "kernel-"

//go:embed cellgo.sh
var cellGo []byte

// goEnv is what the go command says about itself in the module's folder.
type goEnv struct {
	GOVERSION, GOOS, GOARCH, GOMOD string
}

var releasePattern = regexp.MustCompile(`^go1\.\d+(\.\d+|rc\d+|beta\d+)?$`)

// toolchain is the version as GOTOOLCHAIN takes it. The cells' workspace asks
// for no version of its own, and must not be compiled by an older Go than the
// packages were. A development version has no such name.
func (e goEnv) toolchain() string {
	if releasePattern.MatchString(e.GOVERSION) {
		return e.GOVERSION
	}
	return ""
}

func (g goTool) env(ctx context.Context) (goEnv, error) {
	var e goEnv
	out, err := g.run(ctx, "env", "-json", "GOVERSION", "GOOS", "GOARCH", "GOMOD")
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		return e, fmt.Errorf("go env: %w", err)
	}
	if e.GOMOD != filepath.Join(g.dir, "go.mod") {
		return e, fmt.Errorf("%s: no go.mod there: run it inside the module", g.dir)
	}
	return e, nil
}

// kernelKey names what the kernel is built from.
func kernelKey(root string, env goEnv) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "2 %s %s %s %s\n%s", env.GOVERSION, runtime.GOOS, runtime.GOARCH, CellFlags, cellGo)
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", name, len(data), data)
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// complete says whether the kernel's folder is there. It appears in one step,
// so there is no half of it.
func (k *Kernel) complete() bool {
	_, err := os.Stat(k.Gonb)
	return err == nil
}

// buildLocked builds the kernel unless another process just did.
func buildLocked(ctx context.Context, g goTool, k *Kernel, cache, dir string) error {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return FolderError(err)
	}
	lock := flock.New(filepath.Join(cache, "setup.lock"))
	free, err := lock.TryLock()
	if err == nil && !free {
		g.report("waiting for another process that builds the Go kernel")
		_, err = lock.TryLockContext(ctx, 100*time.Millisecond)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return FolderError(err)
	}
	defer lock.Unlock()
	if k.complete() {
		return nil
	}
	g.report("building the Go kernel, once")
	tmp, err := os.MkdirTemp(cache, "building-")
	if err != nil {
		return FolderError(err)
	}
	defer os.RemoveAll(tmp)
	if err := buildKernel(ctx, g, tmp); err != nil {
		return err
	}
	removeOld(cache)
	if err := os.Rename(tmp, dir); err != nil {
		return FolderError(err)
	}
	return nil
}

func buildKernel(ctx context.Context, g goTool, dir string) error {
	bin := filepath.Join(dir, "bin") + string(filepath.Separator)
	if err := g.build(ctx, "-o", bin, gonbPackage, goimportsPackage); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(bin, "go"), cellGo, 0o755); err != nil {
		return FolderError(err)
	}
	// GoNB starts a gopls that it finds on PATH, in a process group of its own
	// where no kill of ours reaches it, and beside a measurement it costs time
	// and memory. Nobody asks for completions here, so it finds this instead.
	stubs := filepath.Join(dir, "stubs")
	if err := os.Mkdir(stubs, 0o755); err != nil {
		return FolderError(err)
	}
	if err := os.WriteFile(filepath.Join(stubs, "gopls"), []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
		return FolderError(err)
	}
	return os.Chmod(dir, 0o755)
}

// oldAfter is how long a kernel of another go.mod may lie unused.
const oldAfter = 30 * 24 * time.Hour

// removeOld removes kernels that nobody has set up for long, and what a killed build
// left. The lock is held. Failing to is no reason to fail.
func removeOld(cache string) {
	entries, _ := os.ReadDir(cache)
	for _, e := range entries {
		stale := time.Duration(0)
		switch {
		case strings.HasPrefix(e.Name(), kernelPrefix):
			stale = oldAfter
		case strings.HasPrefix(e.Name(), "building-"):
			stale = time.Hour
		default:
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > stale {
			_ = os.RemoveAll(filepath.Join(cache, e.Name()))
		}
	}
}

// FolderError adds the remedy to an error of writing a folder below the cache or
// the temporary one.
func FolderError(err error) error {
	var pathErr *fs.PathError
	remedy := ""
	switch {
	case isNoSpace(err):
		remedy = "no disk space: free some, or set XDG_CACHE_HOME, GOCACHE and TMPDIR to folders on another disk"
	case errors.Is(err, fs.ErrPermission), isReadOnly(err):
		remedy = "the folder cannot be written: make it writable, or set XDG_CACHE_HOME and TMPDIR to folders that are"
	default:
		return err
	}
	if errors.As(err, &pathErr) {
		return fmt.Errorf("%s: %s (%w)", pathErr.Path, remedy, pathErr.Err)
	}
	return fmt.Errorf("%s (%w)", remedy, err)
}
