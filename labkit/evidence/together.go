package evidence

import (
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// togetherName is the file in the data folder that each run holds a lock of
// while it is measured, all of them at once. It stays, and is empty.
const togetherName = ".measuring"

// together tells whether another run is measured in the same data folder. Two
// runs in one folder are refused (ErrBusy); in two folders they spoil nothing but
// each other's times. The zero value knows of no other. The system's call is used
// as it is: the lock changes between shared and alone, which flock.Flock forgets.
type together struct{ file *os.File }

// join joins those that measure in a data folder, until leave. Where the file
// cannot be made there is nothing to be told: the run itself goes on.
func join(folder string) together {
	file, err := os.OpenFile(filepath.Join(folder, togetherName), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return together{}
	}
	t := together{file}
	t.share()
	return t
}

// others tells whether anybody else has joined. It takes the lock alone for a
// moment, which succeeds where there is nobody, and shares it again. Two that
// ask in the same moment may miss each other: it is asked again after each turn.
func (t together) others() bool {
	if t.file == nil {
		return false
	}
	alone := unix.Flock(int(t.file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
	return !t.share() || !alone
}

// share takes the lock as all do. Somebody who asks in this moment holds it
// alone, for microseconds; one who is stopped in it must not stop this run.
func (t together) share() bool {
	for range 20 {
		if unix.Flock(int(t.file.Fd()), unix.LOCK_SH|unix.LOCK_NB) == nil {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

func (t together) leave() {
	if t.file != nil {
		_ = t.file.Close() // and with it the lock
	}
}
