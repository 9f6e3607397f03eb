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
	for _, want := range []string{"Between equals about one of twenty", "at the 93.75 % level or more, ", "Only in the old run: plain gob, n = 500, write; ", "and 6 more."} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes:\n%s", want, notes)
		}
	}
	if got := Changes(evidence.Changes{}); len(got) != 1 || got[0].Title != "Nothing to compare" {
		t.Errorf("of no changes: %+v", got)
	}
}
