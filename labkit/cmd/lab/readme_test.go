package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What the README says of using labkit from another module works, to the
// letter: its commands, with this clone's path, and its program.
func TestReadmeInYourOwnProgram(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	must(t, err)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	must(t, err)
	_, section, found := strings.Cut(string(readme), "## In your own program\n")
	if !found {
		t.Fatal("the README has no section about one's own program")
	}
	blocks := regexp.MustCompile("(?s)```(sh|go)\n(.*?)```").FindAllStringSubmatch(section, 2)
	if len(blocks) != 2 || blocks[0][1] != "sh" || blocks[1][1] != "go" {
		t.Fatalf("the section does not begin with commands and a program: %q", blocks)
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(blocks[1][2]), 0o644))

	commands := "go mod init example.com/outside\n" + strings.ReplaceAll(blocks[0][2], "/path/to/this/clone", root)
	for line := range strings.Lines(commands) {
		outside(t, dir, strings.Fields(line)...)
	}
	if got, want := outside(t, dir, "go", "run", "."), "Ada <nil>\n1 <nil>\n"; got != want {
		t.Errorf("the program prints %q, want %q", got, want)
	}
}

// outside runs a command in another module. The modules that it needs are those
// of this test, so they are in the module cache, and no network is asked.
func outside(t *testing.T, dir string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOFLAGS=", "GOWORK=off")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, errs.String())
	}
	return string(out)
}
