package show

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// A cell that only waits, with a lock in its hands, ends when its kernel was
// killed. The kernel is a shell here.
func TestCellEndsWithItsKernel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	kernel := exec.Command("/bin/sh", "-c", `"$0" & wait`, os.Args[0])
	kernel.Env = append(os.Environ(), cellVariable+"=holds a lock", lockVariable+"="+path, protocol.GONB_PIPE_ENV+"="+path+"-pipe")
	out, err := kernel.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := kernel.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var cell int
	if _, scanErr := fmt.Sscanf(line, "locked by %d", &cell); scanErr != nil {
		t.Fatalf("the cell says %q, %v", line, err)
	}
	t.Cleanup(func() { _ = syscall.Kill(cell, syscall.SIGKILL) })
	lock := flock.New(path)
	if free, err := lock.TryLock(); free || err != nil {
		t.Fatalf("free while the kernel lives: %t, %v", free, err)
	}
	if err := kernel.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = kernel.Process.Release() // its output is open as long as the cell runs
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if free, err := lock.TryLockContext(ctx, 50*time.Millisecond); !free {
		t.Errorf("the cell goes on without its kernel: %v", err)
	}
}

// What is made before a sweep can measure is not waited for.
func TestInterruptBeforeTheSweep(t *testing.T) {
	got := inCell(t, "sweep interrupted before it begins", "", t.TempDir())
	if got.code != 1 || len(got.displays) == 0 || !strings.Contains(got.text(0), "The sweep stopped") {
		t.Errorf("code %d, displays %v, stderr %s", got.code, got.displays, got.stderr)
	}
}
