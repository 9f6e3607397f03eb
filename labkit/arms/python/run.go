package python

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"

	"shelflab/labkit"
)

// Run has the Python at hand carry out a program, which finds args from
// sys.argv[1] on, and returns what it prints. It dies with this process and with
// ctx. A Python that is not there is ErrNone; the error of a program that fails
// holds what it has said on its error output.
func Run(ctx context.Context, program string, args ...string) (string, error) {
	at, err := look()
	if err != nil {
		return "", err
	}
	runtime.LockOSThread() // it dies with the thread that starts it
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, at.path, append([]string{"-I", "-c", program}, args...)...)
	var said labkit.Tail
	cmd.Stderr, cmd.WaitDelay = &said, grace
	labkit.DieWithParent(cmd)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("Python: %w%s", err, said.Text())
	}
	return string(out), nil
}
