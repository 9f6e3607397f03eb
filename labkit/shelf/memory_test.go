package shelf_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"shelflab/labkit/shelf"
)

// Each of these does one thing in a process of its own and says how much memory
// that took at its peak.
func init() {
	measured := func(do func(dir string) error) func(string) error {
		return func(dir string) error {
			before := peakMB()
			if err := do(dir); err != nil {
				return err
			}
			fmt.Println(peakMB() - before)
			return nil
		}
	}
	roles["memory empty"] = measured(func(dir string) error {
		s, err := shelf.Open[record](dir, shelf.Options{})
		if err != nil {
			return err
		}
		return s.Close()
	})
	roles["memory load"] = measured(func(dir string) error {
		s, err := shelf.Open[string](dir, shelf.Options{})
		if err != nil {
			return err
		}
		value := strings.Repeat("0123456789", 100)
		err = s.PutAll(func(yield func(shelf.Entry[string], error) bool) {
			for i := range 300_000 {
				if !yield(shelf.Entry[string]{Key: keyOf(i), Value: value}, nil) {
					return
				}
			}
		})
		if err != nil {
			return err
		}
		return s.Close()
	})
	roles["memory reopen"] = measured(func(dir string) error {
		for range 20 {
			s, err := shelf.Open[record](dir, shelf.Options{})
			if err != nil {
				return err
			}
			if err := s.PutAll(samples(0, 8000)); err != nil {
				return err
			}
			if err := s.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	roles["memory scan"] = measured(func(dir string) error {
		s, err := shelf.Open[string](dir, shelf.Options{Mode: shelf.ReadOnly})
		if err != nil {
			return err
		}
		for _, err := range s.All() {
			if err != nil {
				return err
			}
		}
		return s.Close()
	})
}

// peakMB is the most memory that the program has taken from the system so far. It
// leaves out mapped files, whose pages the system takes back when it needs them.
func peakMB() int {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.Sys >> 20)
}

// The bounds that the package comment states, in MB.
func TestMemory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, step := range []struct {
		role, dir string
		bound     int
	}{
		{"memory empty", t.TempDir(), 16},
		{"memory load", dir, 300},
		{"memory scan", dir, 64},
		{"memory reopen", t.TempDir(), 80},
	} {
		c := start(t, step.role, step.dir)
		if !c.lines.Scan() {
			t.Fatalf("%s said nothing", step.role)
		}
		var mb int
		if _, err := fmt.Sscan(c.lines.Text(), &mb); err != nil {
			t.Fatalf("%s: %s", step.role, c.lines.Text())
		}
		must(t, c.Wait())
		t.Logf("%s: %d MB", step.role, mb)
		if mb > step.bound {
			t.Errorf("%s: %d MB, the bound is %d", step.role, mb, step.bound)
		}
	}
}
