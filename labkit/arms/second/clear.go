package second

import (
	"errors"
	"os"

	"shelflab/labkit/arms/live"
)

// clear removes a store, its lock and what SQLite leaves beside it.
func clear(path string) error {
	var list []error
	for _, name := range []string{path, live.LockName(path), path + "-wal", path + "-shm", path + "-journal"} {
		list = append(list, os.RemoveAll(name))
	}
	return errors.Join(list...)
}
