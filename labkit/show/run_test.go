package show

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestLeadStatesWhatIsThere(t *testing.T) {
	run := made(t, samplePlan(), sampleArms(), nil)
	lead := Lead(run, 8000)
	if lead.Title != "All arms at n = 8,000: p50 of 5 rounds" {
		t.Errorf("title %q", lead.Title)
	}
	if diff := cmp.Diff([]string{"arm", "write\nrec/s", "put\nrec/s", "read\nrec/s", "scan\nrec/s", "gets\ntime", "gets open\ntime", "disk\nbytes"}, lead.Head); diff != "" {
		t.Errorf("head: %s", diff)
	}
	if len(lead.Rows) != len(run.Arms) {
		t.Fatalf("%d rows", len(lead.Rows))
	}
	for i, arm := range run.Arms {
		for j, m := range labkit.Metrics() {
			cell := lead.Rows[i][j+1]
			s, ok := run.Summary(arm.Name, 8000, m.Name)
			if !ok {
				if cell != none {
					t.Errorf("%s, %s: %q without samples", arm.Name, m.Name, cell)
				}
				continue
			}
			p50, _, _ := strings.Cut(cell, "\n")
			if want := strings.TrimSuffix(evidence.Quantity(s.P50, m.Unit), " rec/s"); p50 != want {
				t.Errorf("%s, %s: %q, want %q", arm.Name, m.Name, p50, want)
			}
		}
	}
	notes := strings.Join(lead.Notes, "\n")
	for _, want := range []string{"at the 93.75 % level. 6 rounds reach 95 %.", "Every arm's finished writes survive a process crash.", labkit.Gets.What} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes", want)
		}
	}
}

func TestLeadOfUnequalArms(t *testing.T) {
	arms := sampleArms()
	arms[2].Durability = labkit.PowerLoss
	run := made(t, samplePlan(), arms, func(s labkit.Series) *labkit.Series {
		if s.Arm == "plain gob" {
			return nil
		}
		s.Samples = s.Samples[:3]
		return &s
	})
	lead := Lead(run, 8000)
	if last := lead.Head[len(lead.Head)-1]; last != "durability\nsurvives a" {
		t.Errorf("last column %q", last)
	}
	if row := lead.Rows[2]; row[len(row)-1] != "power loss" {
		t.Errorf("row %q", row)
	}
	if row := lead.Rows[5]; row[1] != none {
		t.Errorf("an arm without samples: %q", row)
	}
	if row := lead.Rows[0]; !strings.Contains(row[1], "\nof 3 rounds\n[") {
		t.Errorf("three of five rounds: %q", row)
	}
	notes := strings.Join(lead.Notes, "\n")
	for _, want := range []string{"No intervals: 3 rounds, and an interval needs 5. In brackets: the smallest and the largest, where they lie farther out.", "⚠ The run is incomplete", "Run the sweep for them."} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %s", want, notes)
		}
	}
}

// Nine rounds reach the level without the smallest and the largest, which are shown
// beside the interval; five have it as their range.
func TestLeadShowsTheRange(t *testing.T) {
	plan := labkit.Plan{Name: "sample", N: []int{8000}, Rounds: 9, Keys: 200, Seed: 1}
	for _, c := range []struct {
		want    string
		samples []float64
	}{
		{"5.71 k\n4.71 – 7.27 k\n[1.00 – 8.00 k]", []float64{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 8}},
		{"6.67 k\nof 5 rounds\n5.71 – 8.00 k", []float64{1, 1.1, 1.2, 1.3, 1.4}},
		{"7.64 k\nof 2 rounds\n[7.27 – 8.00 k]", []float64{1, 1.1}},
		{"8.00 k\nof 1 round", []float64{1}},
	} {
		run := made(t, plan, sampleArms(), func(s labkit.Series) *labkit.Series {
			s.Samples = c.samples
			return &s
		})
		if got := Lead(run, 8000).Rows[0][1]; got != c.want {
			t.Errorf("%v: %q, want %q", c.samples, got, c.want)
		}
	}
}

func TestRatiosSayWhenThereIsNone(t *testing.T) {
	run := &evidence.Run{Plan: samplePlan(), Series: []labkit.Series{{N: 500}, {N: 8000}}}
	ratio := func(n int, metric string, s labkit.Summary) {
		run.Ratios = append(run.Ratios, evidence.Ratio{Role: evidence.Part, Label: "the cores", A: "<a>", B: "b", N: n, Metric: metric, Summary: s})
	}
	ratio(500, "write", labkit.Summary{Count: 5, P50: 2, Lo: 1.5, Hi: 3, Level: 0.9375})
	ratio(8000, "write", labkit.Summary{Count: 5, P50: 1.1, Lo: 0.9, Hi: 1.2, Level: 0.9375})
	ratio(8000, "gets", labkit.Summary{Count: 2, P50: 4, Lo: 3, Hi: 5, Level: 0.5})
	ratio(9999, "gets", labkit.Summary{Count: 2, P50: 4})
	want := [][]string{
		{"<a> over b\npart: the cores", "write", "2.00\n1.50 – 3.00", "1.10\n0.90 – 1.20\nspans 1"},
		{"<a> over b\npart: the cores", "gets", "–", "4.00\ntoo few rounds"},
	}
	if diff := cmp.Diff(want, Ratios(run).Rows); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Two that take the same in every round are no estimate, and one metric over
// another of other rounds is said to be so.
func TestRatiosThatNeedWords(t *testing.T) {
	run := &evidence.Run{Schema: evidence.Schema, Plan: samplePlan(), Metrics: labkit.AllMetrics(), Series: []labkit.Series{{N: 500}}}
	equal := labkit.Summary{Count: 5, P50: 1, Min: 1, Max: 1, Lo: 1, Hi: 1, Level: 0.9375}
	run.Ratios = []evidence.Ratio{
		{A: "a", B: "b", N: 500, Metric: "disk", Summary: equal},
		{A: "a", B: "a", N: 500, Metric: peak.Name, Against: "disk", Summary: equal},
		{A: "a", B: "a", N: 500, Metric: "load", Against: "dump", Summary: equal},
	}
	got := Ratios(run)
	if want := "1.00\nthe same"; got.Rows[0][2] != want {
		t.Errorf("%q, want %q", got.Rows[0], want)
	}
	want := "Load, peak growth and disk were taken in rounds of their own, and bytes on disk hardly vary."
	if notes := strings.Join(got.Notes, "\n"); strings.Count(notes, want) != 1 || strings.Contains(notes, "Load and dump were") {
		t.Errorf("no %q in %q", want, notes)
	}
	run.Schema = 2
	if got := Ratios(run); got.Rows[0][2] != "1.00\n1.00\nspans 1" {
		t.Errorf("schema 2: %q", got.Rows[0])
	}
}

func TestVerdictOfAnIncompleteRun(t *testing.T) {
	run := made(t, samplePlan(), sampleArms(), func(s labkit.Series) *labkit.Series {
		if s.N == 8000 && s.Arm == "blob" {
			return nil
		}
		return &s
	})
	text := verdictOf(run).text(100)
	for _, want := range []string{"Verdict of an incomplete run\n", "The run is incomplete: n = 8,000 ", run.Fingerprint, "measured 2026-01-02 03:04 UTC"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	n := node(t, verdictOf(run).html())
	if got := textOf(n); !strings.Contains(got, "Verdict of an incomplete run") {
		t.Errorf("%s", got)
	}
}

// TestReport holds the report against testdata/report.txt, which a run with
// UPDATE_GOLDEN=1 in the environment writes anew.
func TestReport(t *testing.T) {
	plan := samplePlan()
	plan.N = []int{8000}
	run := made(t, plan, sampleArms(), nil)
	// The words of other packages are theirs to change.
	run.Verdict = []string{"Write, n = 8,000: a sentence.", "Another: sentence."}
	run.Warnings = []evidence.Warning{{Text: "A warning.", Remedy: "Its remedy."}}
	for i := range run.Metrics {
		run.Metrics[i].What = "what is timed"
	}
	var b strings.Builder
	if err := Report(&b, run); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(b.String(), run.Plan.Fingerprint(), "012345678901")
	const golden = "testdata/report.txt"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// What was measured besides time has its tables, too.
	more := map[labkit.Group]string{labkit.Cold: "read, cold", labkit.Resources: "write, peak memory"}
	for _, name := range append([]string{"space"}, more[labkit.Cold], more[labkit.Resources]) {
		m := labkit.AllMetrics()[slices.IndexFunc(labkit.AllMetrics(), func(m labkit.Metric) bool { return m.Name == name })]
		run.Metrics = append(run.Metrics, m)
		run.Series = append(run.Series, labkit.Series{Arm: "blob", N: 8000, Metric: name, Unit: m.RawUnit(), Samples: []float64{1}})
	}
	b.Reset()
	if err := Report(&b, run); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"All arms at n", "Reads on a cold page cache", "What write takes besides time", "Bytes written and kept", "Another: sentence."} {
		if _, after, ok := strings.Cut(b.String(), want); !ok {
			t.Errorf("no %q, or not in its place, in\n%s", want, b.String())
		} else {
			b.Reset()
			b.WriteString(after)
		}
	}
	if err := Report(failing{}, nil); !errors.Is(err, errFull) {
		t.Errorf("a writer that fails: %v", err)
	}
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestChartBundle(t *testing.T) {
	data := chartBundle("<t>", "a & b", nil, nil)
	if got := fmt.Sprint(data["text/html"]); got != "<p>&lt;t&gt;: a &amp; b</p>" {
		t.Errorf("without bytes: %s", got)
	}
	for mime, value := range chartBundle("t", "a", []byte("<svg/>"), []byte("p")) {
		switch value.(type) {
		case string, []byte:
		default:
			t.Errorf("%s is a %T, which would break the kernel's pipe", mime, value)
		}
	}
}

func TestWinners(t *testing.T) {
	run := &evidence.Run{Plan: samplePlan(), Metrics: labkit.Metrics()}
	ratio := func(n int, label, metric string, s labkit.Summary) {
		run.Ratios = append(run.Ratios, evidence.Ratio{Role: evidence.Headline, Label: label, A: "a", B: "<b>", N: n, Metric: metric, Summary: s})
	}
	ratio(500, "ours", "read", labkit.Summary{Count: 5, P50: 9, Lo: 8, Hi: 10, Level: 0.9375})
	ratio(8000, "ours", "write", labkit.Summary{Count: 5, P50: 2, Lo: 1.5, Hi: 3, Level: 0.9375})
	ratio(8000, "ours", "gets", labkit.Summary{Count: 5, P50: 0.5, Lo: 0.25, Hi: 0.8, Level: 0.9375})
	ratio(8000, "ours", "disk", labkit.Summary{Count: 5, P50: 2, Lo: 2, Hi: 2, Level: 0.9375})
	ratio(8000, "plain", "write", labkit.Summary{Count: 5, P50: 1.1, Lo: 0.9, Hi: 1.2, Level: 0.9375})
	ratio(8000, "plain", "gets", labkit.Summary{Count: 2, P50: 4, Lo: 3, Hi: 5, Level: 0.5})
	ratio(8000, "plain", "unknown", labkit.Summary{})
	ratio(8000, "wide", "write", labkit.Summary{Count: 5, P50: 1.1, Lo: 0.5, Hi: 2, Level: 0.9375})
	ratio(8000, "wide", "disk", labkit.Summary{Count: 5, P50: 1, Min: 1, Max: 1, Lo: 1, Hi: 1, Level: 0.9375})
	run.Schema = evidence.Schema
	got := winners(run, 8000)
	if diff := cmp.Diff([]string{"n = 8,000", "write\nwho is faster", "gets\nwho is faster", "disk\nwho takes less"}, got.Head); diff != "" {
		t.Errorf("head: %s", diff)
	}
	want := [][]string{
		{"a or <b>\nours", "a\n2.00×, 1.50 – 3.00", "<b>\n2.00×, 1.25 – 4.00", "a\n2.00×"},
		{"a or <b>\nplain", "no difference seen\n0.90 – 1.20", "no verdict\ntoo few rounds", "–"},
		{"a or <b>\nwide", "cannot be told\n0.50 – 2.00", "–", "the same\nin every round"},
	}
	if diff := cmp.Diff(want, got.Rows); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	run.Schema = 2 // what it said then, it says
	if got := winners(run, 8000).Rows[2]; got[1] != "no difference seen\n0.50 – 2.00" || got[3] != "no difference seen\n1.00" {
		t.Errorf("schema 2: %q", got)
	}
}

// TestVerdictHoldsEverySentence: the table at its head leaves none out.
func TestVerdictHoldsEverySentence(t *testing.T) {
	run := made(t, samplePlan(), sampleArms(), nil)
	run.Warnings = []evidence.Warning{{Text: "A <warning>.", Remedy: "Its remedy."}}
	n := node(t, verdictOf(run).html())
	if len(all(n, "table")) != 1 {
		t.Error("no table")
	}
	for _, want := range append(run.Verdict, "⚠ A <warning>. Its remedy.", run.Fingerprint) {
		if !strings.Contains(textOf(n), want) {
			t.Errorf("no %q in the box", want)
		}
	}
}
