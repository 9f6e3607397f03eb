package notebook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The kernel that all tests share. Its cache folder stays between runs, so that
// only the first run builds it.
var kernel *Kernel

// helperEnv makes the test binary run a notebook as a process that a test can
// kill: see TestKilledLabLeavesNothing.
const helperEnv = "SHELFLAB_NOTEBOOK_HELPER"

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	kernel, err = Setup(context.Background(), "../..", filepath.Join(cache, "shelflab-test"),
		[]string{"fmt", "github.com/janpfeifer/gonb/gonbui"},
		func(stage string) { fmt.Fprintln(os.Stderr, "setup:", stage) })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if os.Getenv(helperEnv) != "" {
		_, err := Run(context.Background(), kernel, New(code(sleeper)), Options{
			OnOutput: func(_ int, o *Output) { fmt.Print(o.Text) },
		})
		fmt.Println(err)
		return 0
	}
	return m.Run()
}

func code(source string) *Cell { return &Cell{Kind: Code, Source: source} }

func prose(source string) *Cell { return &Cell{Kind: Markdown, Source: source} }

// run runs cells in the shared kernel.
func run(t *testing.T, opt Options, cells ...*Cell) (*Notebook, error) {
	t.Helper()
	nb, err := Run(t.Context(), kernel, New(cells...), opt)
	if nb == nil {
		t.Fatalf("the kernel did not start: %v", err)
	}
	return nb, err
}

// failed checks that a cell failed and returns how.
func failed(t *testing.T, err error, number int) *CellError {
	t.Helper()
	var ce *CellError
	if !errors.As(err, &ce) {
		t.Fatalf("got error %v, want a CellError", err)
	}
	if ce.Number != number {
		t.Fatalf("cell [%d] failed, want [%d]: %v", ce.Number, number, err)
	}
	return ce
}

// printed is what a cell put out to the named stream.
func printed(c *Cell, name string) string {
	var b strings.Builder
	for _, o := range c.Outputs {
		if o.Type == Stream && o.Name == name {
			b.WriteString(o.Text)
		}
	}
	return b.String()
}

// sleeper is a cell that tells its process, its kernel's and its temporary
// folder, and then runs for longer than any test.
const sleeper = `import (
	"fmt"
	"os"
	"time"
)
%%
fmt.Println("running", os.Getpid(), os.Getppid(), os.TempDir())
time.Sleep(time.Hour)
`

var runningLine = regexp.MustCompile(`running (\d+) (\d+) (\S+)\n`)

// running is what a sleeper told about itself.
type running struct {
	cell, kernel int
	tmp          string
}

// watch gives an OnOutput that calls started, once, when the cell runs.
func watch(started func(running)) func(int, *Output) {
	var text strings.Builder
	done := false
	return func(_ int, o *Output) {
		text.WriteString(o.Text)
		if r, ok := parseRunning(text.String()); ok && !done {
			done = true
			started(r)
		}
	}
}

func parseRunning(text string) (r running, ok bool) {
	m := runningLine.FindStringSubmatch(text)
	if m == nil {
		return r, false
	}
	r.cell, _ = strconv.Atoi(m[1])
	r.kernel, _ = strconv.Atoi(m[2])
	r.tmp = m[3]
	return r, true
}

// gone checks that nothing of a session is left. wait is for ends that nobody
// waits for by themselves; zero checks at once.
func (r running) gone(t *testing.T, wait time.Duration) {
	t.Helper()
	if r.cell == 0 {
		t.Fatal("the cell never ran")
	}
	deadline := time.Now().Add(wait)
	for {
		_, err := os.Stat(r.tmp)
		left := ""
		switch {
		case alive(r.cell):
			left = fmt.Sprintf("the cell's process %d", r.cell)
		case alive(r.kernel):
			left = fmt.Sprintf("the kernel's process %d", r.kernel)
		case !errors.Is(err, fs.ErrNotExist):
			left = "the folder " + r.tmp
		}
		if left == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is left", left)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// alive says whether a process runs; one that ended and waits to be reaped by
// init does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) || !procExists()
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func procExists() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}
