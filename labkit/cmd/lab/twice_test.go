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

	"shelflab/labkit/arms/scale"
	"shelflab/labkit/arms/whole"
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

// A size is refused by what it is forecast to take: by how much of what, and
// whether memory and disk are refused beside the time, is measured. That it is
// refused is not.
func TestUnmeasuredRefusal(t *testing.T) {
	refused := func(seconds, bytes float64) string {
		return fmt.Sprintln(scale.Options{Minutes: 5}.Fits(t.TempDir(), seconds, bytes, bytes))
	}
	long := unmeasured(refused(1e6, 1))
	for name, text := range map[string]string{
		"seconds": refused(301, 1), "minutes": refused(3000, 1), "a hundred hours": refused(1e8, 1),
		"room": refused(5e5, 1<<60), "more room": refused(5e5, 1<<62),
	} {
		if got := unmeasured(text); got != long {
			t.Errorf("%s: %q, want %q", name, got, long)
		}
	}
	if n := strings.Count(refused(1e6, 1<<60), "\n"); n != 3 {
		t.Errorf("%d lines: a refusal of memory or disk is missing", n)
	}
	for name, text := range map[string]string{"it fits": refused(299, 1), "too large only": refused(299, 1<<60), "another error": "too early: " + refused(301, 1)} {
		if unmeasured(text) == long {
			t.Errorf("%s: it counts as the same: %s", name, text)
		}
	}
}

var (
	// measuredNumber is one with its unit, a duration as Go prints it ("1h2m3s") too.
	measuredNumber = regexp.MustCompile(`\d[\d.,]*((h\d+)?m[\d.]+s\b| ?(ns|[µu]s|ms|s|m|[kMGTP]?B|[kM])\b)?`)
	// measuredRoom is the line that refuses a size for the memory or the disk that it
	// would take. Both are forecast from what was just measured, and how much there
	// is was measured too: whether there is such a line is itself a measurement.
	measuredRoom = regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(whole.ErrRoom.Error()) + ` (memory|disk): .* need about .* leaves .*: give .*\n?`)
)

// unmeasured is a text without its numbers and their units, and without what is
// only there because of them.
func unmeasured(text string) string {
	return measuredNumber.ReplaceAllString(measuredRoom.ReplaceAllString(text, ""), "#")
}
