package notebook

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// goTool runs the go command in a module's folder.
type goTool struct {
	dir    string
	report func(string)
}

// build compiles packages under the flags of a cell, so that the cell finds
// the results. Unlike a cell it may ask a module proxy, as the user set it.
func (g goTool) build(ctx context.Context, args ...string) error {
	_, err := g.run(ctx, append([]string{"build"}, args...)...)
	return err
}

// Build builds programs as the module in dir pins them, into the folder out. What
// report and the error say is as for [Setup].
func Build(ctx context.Context, dir, out string, report func(stage string), packages ...string) error {
	g := goTool{dir: dir, report: report}
	return g.build(ctx, append([]string{"-o", out + string(filepath.Separator)}, packages...)...)
}

// run runs go and returns its output. An error says in one line what to do.
func (g goTool) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.dir
	// A go.work further up is about the user's other modules.
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+CellFlags)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	pipe, err := cmd.StderrPipe()
	if err != nil {
		return "", err
	}
	var stdout strings.Builder
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if errors.Is(err, exec.ErrNotFound) {
			return "", errors.New("no go command on PATH: install Go, or put its bin folder on PATH")
		}
		return "", fmt.Errorf("starting go: %w", err)
	}
	said := g.listen(pipe)
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", goError(said, err)
	}
	return stdout.String(), nil
}

// listen collects what go says and reports downloads, which can take minutes.
func (g goTool) listen(r io.Reader) string {
	var said strings.Builder
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "go: downloading ") {
			g.report(strings.TrimPrefix(line, "go: "))
			continue
		}
		said.WriteString(line + "\n")
	}
	_, _ = io.Copy(io.Discard, r) // a line too long to scan must not block go
	return strings.TrimSpace(said.String())
}

// remedies tells what to do about what go says. The first match counts.
var remedies = []struct {
	said   *regexp.Regexp
	remedy string
}{
	{regexp.MustCompile(`no space left on device|disk quota exceeded`),
		"no disk space: free some, or set GOCACHE, GOMODCACHE and TMPDIR to folders on another disk"},
	{regexp.MustCompile(`go\.mod requires go >=|go\.mod:\d+: invalid go version|toolchain not available|cannot find "go1\.[^"]*" in PATH|requires newer Go version`),
		"this Go is too old for the module: install the version that go.mod names, or a newer one"},
	{regexp.MustCompile(`permission denied|read-only file system|operation not permitted`),
		"a folder cannot be written: make it writable, or set GOCACHE, GOMODCACHE and TMPDIR to folders that are"},
	{regexp.MustCompile(`module lookup disabled by GOPROXY=off|dial tcp|no such host|connection refused|i/o timeout|proxyconnect|TLS handshake|unrecognized import path|server misbehaving|: (?:40[0-9]|41[0-9]|5\d\d) |reading \S+: unexpected status`),
		"modules are missing and cannot be fetched: run it once with a module proxy in reach (see go env GOPROXY), or set GOMODCACHE to a folder that has them"},
	{regexp.MustCompile(`no required module provides package|missing go\.sum entry|updates to go\.mod needed`),
		"go.mod lacks a module that is imported: add it with go get in the module's folder"},
}

// goError turns a failed go command into one line with the remedy, and go's own
// first lines below it.
func goError(said string, err error) error {
	if said == "" {
		return fmt.Errorf("go failed without a word: %w", err)
	}
	lines := strings.Split(said, "\n")
	const most = 8
	if len(lines) > most {
		lines = append(lines[:most], "…")
	}
	shown := strings.Join(lines, "\n")
	for _, r := range remedies {
		if r.said.MatchString(said) {
			return fmt.Errorf("%s\n%s", r.remedy, shown)
		}
	}
	return fmt.Errorf("go cannot build what the notebooks need: mend what it reports\n%s", shown)
}

func isNoSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
