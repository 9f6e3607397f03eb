package blob_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"shelflab/labkit/blob"
)

const cannotMount = "cannot mount:"

// The test binary is its own child process: with childEnv set it does what that
// says instead of testing.
const childEnv = "SHELFLAB_BLOB_CHILD"

func TestMain(m *testing.M) {
	role, path, _ := strings.Cut(os.Getenv(childEnv), ":")
	switch role {
	case "":
		os.Exit(m.Run())
	case "save":
		generations(path, func(g int) error { return blob.Save(path, generation(g), blob.Options{}) })
	case "pack":
		generations(path, func(g int) error { return blob.Pack(path, blob.Sorted(generation(g)), blob.Options{}) })
	case "limit":
		limitFiles(100_000)
		fill(path)
	case "device":
		if err := mountSmall(filepath.Dir(path)); err != nil {
			fmt.Println(cannotMount, err)
			break
		}
		fill(path)
	case "denied":
		denied(path)
	}
	os.Exit(0)
}

// child returns the command that plays a role at a path.
func child(role, path string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+role+":"+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// generation is the map that is written as number g: all its values say so.
func generation(g int) map[string]int {
	m := make(map[string]int, 5000+g)
	for i := range 5000 + g {
		m[fmt.Sprintf("key %d", i)] = g
	}
	return m
}

// generations writes one after the other and acknowledges each on standard
// output, until it is killed.
func generations(path string, write func(g int) error) {
	for g := 1; ; g++ {
		if err := write(g); err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Println(g)
	}
}

func wholeGeneration(t *testing.T, m map[string]int, err error) int {
	t.Helper()
	check(t, err)
	g := m["key 0"]
	if len(m) != 5000+g {
		t.Fatalf("generation %d has %d records", g, len(m))
	}
	for key, value := range m {
		if value != g {
			t.Fatalf("generation %d has %d at %q", g, value, key)
		}
	}
	return g
}

// TestKilled kills writers at random moments. What they have acknowledged is
// there, whole, and the next writer clears what they left behind.
func TestKilled(t *testing.T) {
	for role, read := range map[string]func(path string) (map[string]int, error){
		"save": blob.Load[map[string]int],
		"pack": readIndexed[int],
	} {
		t.Run(role, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.blob")
			r := newRand()
			left, latest := 0, 0
			for range *kills {
				acknowledged := killOne(t, child(role, path), r.IntN(4), r.IntN(20_000))
				m, err := read(path)
				if g := wholeGeneration(t, m, err); g < acknowledged {
					t.Fatalf("generation %d was acknowledged, %d is there", acknowledged, g)
				}
				latest = max(latest, acknowledged)
				left += len(must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(path)))) - 1
			}
			t.Logf("%d kills, %d of them left a temporary file", *kills, left)
			if latest == 0 {
				t.Error("no writer acknowledged anything")
			}
			check(t, blob.Save(path, 1, blob.Options{}))
			wantOnly(t, path)
		})
	}
}

// killOne starts a child, waits for some generations after the first one and then
// for a while that is counted in turns of a loop, kills it, and returns the last
// generation that it acknowledged.
func killOne(t *testing.T, cmd *exec.Cmd, generations, turns int) (acknowledged int) {
	t.Helper()
	out := must[io.ReadCloser](t)(cmd.StdoutPipe())
	check(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, err := fmt.Sscan(lines.Text(), &acknowledged); err != nil {
			t.Fatal(lines.Text())
		}
		if acknowledged > generations {
			break
		}
	}
	for range turns {
		_ = os.Getppid() // a system call takes long enough
	}
	check(t, cmd.Process.Kill())
	for lines.Scan() {
		_, _ = fmt.Sscan(lines.Text(), &acknowledged)
	}
	_ = cmd.Wait() // says that it was killed
	return acknowledged
}

// TestDiskFull lets writing fail at a limit of the file size. disk_linux_test.go has
// a small file system that is full.
func TestDiskFull(t *testing.T) {
	wantFull(t, child("limit", filepath.Join(t.TempDir(), "x.blob")))
}

// full is what fill says when all is as it should be.
const full = "no space: true true\nwhole: 100 100\nonly: true\n"

func wantFull(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	wantEqual(t, string(must[[]byte](t)(cmd.Output())), full)
}

// limitFiles limits the size of a file, in bytes, for the whole process.
func limitFiles(size uint64) {
	signal.Ignore(unix.SIGXFSZ) // or it would end the process
	limit := unix.Rlimit{Cur: size, Max: size}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Println(err)
	}
}

// fill writes more than there is room for over an old content.
func fill(path string) {
	if err := errors.Join(
		blob.Save(path, makeRecords(100), blob.Options{}),
		blob.Pack(path+"2", blob.Sorted(makeRecords(100)), blob.Options{}),
	); err != nil {
		fmt.Println(err)
		return
	}
	large := makeRecords(20_000)
	fmt.Println("no space:",
		errors.Is(blob.Save(path, large, blob.Options{}), blob.ErrNoSpace),
		errors.Is(blob.Pack(path+"2", blob.Sorted(large), blob.Options{}), blob.ErrNoSpace))
	m, err := blob.Load[map[string]record](path)
	x, err2 := readIndexed[record](path + "2")
	if err := errors.Join(err, err2); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("whole:", len(m), len(x))
	entries, err := os.ReadDir(filepath.Dir(path))
	fmt.Println("only:", err == nil && len(entries) == 2)
}

// TestDenied: what the system forbids is an error that names the path.
func TestDenied(t *testing.T) {
	dir := t.TempDir()
	// Folders of tests, and that of the test binary, are closed to the user whom
	// root becomes.
	check(t, os.Chmod(filepath.Dir(dir), 0o755))
	check(t, os.Chmod(dir, 0o755))
	binary := filepath.Join(dir, "child")
	check(t, os.WriteFile(binary, must[[]byte](t)(os.ReadFile(os.Args[0])), 0o755))
	closed := filepath.Join(dir, "closed")
	check(t, os.Mkdir(closed, 0o777))
	path := filepath.Join(closed, "x.blob")
	check(t, blob.Save(path, 1, blob.Options{}))
	check(t, os.Chmod(path, 0))
	check(t, os.Chmod(closed, 0o555))
	t.Cleanup(func() { check(t, os.Chmod(closed, 0o777)) })
	cmd := child("denied", path)
	cmd.Path = binary
	if os.Getuid() == 0 {
		cmd.SysProcAttr = nobody() // root may do everything
	}
	out := must[[]byte](t)(cmd.Output())
	wantEqual(t, string(out), strings.Repeat("denied, names the path: true true\n", 5))
	check(t, os.Chmod(closed, 0o777))
	wantOnly(t, path)
}

func denied(path string) {
	_, load := blob.Load[int](path)
	_, open := blob.Open[int](path)
	for _, err := range []error{
		load, open,
		blob.Save(path, 2, blob.Options{}),
		blob.Save(path+"2", 2, blob.Options{}),
		blob.Pack(path, blob.Sorted(map[string]int{}), blob.Options{}),
	} {
		fmt.Println("denied, names the path:", errors.Is(err, fs.ErrPermission), err != nil && strings.Contains(err.Error(), path))
	}
}
