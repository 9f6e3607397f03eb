package blob_test

import (
	"runtime"
	"testing"
)

// cheap fails if f allocates more than limit bytes in all.
func cheap(t *testing.T, limit uint64, f func()) {
	t.Helper()
	if n := allocated(f); n > limit {
		t.Errorf("allocates %d bytes, at most %d are allowed", n, limit)
	}
}

// allocated returns how many bytes f allocates in all, whether or not they are
// freed meanwhile: no timing of the collector changes it.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
