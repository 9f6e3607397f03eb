package python_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/arms/python"
	"shelflab/labkit/leftout"
)

// other has the arms use a Python whose turn.py or look.py is another one: sed
// edits it on its way to the interpreter.
func other(t *testing.T, edit string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "python3")
	text := fmt.Sprintf("#!/bin/sh\nscript=$(printf '%%s' \"$3\" | sed -e '%s')\nshift 3\nexec '%s' -I -c \"$script\" \"$@\"\n", edit, real(t))
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(python.Variable, path)
}

// takeTurns has an arm take turns, with dbm.dumb, which every Python has, or pickle.
func takeTurns(t *testing.T, ctx context.Context, name string) error {
	t.Helper()
	list := lab(t, 60, labkit.ProcessCrash)
	_, err := labkit.Lab{Plan: plan(60), Dir: t.TempDir()}.Measure(ctx, 60, []labkit.Arm{named(t, list, name)})
	return err
}

// A Python that writes or reads something else than the records fails the run.
func TestReadsWrong(t *testing.T) {
	for fault, edit := range map[string]string{
		"another value":     `s/db\[key\] = record/db[key] = dict(record, Active=None)/`,
		"a float as an int": `s/db\[key\] = record/db[key] = dict(record, Score=int(record["Score"]))/`,
		"another key":       `s/db\[key\] = record/db[key if "warm" in self.folder else key.replace("7", "8")] = record/`,
		"one less":          `s/db\[key\] = record/if "warm" in self.folder or not key.endswith("9"): db[key] = record/`,
		"not all read":      `s/if not held:/if True:/`,
	} {
		t.Run(fault, func(t *testing.T) {
			other(t, edit)
			if err := takeTurns(t, t.Context(), python.ShelveDumb); !errors.Is(err, labkit.ErrWrong) {
				t.Errorf("error %v, want ErrWrong", err)
			}
		})
	}
	for fault, edit := range map[string]string{
		"another pickle": `s/pickle.dump(records,/pickle.dump({k: 1 for k in records},/`,
		"less handed on": `s/^    records = records_of(3)/    records = records_of(3); records.popitem()/`,
		"no sum":         `s/self.sum % 2/0 % 2/`,
	} {
		t.Run(fault, func(t *testing.T) {
			other(t, edit)
			if err := takeTurns(t, t.Context(), python.Pickle); !errors.Is(err, labkit.ErrWrong) {
				t.Errorf("error %v, want ErrWrong", err)
			}
		})
	}
}

// A Python that fails is an error with what it has said.
func TestFails(t *testing.T) {
	for fault, c := range map[string]struct{ edit, says string }{
		"raises":                {`s/pickle.dump(records/raise OSError("no dump today") #/`, "no dump today"},
		"ends":                  {`s/pickle.dump(records/sys.exit("enough") #/`, "enough"},
		"ends without a word":   {`s/pickle.dump(records/os._exit(0) #/`, "EOF"},
		"talks of other things": {`s/gc.collect()/print("hello", flush=True)/`, "invalid character"},
		"fails at its end":      {`s/    os._exit(0)/    sys.exit("late")/`, "late"},
		"is killed":             {`s/pickle.dump(records/os.kill(os.getpid(), 9) #/`, "killed"},
	} {
		t.Run(fault, func(t *testing.T) {
			other(t, c.edit)
			if err := takeTurns(t, t.Context(), python.Pickle); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one with %q", err, c.says)
			}
		})
	}
}

// dbm.gnu is made to sync each write where a power loss must be survived, and only
// there.
func TestSyncsEachWrite(t *testing.T) {
	other(t, `s/db.sync()/raise OSError("synced at " + key)/`)
	for class, says := range map[labkit.Durability]string{labkit.ProcessCrash: "", labkit.PowerLoss: "synced at id_00000"} {
		arm := named(t, lab(t, 60, class), python.ShelveGNU)
		if arm.Unmeasured != "" {
			leftout.Test(t, "%s", arm.Unmeasured)
		}
		_, err := labkit.Lab{Plan: plan(60), Dir: t.TempDir()}.Measure(t.Context(), 60, []labkit.Arm{arm})
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want %q", class, err, says)
		}
	}
}

// An arm whose Python, or whose module, is not there is not measured, says why,
// and fails nothing.
func TestAbsent(t *testing.T) {
	measure := func(t *testing.T, list []labkit.Arm) []labkit.Series {
		series, err := labkit.Lab{Plan: plan(60), Dir: t.TempDir()}.Measure(t.Context(), 60, list)
		if err != nil {
			t.Error(err)
		}
		return series
	}
	all := func(t *testing.T, says string) {
		list := lab(t, 60, labkit.ProcessCrash)
		if len(list) != 4 {
			t.Errorf("%d arms", len(list))
		}
		for _, arm := range list {
			if !strings.Contains(arm.Unmeasured, says) || !strings.Contains(arm.Unmeasured, python.Variable) || strings.ContainsAny(arm.Unmeasured, "/\n") {
				t.Errorf("%s: %q, want %q and what to do, in one line without a path", arm.Name, arm.Unmeasured, says)
			}
		}
		if series := measure(t, list); len(series) > 0 {
			t.Errorf("series %v", series)
		}
	}
	t.Run("no Python", func(t *testing.T) {
		t.Setenv(python.Variable, "")
		t.Setenv("PATH", t.TempDir())
		all(t, "there is no Python")
	})
	t.Run("no such Python", func(t *testing.T) {
		t.Setenv(python.Variable, filepath.Join(t.TempDir(), "python3"))
		all(t, "there is no Python")
	})
	t.Run("something else", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "python3")
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho first >&2\necho what is it >&2\nexit 3\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(python.Variable, path)
		all(t, "what is it")
	})
	t.Run("nothing that runs", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "python3")
		if err := os.WriteFile(path, []byte("#!/no/such/interpreter\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(python.Variable, path)
		all(t, "no Python 3 that works")
	})
	t.Run("no module", func(t *testing.T) {
		other(t, `s/importlib.import_module(name)/name == "dbm.dumb" and importlib.import_module("dbm.nothing")/`)
		list := lab(t, 60, labkit.ProcessCrash)
		if arm := named(t, list, python.ShelveDumb); !strings.Contains(arm.Unmeasured, "dbm.nothing") || !strings.Contains(arm.Unmeasured, "has no dbm.dumb") {
			t.Errorf("%q", arm.Unmeasured)
		}
		series := measure(t, []labkit.Arm{named(t, list, python.ShelveDumb), named(t, list, python.Pickle)})
		for _, s := range series {
			if s.Arm != python.Pickle {
				t.Errorf("%+v", s)
			}
		}
		if len(series) != 4 {
			t.Errorf("%d series of the other arm", len(series))
		}
	})
}

// waits is an edit after which a write never ends; its process is named in a file.
func waits(t *testing.T) (edit, file string) {
	file = filepath.Join(t.TempDir(), "process")
	return fmt.Sprintf(`s|pickle.dump(records|open("%s.new", "w").write(str(os.getpid())); os.rename("%s.new", "%s"); time.sleep(600) #|`, file, file, file), file
}

// process waits for the file of waits: 0 if it never comes.
func process(file string) int {
	for range 600 {
		if text, err := os.ReadFile(file); err == nil {
			pid, _ := strconv.Atoi(string(text))
			return pid
		}
		time.Sleep(50 * time.Millisecond)
	}
	return 0
}

// gone waits until a process is no more.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 400 {
		if err := syscall.Kill(pid, 0); err != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
	syscall.Kill(pid, syscall.SIGKILL)
}

// An interrupted run ends at once, and leaves no process behind.
func TestInterrupted(t *testing.T) {
	edit, file := waits(t)
	other(t, edit)
	ctx, cancel := context.WithCancelCause(t.Context())
	began := make(chan int, 1)
	go func() {
		began <- process(file)
		cancel(labkit.ErrInterrupted)
	}()
	if err := takeTurns(t, ctx, python.Pickle); !errors.Is(err, labkit.ErrInterrupted) {
		t.Errorf("error %v, want ErrInterrupted", err)
	}
	pid := <-began
	if pid == 0 {
		t.Fatal("no Python has begun to write")
	}
	gone(t, pid)
}
