//go:build unix

package guard_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"shelflab/labkit/guard"
)

const script = `kill -s KILL -- "-$1"; rm -rf -- "$2"`

// lonely is the environment variable that makes this program one that starts a
// sleeping one in the folder that it names, says its number, and waits.
const lonely = "SHELFLAB_TEST_LONELY"

func TestMain(m *testing.M) {
	if tmp := os.Getenv(lonely); tmp != "" {
		p, err := guard.Start(exec.Command("sleep", "600"), filepath.Join(tmp, "log"), tmp, script)
		if err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join(tmp, "..", "pid"), []byte(strconv.Itoa(p.PID())), 0o600); err != nil {
			panic(err)
		}
		select {}
	}
	os.Exit(m.Run())
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 3000 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	out, _ := exec.Command("ps", "-o", "state=", "-p", strconv.Itoa(pid)).Output()
	return strings.HasPrefix(strings.TrimSpace(string(out)), "Z") // nobody reaps it in a container
}

// A program whose lab was killed is killed too, and its folder removed.
func TestGuardActsForALabThatIsGone(t *testing.T) {
	dir := t.TempDir()
	tmp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	lab := exec.Command(os.Args[0])
	lab.Env = append(os.Environ(), lonely+"="+tmp)
	if err := lab.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	eventually(t, "the number of the process", func() bool {
		text, _ := os.ReadFile(filepath.Join(dir, "pid"))
		pid, _ = strconv.Atoi(string(text))
		return pid > 0
	})
	if gone(pid) {
		t.Fatal("it does not run")
	}
	_ = lab.Process.Kill()
	_ = lab.Wait()
	eventually(t, "the end of the program", func() bool { return gone(pid) })
	eventually(t, "the end of its folder", func() bool {
		_, err := os.Stat(tmp)
		return errors.Is(err, os.ErrNotExist)
	})
}

// A guard that is released leaves everything alone, and what the program said
// and how it ended are told.
func TestRelease(t *testing.T) {
	tmp := t.TempDir()
	log := filepath.Join(tmp, "log")
	p, err := guard.Start(exec.Command("/bin/sh", "-c", "echo out; echo err >&2; exit 3"), log, tmp, script)
	if err != nil {
		t.Fatal(err)
	}
	<-p.Dead
	p.Release()
	if text, err := os.ReadFile(log); err != nil || string(text) != "out\nerr\n" {
		t.Errorf("it said %q, %v", text, err)
	}
	if exit, ok := errors.AsType[*exec.ExitError](p.Err); !ok || exit.ExitCode() != 3 {
		t.Errorf("it ended with %v", p.Err)
	}
}

func TestStartFails(t *testing.T) {
	tmp := t.TempDir()
	if _, err := guard.Start(exec.Command(filepath.Join(tmp, "none")), filepath.Join(tmp, "log"), tmp, script); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such program: %v", err)
	}
	if _, err := guard.Start(exec.Command("true"), filepath.Join(tmp, "none", "log"), tmp, script); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder for the log: %v", err)
	}
}
