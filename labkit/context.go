package labkit

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Why a Context ended, by context.Cause.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrOrphaned    = errors.New("the parent process is gone")
)

const (
	// orphanCheck is how often the parent is looked for. A notebook kernel that
	// is killed leaves its cell running, which would go on holding the lock of
	// a store.
	orphanCheck = 200 * time.Millisecond
	// secondInterrupt is how long further interrupts are ignored: `go tool`
	// delivers one Ctrl-C twice. After that, another one kills as usual.
	secondInterrupt = 2 * time.Second
)

// Context returns a context that ends on SIGINT or SIGTERM, or when the parent
// process is gone. Every long run uses it, in a cell or under a command, and
// stops after the operation at hand, so that what was measured is kept. stop
// releases its resources and gives the signals back: at once, or after an
// interrupt when its two seconds are over, so that the second delivery of one
// Ctrl-C does not kill a program that is just ending in good order.
func Context() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	parent := os.Getppid()
	go func() {
		tick := time.NewTicker(orphanCheck)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-signals:
				cancel(ErrInterrupted)
				time.AfterFunc(secondInterrupt, func() { signal.Stop(signals) })
				return
			case <-tick.C:
				if os.Getppid() != parent {
					cancel(ErrOrphaned)
					return
				}
			}
		}
	}()
	return ctx, func() {
		cancel(context.Canceled)
		if context.Cause(ctx) != ErrInterrupted {
			signal.Stop(signals)
		}
	}
}
