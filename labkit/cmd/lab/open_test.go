package main

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What keeps JupyterLab from starting is told before anything is set up.
func TestOpenChecksFirst(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	code, _, stderr := lab(t, "open", "01", "--allow-root", "--no-browser", "--port", port)
	if want := "lab: --port " + port + ": the port is taken: give another one with --port"; code != exitFailed || !strings.HasPrefix(stderr, want) {
		t.Errorf("exit code %d, %q, want %q", code, stderr, want)
	}
	if entries, _ := filepath.Glob(filepath.Join(cache, "*")); len(entries) > 0 {
		t.Errorf("set up all the same: %q", entries)
	}
}
