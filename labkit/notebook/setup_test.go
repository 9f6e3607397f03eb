package notebook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// stages records what Setup reports.
type stages struct {
	mu   sync.Mutex
	seen []string
}

func (s *stages) report(stage string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, stage)
}

func (s *stages) count(prefix string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, stage := range s.seen {
		if strings.HasPrefix(stage, prefix) {
			n++
		}
	}
	return n
}

func TestSetupTwiceAtOnceBuildsOnce(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "not", "there yet")
	var s stages
	kernels := make([]*Kernel, 3)
	var wg sync.WaitGroup
	for i := range kernels {
		wg.Go(func() {
			k, err := Setup(t.Context(), "../..", cache, nil, s.report)
			if err != nil {
				t.Error(err)
			}
			kernels[i] = k
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	if n := s.count("building"); n != 1 {
		t.Errorf("built %d times: %v", n, s.seen)
	}
	if kernels[0].Gonb != kernels[2].Gonb {
		t.Errorf("got two kernels, %s and %s", kernels[0].Gonb, kernels[2].Gonb)
	}
	// What is there is not built again, and the folder holds nothing else.
	s = stages{}
	if _, err := Setup(t.Context(), "../..", cache, []string{"fmt"}, s.report); err != nil {
		t.Fatal(err)
	}
	if s.count("building") != 0 || s.count("compiling") != 1 {
		t.Errorf("the second time: %v", s.seen)
	}
	var names []string
	entries, _ := os.ReadDir(cache)
	for _, e := range entries {
		names = append(names, strings.SplitN(e.Name(), "-", 2)[0])
	}
	if !slices.Equal(names, []string{"kernel", "setup.lock"}) {
		t.Errorf("the cache folder holds %v", names)
	}
}

func TestKernelKeyFollowsTheModule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n\ngo 1.26\n")
	write("go.sum", "")
	env := goEnv{GOVERSION: "go1.26.1"}
	key := func() string {
		k, err := kernelKey(dir, env)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	first := key()
	if key() != first {
		t.Error("the key is not stable")
	}
	write("go.sum", "x v1 h1:\n")
	second := key()
	write("go.mod", "module m\n\ngo 1.26.0\n")
	third := key()
	env.GOVERSION = "go1.27.0"
	if all := []string{first, second, third, key()}; len(slices.Compact(slices.Sorted(slices.Values(all)))) != 4 {
		t.Errorf("keys repeat: %v", all)
	}
}

// Each way in which a machine is not ready gives one line with the remedy. The
// go command is a script that says what the real one says.
func TestSetupErrors(t *testing.T) {
	// Not parallel: it sets PATH.
	fake := func(t *testing.T, script string) {
		t.Helper()
		dir := t.TempDir()
		if script != "" {
			if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PATH", dir)
	}
	says := func(message string) string { return fmt.Sprintf("echo %q >&2\nexit 1\n", message) }
	for _, tt := range []struct{ name, script, remedy string }{
		{"no go", "", "no go command on PATH"},
		{"old go", says("go: go.mod requires go >= 1.26.0 (running go 1.22.1; GOTOOLCHAIN=local)"), "too old"},
		{"very old go", says("go: errors parsing go.mod:\n/m/go.mod:3: invalid go version '1.26.0': must match format 1.23"), "too old"},
		{"no toolchain", says("go: download go1.26.0 for linux/amd64: toolchain not available"), "too old"},
		{"no proxy", says("go: golang.org/x/net@v0.62.0: module lookup disabled by GOPROXY=off"), "cannot be fetched"},
		{"no network", says(`go: golang.org/x/net@v0.62.0: Get "https://x.example/x": dial tcp: lookup x.example: no such host`), "cannot be fetched"},
		{"proxy refuses", says("go: golang.org/x/net@v0.62.0: reading https://x.example/x: 403 Forbidden"), "cannot be fetched"},
		{"disk full", says("go build: copying /tmp/x: write /cache/x: no space left on device"), "no disk space"},
		{"read-only", says("open /cache/go-build/x: read-only file system"), "cannot be written"},
		{"missing module", says("nb.go:3:8: no required module provides package x.example/y; to add it:\n\tgo get x.example/y"), "go get"},
		{"does not compile", says("# shelflab/labkit/show\nshow.go:3:1: syntax error"), "go cannot build"},
		{"no module", `echo '{"GOVERSION": "go1.26.0", "GOMOD": "/dev/null"}'`, "no go.mod there"},
		{"silent", "exit 3\n", "exit status 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fake(t, tt.script)
			k, err := Setup(t.Context(), "../..", t.TempDir(), []string{"fmt"}, nil)
			if k != nil || err == nil {
				t.Fatalf("got %v, %v", k, err)
			}
			if first, _, _ := strings.Cut(err.Error(), "\n"); !strings.Contains(first, tt.remedy) {
				t.Errorf("first line %q, want %q", first, tt.remedy)
			}
		})
	}
}

// The real go command with an empty module cache and no proxy.
func TestSetupWithoutModules(t *testing.T) {
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-modcacherw")
	_, err := Setup(t.Context(), "../..", t.TempDir(), nil, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "modules are missing and cannot be fetched") {
		t.Errorf("got %v", err)
	}
}

func TestSetupPackageErrors(t *testing.T) {
	t.Parallel()
	for pkg, want := range map[string]string{
		"x.example/not/there":    "go.mod lacks a module",
		"shelflab/labkit/nosuch": "go cannot build",
	} {
		_, err := Setup(t.Context(), "../..", filepath.Dir(filepath.Dir(filepath.Dir(kernel.Gonb))), []string{pkg}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), pkg) {
			t.Errorf("%s: got %v", pkg, err)
		}
	}
}

func TestSetupFolders(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Setup(t.Context(), "../..", filepath.Join(file, "cache"), nil, nil); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a file in the way: %v", err)
	}
	if _, err := Setup(t.Context(), "a,b", t.TempDir(), nil, nil); err == nil || !strings.Contains(err.Error(), "comma") {
		t.Errorf("a comma: %v", err)
	}
	if _, err := Setup(t.Context(), t.TempDir(), t.TempDir(), nil, nil); err == nil || !strings.Contains(err.Error(), "no go.mod") {
		t.Errorf("no module: %v", err)
	}
	if _, err := Setup(t.Context(), filepath.Join(file, "nosuch"), t.TempDir(), nil, nil); err == nil {
		t.Error("a module folder that is not there: no error")
	}
}

func TestFolderError(t *testing.T) {
	t.Parallel()
	for cause, want := range map[error]string{
		syscall.ENOSPC: "no disk space",
		syscall.EACCES: "cannot be written",
		syscall.EROFS:  "cannot be written",
	} {
		err := FolderError(&fs.PathError{Op: "mkdir", Path: "/cache/x", Err: cause})
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "/cache/x") || !errors.Is(err, cause) {
			t.Errorf("%v: got %v", cause, err)
		}
	}
}

func TestSetupCancelled(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	_, err := Setup(ctx, "../..", cache, nil, func(string) { cancel(cause) })
	if !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
	if entries, _ := filepath.Glob(filepath.Join(cache, "[bk]*")); len(entries) != 0 {
		t.Errorf("left %v", entries)
	}
}

// A gopls on PATH is not started beside the cells.
func TestGoplsIsHidden(t *testing.T) {
	// Not parallel: it sets PATH.
	dir := t.TempDir()
	mark := filepath.Join(dir, "started")
	if err := os.WriteFile(filepath.Join(dir, "gopls"), []byte("#!/bin/sh\ntouch "+mark+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if path, err := exec.LookPath("gopls"); err != nil || filepath.Dir(path) != dir {
		t.Fatalf("the test's own gopls is not found: %s, %v", path, err)
	}
	if _, err := run(t, Options{}, code("%%\nprintln(1)")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("gopls was started")
	}
}
