package blob

import "golang.org/x/sync/errgroup"

// together runs work on so many goroutines, of which the caller's is one, and
// returns the first error.
func together(workers int, work func() error) error {
	var group errgroup.Group
	for range workers - 1 {
		group.Go(work)
	}
	err := work()
	if e := group.Wait(); e != nil {
		return e
	}
	return err
}
