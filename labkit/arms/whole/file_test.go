package whole_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

func TestDurable(t *testing.T) {
	broken := errors.New("broken")
	for _, class := range []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss} {
		path := filepath.Join(t.TempDir(), "file")
		if err := whole.Durable(class, write)(path, []byte("abc")); err != nil {
			t.Errorf("%s: %v", class, err)
		}
		if text, err := os.ReadFile(path); string(text) != "abc" {
			t.Errorf("%s left %q, %v", class, text, err)
		}
		fails := func(string, []byte) error { return broken }
		if err := whole.Durable(class, fails)(path, nil); !errors.Is(err, broken) {
			t.Errorf("%s, a failing dump: %v", class, err)
		}
	}
	nothing := func(string, []byte) error { return nil }
	if err := whole.Durable(labkit.PowerLoss, nothing)(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dump that leaves nothing to sync: %v", err)
	}
}
