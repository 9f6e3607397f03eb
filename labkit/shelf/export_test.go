package shelf

// SetSyncPath puts another function in place of syncPath until restore is called.
func SetSyncPath(f func(dir string) error) (restore func()) {
	old := syncPath
	syncPath = f
	return func() { syncPath = old }
}
