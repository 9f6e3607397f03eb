package notebook

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A running kernel follows the repository: a package that is edited, one that is
// added, and a module that go.mod comes to require, all without a restart.
func TestKernelFollowsTheRepository(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, string(text))
	}
	write("labkit/first/first.go", "package first\n\nfunc Say() string { return \"as it was\" }\n")
	// The kernel is that of all tests, which was built from the same go.mod.
	follower := *kernel
	follower.root = root
	s, err := follower.Start(t.Context(), StartOptions{Dir: root})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	says := func(source, want string) {
		t.Helper()
		outputs, err := s.Execute(t.Context(), source, nil)
		var text strings.Builder
		for _, o := range outputs {
			text.WriteString(o.Text + o.EValue)
		}
		if err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%s\ngives %q, %v, want %q", source, text.String(), err, want)
		}
	}
	first := "import \"shelflab/labkit/first\"\n%%\nfmt.Println(first.Say())"
	says(first, "as it was")
	write("labkit/first/first.go", "package first\n\nfunc Say() string { return \"edited\" }\n")
	says(first, "edited")
	write("labkit/first/first.go", "package first\n\nfunc Say() string { return 1 }\n")
	says(first, "first.go:3:28: cannot use 1")
	write("labkit/first/first.go", "package first\n\nfunc Say() string { return \"mended\" }\n")
	says(first, "mended")

	second := "import \"shelflab/labkit/second\"\n%%\nfmt.Println(second.Say())"
	says(second, "lab: there is no package shelflab/labkit/second: make its folder")
	write("labkit/second/second.go", "package second\n\nfunc Say() string { return \"added\" }\n")
	says(second, "added")

	other := "import \"example.com/other\"\n%%\nfmt.Println(other.Say())"
	says(other, "terminal in the lab's folder: go get example.com/other")
	write("other/go.mod", "module example.com/other\n\ngo 1.26\n")
	write("other/other.go", "package other\n\nfunc Say() string { return \"required\" }\n")
	// Without a network, what go get would write.
	cmd := exec.Command("go", "mod", "edit", "-require=example.com/other@v0.0.0", "-replace=example.com/other=./other")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	says(other, "required")
	says("%%\nfmt.Println(\"still here\")", "still here")
}
