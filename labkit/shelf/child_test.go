package shelf_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"shelflab/labkit/shelf"
)

// The test binary is also the other process of a test: TestMain runs a role
// instead of the tests where this variable names one.
const roleVariable = "SHELF_TEST_ROLE"

// roles print a line a step; an error ends them with status 1.
var roles = map[string]func(dir string) error{}

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		// A property test reopens a shelf hundreds of times; -rapid.checks asks for more.
		if err := flag.Set("rapid.checks", "10"); err != nil {
			panic(err)
		}
		os.Exit(m.Run())
	}
	if err := roles[role](os.Args[1]); err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

// child is a process in a role.
type child struct {
	*exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
}

func start(t testing.TB, role, dir string) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(os.Args[0], dir)}
	c.Env = append(os.Environ(), roleVariable+"="+role)
	c.Stderr = os.Stderr
	stdin, err := c.StdinPipe()
	must(t, err)
	stdout, err := c.StdoutPipe()
	must(t, err)
	c.stdin, c.lines = stdin, bufio.NewScanner(stdout)
	must(t, c.Start())
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	return c
}

// expect reads a line.
func (c *child) expect(t testing.TB, want string) {
	t.Helper()
	if !c.lines.Scan() || !strings.HasPrefix(c.lines.Text(), want) {
		t.Fatalf("the other process says %q, want %q", c.lines.Text(), want)
	}
}

func hold(mode shelf.Mode) func(dir string) error {
	return func(dir string) error {
		s, err := shelf.Open[int](dir, shelf.Options{Mode: mode})
		if err != nil {
			return err
		}
		if mode != shelf.ReadOnly {
			if err := s.Put("from", os.Getpid()); err != nil {
				return err
			}
		}
		fmt.Println("open")
		_, err = io.Copy(io.Discard, os.Stdin)
		return errors.Join(err, s.Close())
	}
}

func init() {
	roles["hold"] = hold(shelf.Create)
	roles["read"] = hold(shelf.ReadOnly)
}

func TestLocked(t *testing.T) {
	dir := t.TempDir()
	opened := func(m shelf.Mode) error {
		s, err := shelf.Open[int](dir, shelf.Options{Mode: m})
		if err == nil {
			err = s.Close()
		}
		return err
	}
	// In this process.
	s := open[int](t, dir, shelf.Options{})
	for _, m := range []shelf.Mode{shelf.Create, shelf.Existing, shelf.ReadOnly, shelf.Fresh} {
		wants(t, opened(m), shelf.ErrLocked, dir, "this process")
	}
	must(t, s.Put("a", 1))
	must(t, s.Close())

	// In another one.
	c := start(t, "hold", dir)
	c.expect(t, "open")
	for _, m := range []shelf.Mode{shelf.Create, shelf.ReadOnly, shelf.Fresh} {
		wants(t, opened(m), shelf.ErrLocked, dir, fmt.Sprintf("process %d", c.Process.Pid))
	}
	c.stdin.Close()
	must(t, c.Wait())
	must(t, opened(shelf.ReadOnly))

	// Readers share it, in several processes; a writer waits its turn.
	r1, r2 := start(t, "read", dir), start(t, "read", dir)
	r1.expect(t, "open")
	r2.expect(t, "open")
	r3 := open[int](t, dir, shelf.Options{Mode: shelf.ReadOnly})
	check(t, r3, "a", 1)
	wants(t, opened(shelf.Create), shelf.ErrLocked, dir, "reading")
	must(t, r3.Close())
	for _, r := range []*child{r1, r2} {
		r.stdin.Close()
		must(t, r.Wait())
	}
	must(t, opened(shelf.Create))
}

// A process that is being started has copies of all descriptors for a moment, and
// with them of the lock.
func TestReopenWhileStartingProcesses(t *testing.T) {
	dir := t.TempDir()
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				exec.Command("true").Run()
			}
		}
	}()
	for i := range 100 {
		s, err := shelf.Open[int](dir, shelf.Options{Mode: shelf.ReadOnly})
		if i == 0 {
			s, err = shelf.Open[int](dir, shelf.Options{})
		}
		must(t, err)
		must(t, s.Close())
	}
	close(stop)
	<-done
}

// A process that was killed leaves its LOCK file and no lock. A reader cannot
// recover what it left, and says so; a writer does.
func TestAfterAKill(t *testing.T) {
	dir := t.TempDir()
	c := start(t, "hold", dir)
	c.expect(t, "open")
	must(t, c.Process.Kill())
	c.Wait()
	if _, err := os.Stat(dir + "/LOCK"); err != nil {
		t.Fatalf("no LOCK file was left: %v", err)
	}
	_, err := shelf.Open[int](dir, shelf.Options{Mode: shelf.ReadOnly})
	wants(t, err, shelf.ErrReadOnly, "for writing once", dir)
	s := open[int](t, dir, shelf.Options{})
	check(t, s, "from", c.Process.Pid)
	must(t, s.Close())
	check(t, open[int](t, dir, shelf.Options{Mode: shelf.ReadOnly}), "from", c.Process.Pid)
}
