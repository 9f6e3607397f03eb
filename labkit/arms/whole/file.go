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
