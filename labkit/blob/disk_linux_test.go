package blob_test

import (
	"path/filepath"
	"shelflab/labkit/leftout"
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
		leftout.Test(t, "no child can mount a small file system: %v", err)
	case strings.HasPrefix(string(out), cannotMount):
		leftout.Test(t, "%s", out)
	default:
		check(t, err)
		wantEqual(t, string(out), full)
	}
}
