package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"shelflab/labkit/notebook"
)

// A notebook that is executed twice differs from itself in what was measured
// and in nothing else: cells, ids, sources, counts and the kinds of outputs are
// the same, and so is what is printed, but for its numbers.
func TestExecutedTwice(t *testing.T) {
	t.Parallel()
	var runs [2]*notebook.Notebook
	t.Run("executed", func(t *testing.T) {
		for i := range runs {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				out := t.TempDir()
				if code, _, stderr := lab(t, "run", "01", "-p", "n=60", "-p", "rounds=3", "-p", "keys=20", "--out", out); code != exitOK {
					t.Fatalf("exit code %d\n%s", code, stderr)
				}
				var err error
				runs[i], err = notebook.Read(filepath.Join(out, "01_shelf_vs_blob", "01_shelf_vs_blob.ipynb"))
				must(t, err)
			})
		}
	})
	if t.Failed() {
		return
	}
	a, b := runs[0], runs[1]
	if !reflect.DeepEqual(a.Metadata, b.Metadata) || len(a.Cells) != len(b.Cells) {
		t.Fatalf("%d cells and %d; metadata %v and %v", len(a.Cells), len(b.Cells), a.Metadata, b.Metadata)
	}
	for i, x := range a.Cells {
		y := b.Cells[i]
		if x.ID != y.ID || x.Kind != y.Kind || x.Source != y.Source || x.ExecutionCount != y.ExecutionCount || !reflect.DeepEqual(x.Metadata, y.Metadata) {
			t.Errorf("cell %s is not the same: %+v and %+v", x.ID, x, y)
		}
		if len(x.Outputs) != len(y.Outputs) {
			t.Errorf("cell %s has %d outputs and %d", x.ID, len(x.Outputs), len(y.Outputs))
			continue
		}
		for j, o := range x.Outputs {
			p := y.Outputs[j]
			if o.Type != p.Type || o.Name != p.Name || !slices.Equal(slices.Sorted(maps.Keys(o.Data)), slices.Sorted(maps.Keys(p.Data))) {
				t.Errorf("cell %s: output %d is of another kind", x.ID, j+1)
			}
			if m, n := unmeasured(o.Text), unmeasured(p.Text); m != n {
				t.Errorf("cell %s prints\n%s\nand\n%s", x.ID, o.Text, p.Text)
			}
		}
	}
}

var measuredNumber = regexp.MustCompile(`\d[\d.,]*( ?(ns|[µu]s|ms|s|m|[kMG]?B|[kM])\b)?`)

// unmeasured is a text without its numbers and their units.
func unmeasured(text string) string { return measuredNumber.ReplaceAllString(text, "#") }
