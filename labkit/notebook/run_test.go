package notebook

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRunKeepsOutputsInOrder(t *testing.T) {
	t.Parallel()
	var seen []string
	nb, err := run(t, Options{OnCell: func(i, n int, title string) {
		seen = append(seen, fmt.Sprintf("%d/%d %s", i, n, title))
	}},
		prose("# A title"),
		code("// First\nimport \"fmt\"\n\nvar x = 40\n\n%%\nfmt.Println(\"a\")\nfmt.Println(\"b\")"),
		code("   \n"),
		&Cell{Kind: Raw, Source: "raw"},
		code("%%\nfmt.Println(x + 2)"),
	)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1/2 First", "2/2 fmt.Println(x + 2)"}, seen); diff != "" {
		t.Errorf("OnCell (-want +got):\n%s", diff)
	}
	var got []string
	for _, c := range nb.Cells {
		got = append(got, fmt.Sprintf("%d %d %q", c.ExecutionCount, len(c.Outputs), printed(c, "stdout")))
	}
	want := []string{`0 0 ""`, `1 1 "a\nb\n"`, `0 0 ""`, `0 0 ""`, `2 1 "42\n"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}

func TestRunLeavesItsArgumentAlone(t *testing.T) {
	t.Parallel()
	nb := New(code("%%\nprintln(1)"))
	nb.Cells[0].Outputs = []*Output{{Type: Stream, Name: "stdout", Text: "old"}}
	nb.Cells[0].ExecutionCount = 7
	out, err := Run(t.Context(), kernel, nb, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if nb.Cells[0].ExecutionCount != 7 || nb.Cells[0].Outputs[0].Text != "old" {
		t.Errorf("the notebook that was passed in changed: %+v", nb.Cells[0])
	}
	if got := printed(out.Cells[0], "stderr"); got != "1\n" {
		t.Errorf("the copy has stderr %q", got)
	}
}

func TestRunOfNothing(t *testing.T) {
	t.Parallel()
	nb, err := run(t, Options{})
	if err != nil || len(nb.Cells) != 0 {
		t.Errorf("got %v, %v", nb, err)
	}
}

func TestDisplays(t *testing.T) {
	t.Parallel()
	nb, err := run(t, Options{},
		code(`import "github.com/janpfeifer/gonb/gonbui"
%%
gonbui.UpdateHTML("verdict", "waiting")
gonbui.DisplayHTML("<b>one</b>")
gonbui.DisplaySVG("<svg></svg>")
gonbui.DisplayPNG([]byte("png"))
gonbui.DisplayMarkdown("*two*")
gonbui.Sync()`),
		code(`%%
gonbui.UpdateHTML("other", "stays here")
gonbui.UpdateHTML("verdict", "done")
gonbui.Sync()`),
	)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]map[string]any{{
		{"text/html": "done"}, // changed by the second cell
		{"text/html": "<b>one</b>"},
		{"text/html": "<div><svg></svg></div>"}, // as gonbui wraps it
		{"image/png": "cG5n"},
		{"text/markdown": "*two*"},
	}, {
		{"text/html": "stays here"},
	}}
	var got [][]map[string]any
	for _, c := range nb.Cells {
		var cell []map[string]any
		for _, o := range c.Outputs {
			cell = append(cell, o.Data)
		}
		got = append(got, cell)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("displays (-want +got):\n%s", diff)
	}
}

func TestInputIsRefused(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"shell":   "%with_inputs\n!read -p 'Name? ' x; echo got $x",
		"program": "import (\n\"fmt\"\n\"github.com/janpfeifer/gonb/gonbui\"\n)\n%%\ngonbui.RequestInput(\"Name?\", false)\nvar s string\nfmt.Scanln(&s)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := run(t, Options{}, code(source))
			failed(t, err, 1)
			if !errors.Is(err, ErrInput) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestStdinIsNotTheTerminal(t *testing.T) {
	t.Parallel()
	// A shell command that reads without being allowed to ask waits for ever.
	_, err := run(t, Options{CellLimit: time.Second}, code("!read x"))
	if failed(t, err, 1); !errors.Is(err, ErrTimeLimit) {
		t.Errorf("got %v", err)
	}
}

func TestWhereCellsRun(t *testing.T) {
	// Not parallel: it sets the environment.
	t.Setenv("GONB_PIPE", "/of/another/kernel")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	nb, err := run(t, Options{Dir: dir, Env: []string{"LAB_N=17"}}, code(`import ("fmt"; "os"; "path/filepath")
%%
dir, _ := os.Getwd()
real, _ := filepath.EvalSymlinks(dir)
fmt.Println(real)
fmt.Println(os.Getenv("LAB_N"), os.Getenv("GONB_PIPE") == "/of/another/kernel", os.Getenv("GONB_JUPYTER_KERNEL_ID"))
fmt.Println(os.TempDir())`))
	if err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(printed(nb.Cells[0], "stdout"), "\n")
	if diff := cmp.Diff([]string{real, "17 false "}, lines[:2]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := os.Stat(lines[2]); err == nil {
		t.Errorf("the cells' temporary folder %s is left", lines[2])
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("the notebook's folder holds %v", entries)
	}
}

func TestHugeOutput(t *testing.T) {
	t.Parallel()
	const lines = 100_000
	nb, err := run(t, Options{}, code(fmt.Sprintf("import (\"fmt\"; \"os\"; \"bufio\")\n%%%%\nw := bufio.NewWriter(os.Stdout)\nfor i := range %d { fmt.Fprintln(w, \"line\", i) }\nw.Flush()", lines)))
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for i := range lines {
		fmt.Fprintln(&want, "line", i)
	}
	if got := printed(nb.Cells[0], "stdout"); got != want.String() {
		t.Errorf("got %d bytes, want %d", len(got), want.Len())
	}
	if n := len(nb.Cells[0].Outputs); n != 1 {
		t.Errorf("got %d outputs, want one stream", n)
	}
}

func TestEndlessOutputIsBounded(t *testing.T) {
	t.Parallel()
	nb, err := run(t, Options{}, code(fmt.Sprintf("import \"os\"\n%%%%\nb := make([]byte, 1<<20)\nfor i := range b { b[i] = 'x' }\nfor range %d { os.Stdout.Write(b) }\nprintln(\"end\")", maxStream>>20+2)))
	if err != nil {
		t.Fatal(err)
	}
	c := nb.Cells[0]
	if got := len(printed(c, "stdout")); got != maxStream {
		t.Errorf("kept %d bytes, want %d", got, maxStream)
	}
	if got := printed(c, "stderr"); !strings.Contains(got, fmt.Sprint(2<<20+len("end\n"))+" more bytes") {
		t.Errorf("the note is %q", got)
	}
}

func TestOtherLanguage(t *testing.T) {
	t.Parallel()
	nb := New(code("print(1)"))
	nb.Metadata = map[string]any{"kernelspec": map[string]any{"language": "python"}}
	out, err := Run(t.Context(), kernel, nb, Options{})
	if out != nil || !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "python") {
		t.Errorf("got %v, %v", out, err)
	}
}

func TestNoSuchFolder(t *testing.T) {
	t.Parallel()
	nb, err := Run(t.Context(), kernel, New(code("%%\nprintln(1)")), Options{Dir: filepath.Join(t.TempDir(), "nosuch")})
	if nb != nil || err == nil || !strings.Contains(err.Error(), "nosuch") {
		t.Errorf("got %v, %v", nb, err)
	}
}
