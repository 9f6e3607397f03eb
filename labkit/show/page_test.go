package show

import (
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestWinnersOfAPage(t *testing.T) {
	run := made(t, samplePlan(), sampleArms(), nil)
	got := Winners(run)
	if got.Title != "Verdict" || len(got.Rows) != len(sampleComparisons()) || got.Head[0] != "n = 8,000" {
		t.Errorf("%q, %d rows, heading %q", got.Title, len(got.Rows), got.Head)
	}
	if !strings.Contains(VerdictHTML(run), got.Head[0]) {
		t.Error("the verdict does not hold the table")
	}
	half := made(t, samplePlan(), sampleArms(), func(s labkit.Series) *labkit.Series {
		if s.N == 8000 {
			return nil
		}
		return &s
	})
	got = Winners(half)
	if got.Title != "Verdict of an incomplete run" || got.Head[0] != "n = 500" || !strings.Contains(strings.Join(got.Notes, " "), "n = 8,000 is not measured") {
		t.Errorf("incomplete: %+v", got)
	}
	alone := made(t, samplePlan(), sampleArms()[:1], nil)
	for name, run := range map[string]*evidence.Run{"nil": nil, "empty": {}, "one arm": alone} {
		if got := Winners(run); len(got.Rows) != 0 || len(got.Notes) == 0 || !strings.HasPrefix(got.Title, "Verdict") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
