package shelf

// SetSyncDir puts another function in place of syncDir until restore is called.
func SetSyncDir(f func(dir string) error) (restore func()) {
	old := syncDir
	syncDir = f
	return func() { syncDir = old }
}
