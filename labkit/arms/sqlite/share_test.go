package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/arms/sqlite"
	"shelflab/labkit/arms/turn"
)

// A file that somebody changes gets no write-ahead log, for which SQLite does not
// wait; an opening does, until its patience ends.
func TestShareWaits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	s, err := sqlite.Create[string](path, labkit.ProcessCrash)
	must(t, err)
	defer s.Close()
	must(t, s.PutAll(func(yield func(turn.Entry[string], error) bool) {
		_ = yield(turn.Entry[string]{Key: "a", Value: "1"}, nil) && yield(turn.Entry[string]{Key: "b", Value: "2"}, nil)
	}))
	release, done := make(chan bool), make(chan error)
	go func() {
		done <- s.Update("a", func(*string) error { release <- true; <-release; return nil })
	}()
	<-release // and stays in the middle of it
	share := func(wait time.Duration) error {
		s, err := sqlite.Share[string](path, labkit.ProcessCrash, sqlite.Shared{WAL: true, Wait: wait})
		if err != nil {
			return err
		}
		return s.Close()
	}
	if err := share(time.Millisecond); err == nil {
		t.Error("a file that is being changed got a write-ahead log")
	}
	shared := make(chan error)
	go func() { shared <- share(0) }()
	select {
	case err := <-shared:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	release <- true
	must(t, <-done)
	must(t, <-shared)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
