package blob_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeviceFull fills a file system of half a megabyte, which the child mounts
// where nobody else sees it.
func TestDeviceFull(t *testing.T) {
	cmd := child("device", filepath.Join(t.TempDir(), "x.blob"))
	cmd.SysProcAttr = apart()
	out, err := cmd.Output()
	switch {
	case cmd.Process == nil: // this binary can be started, but not apart
		leftOut(t, "no child can mount a small file system: %v", err)
	case strings.HasPrefix(string(out), cannotMount):
		leftOut(t, "%s", out)
	default:
		check(t, err)
		wantEqual(t, string(out), full)
	}
}

// leftOut says loudly that a test could not be done, and fails where nothing may
// be left out.
func leftOut(t *testing.T, format string, args ...any) {
	t.Helper()
	why := "LEFT OUT: " + fmt.Sprintf(format, args...)
	if os.Getenv("SHELFLAB_NOTHING_SKIPPED") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}
