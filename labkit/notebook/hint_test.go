package notebook

import (
	"strings"
	"testing"
)

// What goes wrong when somebody changes a notebook: the compiler's message, and
// one line that says what to do.
func TestHints(t *testing.T) {
	t.Parallel()
	hand := code("import \"shelflab/labkit\"\n\nvar plan = labkit.Params(labkit.Plan{Name: \"p\", N: []int{1}, Rounds: 1, Keys: 1})")
	for name, c := range map[string]struct {
		cells []*Cell
		says  string // by the compiler
		hint  string
	}{
		"a module that go.mod lacks": {
			[]*Cell{code("import \"example.com/not/here\"\n%%\nhere.Do()")}, "example.com/not/here",
			"lab: cells fetch no modules. Once, in a terminal in the lab's folder: go get example.com/not/here - then run the cell again.",
		},
		"a package that labkit lacks": {
			[]*Cell{code("import \"shelflab/labkit/nothing\"\n%%\nnothing.Do()")}, "is not in std",
			"lab: there is no package shelflab/labkit/nothing: make its folder",
		},
		"a function hides a package": {
			[]*Cell{code("func shelf() int { return 1 }"), code("import \"shelflab/labkit/shelf\"\n%%\nfmt.Println(shelf.Options{})")}, "shelf.Options is not a type",
			"lab: a function, type or variable of a cell hides the package shelf: rename it",
		},
		"a variable hides a package": {
			[]*Cell{code("var records = 3"), code("import \"shelflab/labkit/records\"\n%%\nfmt.Println(records.Generate(1, 2))")}, "records.Generate undefined",
			"lab: a function, type or variable of a cell hides the package records: rename it",
		},
		"the cells of before hide it": {
			[]*Cell{hand, code("func labkit() {}")}, "labkit.Params undefined",
			"lab: a function, type or variable of a cell hides the package labkit: rename it",
		},
		"a name that a package lacks": {
			[]*Cell{code("%%\nchart.Nothing()")}, "undefined: chart",
			"lab: the package chart has not the name behind the dot: go doc lists what it has.",
		},
		"no parameter cell": {
			[]*Cell{code("%%\nfmt.Println(plan.Rounds)")}, "undefined: plan",
			"lab: not known here: plan. A cell sees what was run before it: plan comes from the parameter cell",
		},
		"out of order": {
			[]*Cell{code("%%\nfmt.Println(few.Keys, at(\"x\"))")}, "undefined: few",
			"lab: not known here: at few. A cell sees what was run before it: if a cell further up declares it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := run(t, Options{}, c.cells...)
			got := failed(t, err, len(c.cells)).Message
			if !strings.Contains(got, c.says) || strings.Count(got, c.hint) != 1 || strings.Count(got, "lab: ") != 1 {
				t.Errorf("got\n%s\nwant %q of the compiler and once %q", got, c.says, c.hint)
			}
		})
	}
}

// A missing method of an ordinary value is the compiler's to explain.
func TestNoHints(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"%%\nvar b strings.Builder\nb.Nothing()",
		"%%\nx := 1",
	} {
		_, err := run(t, Options{}, code(source))
		if got := failed(t, err, 1).Message; strings.Contains(got, "lab:") {
			t.Errorf("%s\ngives %s", source, got)
		}
	}
}
