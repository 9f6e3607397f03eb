package python_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/python"
)

// The default is what this Python says, an arm that it has where the lab has none
// for that, and the newest Python's where there is no Python.
func TestDefault(t *testing.T) {
	for says, want := range map[string]string{
		`"dbm.dumb"`: python.ShelveDumb, `"dbm.gnu"`: python.ShelveGNU, `"dbm.sqlite3"`: python.ShelveSQLite,
	} {
		other(t, `s/dbm.whichdb(path)/`+says+`/`)
		if got := python.Default(); got != want {
			t.Errorf("of %s: %q, want %q", says, got, want)
		}
	}
	for _, says := range []string{`"dbm.ndbm"`, `None`} {
		other(t, `s/dbm.whichdb(path)/`+says+`/`)
		got := python.Default()
		for _, arm := range python.Outline(labkit.ProcessCrash) {
			if arm.Unmeasured == "" {
				if arm.Name != got {
					t.Errorf("of %s: %q, but the first that it has is %q", says, got, arm.Name)
				}
				break
			}
		}
	}
	other(t, `s/dbm.open(path/raise OSError("no room") #/`)
	if got := python.Default(); !strings.HasPrefix(got, "shelve, dbm.") {
		t.Errorf("where none can be made: %q", got)
	}
	t.Setenv(python.Variable, "no-such-python")
	if got := python.Default(); got != python.ShelveSQLite {
		t.Errorf("without a Python: %q", got)
	}
}

// The outline says what the arms say that are measured.
func TestOutline(t *testing.T) {
	real(t)
	for _, class := range []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss} {
		arms, defaults := lab(t, 3, class), 0
		for i, arm := range python.Outline(class) {
			if arm.Measure != nil || arm.Name != arms[i].Name || arm.What != arms[i].What || arm.Unmeasured != arms[i].Unmeasured || arm.Durability != arms[i].Durability || arm.Kind != arms[i].Kind {
				t.Errorf("%+v against %+v", arm, arms[i])
			}
			if strings.Contains(arm.What, "by itself") {
				defaults++
				if arm.Name != python.Default() {
					t.Errorf("%s is said to be the default, not %s", arm.Name, python.Default())
				}
			}
		}
		if defaults > 1 {
			t.Errorf("%d defaults", defaults)
		}
	}
}

func TestRun(t *testing.T) {
	real(t)
	got, err := python.Run(t.Context(), "import sys\nprint(sys.argv[1:])", "a", "b c")
	if err != nil || got != "['a', 'b c']\n" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := python.Run(t.Context(), "raise OSError('no room')"); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("of a program that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := python.Run(ctx, "import time; time.sleep(600)"); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	t.Setenv(python.Variable, "no-such-python")
	if _, err := python.Run(t.Context(), ""); !errors.Is(err, python.ErrNone) || !strings.Contains(err.Error(), python.Variable) {
		t.Errorf("without a Python: %v", err)
	}
}
