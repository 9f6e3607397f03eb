package main

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit/notebook"
)

// executedTwice says which notebooks are: one that is quick, and those whose numbers
// SHELFLAB_TWICE lists, or "all". They take too long for every day, and all of them
// too long for CI, which lists some.
func executedTwice(name string) bool {
	list := os.Getenv("SHELFLAB_TWICE")
	number, _, _ := strings.Cut(name, "_")
	return name == "07_explore" || list == "all" || slices.Contains(strings.Fields(list), number)
}

// onlyMeasured compares two executions of one notebook, which differ in what was
// measured and in nothing else: cells, ids, sources, counts and the kinds of
// outputs are the same, and so is what is printed, but for its numbers.
func onlyMeasured(t *testing.T, one, other string) {
	t.Helper()
	a, err := notebook.Read(one)
	must(t, err)
	b, err := notebook.Read(other)
	must(t, err)
	for _, fault := range differences(a, b) {
		t.Errorf("executed twice: %s", fault)
	}
}

func differences(a, b *notebook.Notebook) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if !reflect.DeepEqual(a.Metadata, b.Metadata) || len(a.Cells) != len(b.Cells) {
		fault("%d cells and %d; metadata %v and %v", len(a.Cells), len(b.Cells), a.Metadata, b.Metadata)
		return faults
	}
	for i, x := range a.Cells {
		y := b.Cells[i]
		if x.ID != y.ID || x.Kind != y.Kind || x.Source != y.Source || x.ExecutionCount != y.ExecutionCount || !reflect.DeepEqual(x.Metadata, y.Metadata) {
			fault("cell %s is not the same: %+v and %+v", x.ID, x, y)
		}
		if len(x.Outputs) != len(y.Outputs) {
			fault("cell %s has %d outputs and %d", x.ID, len(x.Outputs), len(y.Outputs))
			continue
		}
		for j, o := range x.Outputs {
			p := y.Outputs[j]
			if o.Type != p.Type || o.Name != p.Name || !slices.Equal(slices.Sorted(maps.Keys(o.Data)), slices.Sorted(maps.Keys(p.Data))) {
				fault("cell %s: output %d is of another kind", x.ID, j+1)
			}
			if m, n := unmeasured(o.Text), unmeasured(p.Text); m != n {
				fault("cell %s prints\n%s\nand\n%s", x.ID, o.Text, p.Text)
			}
		}
	}
	return faults
}

// What is not measured is found where it differs.
func TestDifferences(t *testing.T) {
	made := func(edit func(c *notebook.Cell)) *notebook.Notebook {
		nb := notebook.New(&notebook.Cell{ID: "a", Kind: notebook.Code, Source: "%%", ExecutionCount: 1, Outputs: []*notebook.Output{
			{Type: notebook.Stream, Name: "stdout", Text: "20 Gets took 1.2 ms\n"},
			{Type: notebook.DisplayData, Data: map[string]any{"text/html": "<p>"}},
		}})
		edit(nb.Cells[0])
		return nb
	}
	for says, edit := range map[string]func(c *notebook.Cell){
		"":                  func(c *notebook.Cell) { c.Outputs[0].Text = "18 Gets took 950 µs\n" },
		"is not the same":   func(c *notebook.Cell) { c.ExecutionCount = 2 },
		"not the same: ":    func(c *notebook.Cell) { c.ID = "b" },
		"2 outputs and 1":   func(c *notebook.Cell) { c.Outputs = c.Outputs[:1] },
		"prints":            func(c *notebook.Cell) { c.Outputs[0].Text = "20 Puts took 1.2 ms\n" },
		"2 is of another":   func(c *notebook.Cell) { c.Outputs[1].Data = map[string]any{"image/png": ""} },
		"output 1 is of an": func(c *notebook.Cell) { c.Outputs[0].Name = "stderr" },
	} {
		got := strings.Join(differences(made(func(*notebook.Cell) {}), made(edit)), "\n")
		if (got == "") != (says == "") || !strings.Contains(got, says) {
			t.Errorf("%q, want %q", got, says)
		}
	}
}

var measuredNumber = regexp.MustCompile(`\d[\d.,]*( ?(ns|[µu]s|ms|s|m|[kMG]?B|[kM])\b)?`)

// unmeasured is a text without its numbers and their units.
func unmeasured(text string) string { return measuredNumber.ReplaceAllString(text, "#") }
