// Package leftout is for tests alone: it leaves one out, and says so, where a
// machine lacks a program that the test needs. Where CI has installed everything
// nothing may be left out, and the test fails instead.
package leftout

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Variable is the environment variable under which nothing may be left out. CI
// sets it.
const Variable = "SHELFLAB_NOTHING_SKIPPED"

// Test ends the test: it is left out, or fails under Variable. format and args
// say for want of what.
func Test(t testing.TB, format string, args ...any) {
	t.Helper()
	what := "LEFT OUT: " + fmt.Sprintf(format, args...)
	if os.Getenv(Variable) != "" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// Chromium is the path of the browser; a test without one is left out.
func Chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Test(t, "no Chromium on PATH, so no page was looked at in a browser")
	return ""
}
