package show

import (
	"os"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
)

const (
	orphanCheck = 500 * time.Millisecond
	// orphanGrace is for a sweep, which notices by itself and ends in good order.
	orphanGrace = 2 * time.Second
)

// A kernel that is killed leaves the program of its cell running, and with it the
// lock of the store that the cell has open: the next kernel would be refused. So
// a cell's program ends when its kernel is gone, whatever it is doing.
func init() {
	if gonbui.IsNotebook {
		go endWith(os.Getppid())
	}
}

func endWith(kernel int) {
	for os.Getppid() == kernel {
		time.Sleep(orphanCheck)
	}
	time.Sleep(orphanGrace)
	os.Exit(1)
}
