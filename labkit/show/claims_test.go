package show

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// claimedRun asks after two claims in pairs that hold, are reversed, differ by
// nothing, cannot be told, and are absent.
func claimedRun() *evidence.Run {
	run := &evidence.Run{
		Schema: evidence.Schema, Plan: samplePlan(), Metrics: labkit.Metrics(),
		Arms: []labkit.Arm{{Name: "blob"}, {Name: "slow"}, {Name: "fast"}, {Name: "like"}, {Name: "wild"}, {Name: "<absent>", Unmeasured: "there is no <Python>"}},
	}
	for arm, samples := range map[string][]float64{
		"blob": {1, 1, 1, 1, 1}, "slow": {4, 4, 4, 3, 5}, "fast": {.5, .5, .5, .4, .5}, "like": {1, 1, 1, 1.1, .9}, "wild": {.1, 10, 1, 1, 1},
	} {
		run.Series = append(run.Series, labkit.Series{Arm: arm, N: 8000, Metric: "write", Unit: "s", Work: 8000, Samples: samples})
	}
	for _, c := range []struct{ role, label, b string }{
		{"claim", "theirs", "slow"}, {"claim", "<no> pair", "<absent>"},
		{"carry-over", "ours", "fast"}, {"carry-over", "like ours", "like"}, {"carry-over", "who knows", "wild"},
	} {
		run.Comparisons = append(run.Comparisons, labkit.Comparison{
			Role: labkit.Role(c.role), Label: c.label, A: "blob", B: c.b, Metrics: []string{"write"}, Claim: "A <blob> is faster",
		})
	}
	other := run.Comparisons[0]
	other.Claim, other.Metrics = "It is smaller", []string{"disk"}
	run.Comparisons = append(run.Comparisons, other)
	return run
}

func TestClaims(t *testing.T) {
	got := Claims(claimedRun(), 8000)
	want := [][]string{
		{"A <blob> is faster", "holds\n4.00×\n3.00 – 5.00", "not measured", "reversed\n2.00×\n2.00 – 2.50", "no difference seen\n1.00×\n0.90 – 1.10", "cannot be told\n1.00×\n0.10 – 10.0"},
		{"It is smaller", "not measured", none, none, none, none},
	}
	if diff := cmp.Diff(want, got.Rows); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"claim", "theirs", "<no> pair", "ours", "like ours", "who knows"}, got.Head); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, "Not measured: <no> pair: there is no <Python>.") || !strings.Contains(notes, "there are no samples of both") {
		t.Errorf("notes %q", notes)
	}
	if text := got.HTML(); strings.Contains(text, "<Python>") || strings.Contains(text, "<absent>") {
		t.Errorf("not escaped: %s", text)
	}
	for name, run := range map[string]*evidence.Run{"nil": nil, "empty": {}, "without claims": made(t, samplePlan(), sampleArms(), nil)} {
		if got := Claims(run, 8000); len(got.Rows) > 0 || len(got.Notes) != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	few := claimedRun()
	for i := range few.Series {
		few.Series[i].Samples = few.Series[i].Samples[:2]
	}
	if cell := Claims(few, 8000).Rows[0][1]; cell != "cannot be told\ntoo few rounds" {
		t.Errorf("%q", cell)
	}
}

// The verdict and the head of a page begin with the claims; the tables of who wins
// and of ratios leave them out.
func TestVerdictBeginsWithClaims(t *testing.T) {
	run := claimedRun()
	run.Ratios = []evidence.Ratio{{Role: labkit.Claim, Label: "theirs", A: "blob", B: "slow", N: 8000, Metric: "write", Summary: labkit.Summary{Count: 5, P50: 4, Lo: 3, Hi: 5, Level: 0.9375}}}
	if got := winners(run, 8000); len(got.Rows) > 0 {
		t.Errorf("winners: %q", got.Rows)
	}
	if got := Ratios(run); len(got.Rows) > 0 {
		t.Errorf("ratios: %q", got.Rows)
	}
	table := Claims(run, 8000).HTML()
	if !strings.Contains(VerdictHTML(run), table) || !strings.HasPrefix(Head(run), table) {
		t.Error("the table of claims is not at the head")
	}
}
