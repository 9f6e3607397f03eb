package whole

import (
	"errors"
	"os"
	"path/filepath"

	"shelflab/labkit"
)

// Create writes a new file in place, as most programs do: a crash in the middle
// leaves half of it. Where class is labkit.PowerLoss the file and its name are
// on the device before it returns. write may leave its errors of closing to it.
func Create(path string, class labkit.Durability, write func(*os.File) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil && class == labkit.PowerLoss {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil && class == labkit.PowerLoss {
		err = SyncFolder(filepath.Dir(path)) // the file's name, too
	}
	return err
}

// SyncFolder makes the names in a folder survive a power loss.
func SyncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Durable is a dump into one file whose result survives what class says: for
// labkit.PowerLoss the file and its name are on the device before it returns.
func Durable[T any](class labkit.Durability, dump func(path string, v T) error) func(path string, v T) error {
	if class != labkit.PowerLoss {
		return dump
	}
	return func(path string, v T) error {
		if err := dump(path, v); err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		// The system syncs a file, not what one handle has written to it.
		return errors.Join(f.Sync(), f.Close(), SyncFolder(filepath.Dir(path)))
	}
}
