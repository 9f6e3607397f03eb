package evidence

// Differences is what sets two environments apart.
var Differences = differences

// Compute fills what follows from the samples, for runs that a test makes up:
// Record looks at the real machine. It returns the run as summary.json holds it.
func (r *Run) Compute() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if err := r.compute(); err != nil {
		return nil, err
	}
	return r.encode()
}

// CheckedOut is what git says of the checkout at root.
func CheckedOut(root string) (commit string, dirty bool) {
	c := checkedOut(root)
	return c.commit, c.dirty
}
