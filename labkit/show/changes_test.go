package show

import (
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestChanges(t *testing.T) {
	old := made(t, samplePlan(), sampleArms(), nil)
	slower := made(t, samplePlan(), sampleArms(), func(s labkit.Series) *labkit.Series {
		if s.Arm == "plain gob" {
			return nil
		}
		if s.Arm == "blob" && s.Unit == "s" {
			for i := range s.Samples {
				s.Samples[i] *= 2
			}
		}
		return &s
	})
	changes, err := evidence.Compare(old, slower)
	if err != nil {
		t.Fatal(err)
	}
	tables := Changes(changes)
	first, last := tables[0], tables[len(tables)-1]
	if first.Title != "write, n = 500" || len(first.Rows) != 5 || len(tables) != 2*len(labkit.Metrics()) {
		t.Errorf("%d tables; the first is %q with %d rows", len(tables), first.Title, len(first.Rows))
	}
	for _, row := range first.Rows {
		want := "~"
		if row[0] == "blob" {
			want = "0.50× worse" // a rate
		}
		if row[3] != want {
			t.Errorf("%s: %q, want %q", row[0], row[3], want)
		}
	}
	notes := strings.Join(last.Notes, "\n")
	for _, want := range []string{"Between equals up to one of twenty differs by chance: ", "at the 93.75 % level or more, ", "Only in the old run: plain gob, n = 500, write; ", "and 6 more."} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes:\n%s", want, notes)
		}
	}
	if got := Changes(evidence.Changes{}); len(got) != 1 || got[0].Title != "Nothing to compare" {
		t.Errorf("of no changes: %+v", got)
	}
}

// Amounts for each piece of work are no quantities with an SI prefix.
func TestChangesOfAmounts(t *testing.T) {
	same := labkit.Summary{Count: 5, P50: 0.142, Min: 0.142, Max: 0.142, Lo: 0.142, Hi: 0.142, Level: 0.9375}
	wide := labkit.Summary{Count: 5, P50: 4096, Min: 2048, Max: 8192, Lo: 2048, Hi: 8192, Level: 0.9375}
	got := Changes(evidence.Changes{List: []evidence.Change{
		{Metric: "write, allocs", Unit: "allocs/record", Arm: "blob", N: 500, Old: same, New: same, Ratio: 1, P: 1},
		{Metric: "disk", Unit: "B", Arm: "blob", N: 500, Old: wide, New: wide, Ratio: 1, P: 0.42, Note: "a note"},
	}})
	if row := got[0].Rows[0]; row[1] != "0.14" || row[2] != "0.14" || row[3] != "~" {
		t.Errorf("%q", row)
	}
	if row := got[1].Rows[0]; row[1] != "4.10 kB (2.05 – 8.19 kB)" || row[4] != "0.42\na note" {
		t.Errorf("%q", row)
	}
}
