package main

import (
	"fmt"

	"golang.org/x/sys/unix"

	"shelflab/labkit/evidence"
)

// spaceWanted is what must be free in a folder before anything long starts:
// several times what the notebooks' stores take with their defaults.
const spaceWanted = 256 << 20 // bytes

func enoughSpace(dir string) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if free := uint64(fs.Bavail) * uint64(fs.Bsize); free < spaceWanted {
		return fmt.Errorf("%s has %s free, the lab needs %s: free some, or give another folder with --out",
			dir, evidence.Quantity(float64(free), "B"), evidence.Quantity(spaceWanted, "B"))
	}
	return nil
}
