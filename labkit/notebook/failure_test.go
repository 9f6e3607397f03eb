package notebook

import (
	"html"
	"strings"
	"testing"
)

func TestFailingCells(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, source, message string }{
		{"compile error", "// Bad\n%%\nx := 1\nundefinedThing()", "line 3: declared and not used: x\nline 4: undefined: undefinedThing"},
		{"syntax error", "%%\nif {", "missing condition in if statement"},
		{"panic", "func deep() {\n\tpanic(\"ouch\")\n}\n%%\ndeep()", "line 2: panic: ouch (exit status 2)"},
		{"index", "%%\nvar s []int\n_ = s[len(s)]", "line 3: panic: runtime error: index out of range [0] with length 0 (exit status 2)"},
		{"os.Exit", "import \"os\"\n%%\nprintln(\"first\")\nprintln(\"the reason\")\nos.Exit(3)", "first\nthe reason (exit status 3)"},
		{"the last of equal lines", "func f(n int) {\n\tprintln(n)\n}\n%%\nvar p *int\nprintln(1)\nprintln(2)\nprintln(*p)\nprintln(*p)\nprintln(3)", "line 8: panic: runtime error: invalid memory address"},
		{"test", "import \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tt.Fatal(\"wrong sum\")\n}\n%test", "wrong sum"},
		{"silent exit", "import \"os\"\n%%\nos.Exit(4)", "exit status 4"},
		{"signal", "import \"syscall\"\n%%\nsyscall.Kill(syscall.Getpid(), syscall.SIGKILL)\nselect {}", "signal: killed"},
		{"no such package", "import \"shelflab/labkit/nosuch\"\n%%\nnosuch.F()", "shelflab/labkit/nosuch"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			nb, err := run(t, Options{}, code("%%\nprintln(\"fine\")"), code(tt.source), code("%%\nprintln(\"never\")"))
			ce := failed(t, err, 2)
			if !strings.Contains(ce.Message, tt.message) || strings.Contains(ce.Message, "\x1b") {
				t.Errorf("message %q, want %q", ce.Message, tt.message)
			}
			if ce.Err != nil {
				t.Errorf("the cell failed by itself, got Err %v", ce.Err)
			}
			if ce.ID != nb.Cells[1].ID || ce.Title != nb.Cells[1].Title() {
				t.Errorf("names cell %q %q", ce.ID, ce.Title)
			}
			if got := printed(nb.Cells[0], "stderr"); got != "fine\n" {
				t.Errorf("the cell before kept %q", got)
			}
			if c := nb.Cells[1]; len(c.Outputs) == 0 || c.Outputs[len(c.Outputs)-1].Type != Error || c.ExecutionCount != 2 {
				t.Errorf("the failed cell kept %d outputs, count %d", len(c.Outputs), c.ExecutionCount)
			}
			if got := page(t, nb, Page{}); !strings.Contains(got, html.EscapeString(tt.message)) {
				t.Errorf("the page does not say %q", tt.message)
			}
			if c := nb.Cells[2]; len(c.Outputs) != 0 || c.ExecutionCount != 0 {
				t.Errorf("the cell after it ran: %+v", c)
			}
		})
	}
}

func TestPanicInEarlierCell(t *testing.T) {
	t.Parallel()
	_, err := run(t, Options{}, code("func deep() {\n\tpanic(\"ouch\")\n}"), code("%%\ndeep()"))
	if ce := failed(t, err, 2); !strings.HasPrefix(ce.Message, "cell [1] line 2: panic: ouch") {
		t.Errorf("message %q", ce.Message)
	}
}

func TestRaisesException(t *testing.T) {
	t.Parallel()
	c := code("%%\npanic(\"shown on purpose\")")
	c.Metadata = map[string]any{"tags": []any{"raises-exception"}}
	nb, err := run(t, Options{}, c, code("%%\nprintln(\"goes on\")"))
	if err != nil {
		t.Fatal(err)
	}
	if got := printed(nb.Cells[1], "stderr"); got != "goes on\n" {
		t.Errorf("the next cell kept %q", got)
	}
}
