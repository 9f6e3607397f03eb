package labkit_test

import (
	"os"
	"syscall"
	"testing"
	"time"
)

func TestContextEndsOnSignals(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			c := start(t, "context")
			c.says("ready")
			c.signal(s)
			c.says("interrupted")
			c.lives()
		})
	}
}

// `go tool` delivers one Ctrl-C twice: the second must kill neither a program
// that is coming to its end nor one that has given its context back.
func TestSecondInterruptIsIgnored(t *testing.T) {
	for _, as := range []string{"context", "context, stopped at its end"} {
		t.Run(as, func(t *testing.T) {
			t.Parallel()
			// A machine that took longer than the two seconds in between has
			// tested nothing.
			for tested := false; !tested; {
				c := start(t, as)
				c.says("ready")
				first := time.Now()
				c.signal(syscall.SIGINT)
				c.says("interrupted")
				c.signal(syscall.SIGINT)
				if tested = time.Since(first) < time.Second; tested {
					c.lives()
				}
			}
		})
	}
}

func TestLaterInterruptKills(t *testing.T) {
	t.Parallel()
	c := start(t, "context")
	c.says("ready")
	c.signal(syscall.SIGINT)
	c.says("interrupted")
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	for {
		select {
		case <-ended:
			killedBy(t, c, syscall.SIGINT)
			return
		case <-time.After(100 * time.Millisecond):
			c.cmd.Process.Signal(syscall.SIGINT)
		}
	}
}

func TestStopGivesSignalsBack(t *testing.T) {
	t.Parallel()
	c := start(t, "context, stopped at once")
	c.says("ready")
	c.says("context canceled")
	c.signal(syscall.SIGINT)
	c.cmd.Wait()
	killedBy(t, c, syscall.SIGINT)
}

func killedBy(t *testing.T, c *child, s syscall.Signal) {
	t.Helper()
	status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != s {
		t.Errorf("the child ended with %v, want to be killed by %v", c.cmd.ProcessState, s)
	}
}

// A kernel that is killed leaves its cell behind, which must notice.
func TestContextEndsWithTheParent(t *testing.T) {
	t.Parallel()
	c := start(t, "parent")
	c.says("ready") // says the child's child
	c.signal(syscall.SIGKILL)
	c.says("the parent process is gone")
	c.lives()
}
