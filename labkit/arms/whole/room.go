package whole

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"
)

// ErrRoom says that a value would not fit into the memory, or onto the disk, that is
// left; its text names both sizes and what to do.
var ErrRoom = errors.New("not enough")

// Room is how much memory this process may still take, or how much of a disk.
type Room struct {
	Bytes int64
	Of    string // what sets the limit: "the machine", "GOMEMLIMIT", "the disk" …
	disk  bool
}

// RoomLeft asks the system and the Go runtime, and returns the smallest limit.
// Swap does not count: a list that is swapped out is read at the device's pace.
func RoomLeft() (Room, error) {
	room, err := systemRoom()
	if err != nil {
		return Room{}, fmt.Errorf("how much memory is left: %w", err)
	}
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		if left := max(limit-inUse(), 0); left < room.Bytes {
			room = Room{Bytes: left, Of: "GOMEMLIMIT"}
		}
	}
	return room, nil
}

// inUse is what the memory limit is held against.
func inUse() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64()) - int64(s[1].Value.Uint64())
}

// Fit returns nil if need bytes are there, else an error that wraps ErrRoom,
// says what needs them, and names the remedy.
func (r Room) Fit(need int64, what, remedy string) error {
	if need <= r.Bytes {
		return nil
	}
	of := "memory"
	if r.disk {
		of = "disk"
	}
	return fmt.Errorf("%w %s: %s need about %s, %s leaves %s: give %s, or more %s", ErrRoom, of, what, size(need), r.Of, size(r.Bytes), remedy, of)
}

// DiskLeft is what is free on the disk that a folder is on. The system keeps some of
// it for itself, which does not count.
func DiskLeft(dir string) (Room, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return Room{}, fmt.Errorf("how much of the disk is left: %w", &os.PathError{Op: "statfs", Path: dir, Err: err})
	}
	return Room{Bytes: int64(fs.Bavail) * int64(fs.Bsize), Of: "the disk", disk: true}, nil
}

// size writes bytes for a sentence.
func size(bytes int64) string { return humanize.SIWithDigits(float64(bytes), 1, "B") }

// Weigh returns how many bytes of heap what is made takes, once what was made on
// the way has been collected. Other goroutines must not allocate meanwhile.
func Weigh(made func() any) int64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	v := made()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(v)
	return max(int64(after.HeapAlloc)-int64(before.HeapAlloc), 0)
}
