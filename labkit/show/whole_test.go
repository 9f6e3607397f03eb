package show

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

var peak = labkit.PeakGrowth.Of(labkit.Load)

// wholeRun is the evidence of two arms that dump and load a whole value, in out:
// at n the plain one takes n milliseconds to dump, three times that to load and
// n² bytes at its peak; the blob half of each, and no pause in the first round.
func wholeRun(t testing.TB, out string, plan labkit.Plan) *evidence.Run {
	t.Helper()
	pause := labkit.GCPause.Of(labkit.Load)
	rec, err := evidence.Record(filepath.Join(out, plan.Name), plan, []labkit.Arm{
		{Name: "<gob>", Kind: "snapshot", Pair: "plain"}, {Name: "blob", Kind: "snapshot", Pair: "ours"},
	}, []labkit.Comparison{
		{Role: labkit.Headline, Label: "loading", A: "<gob>", B: "<gob>", Metrics: []string{"load"}, Against: "dump"},
		{Role: labkit.Headline, Label: "ours", A: "blob", B: "<gob>", Metrics: []string{"load", peak.Name, pause.Name}},
		{Role: labkit.Growth, A: "<gob>", B: "<gob>", Metrics: []string{"load", peak.Name}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	for _, n := range plan.N {
		var rounds, resources []labkit.Series
		for i, arm := range []string{"<gob>", "blob"} {
			series := func(m labkit.Metric, work int, x float64) labkit.Series {
				samples := slices.Repeat([]float64{x / float64(i+1)}, plan.Rounds)
				return labkit.Series{Arm: arm, N: n, Metric: m.Name, Unit: m.RawUnit(), Work: work, Samples: samples}
			}
			size := float64(n)
			p := series(pause, 0, 1e-3)
			p.Samples[0] *= float64(1 - i)
			rounds = append(rounds, series(labkit.Dump, n, 1e-3*size), series(labkit.Load, n, 3e-3*size), series(labkit.Disk, 0, 4*size))
			resources = append(resources, series(peak, 0, size*size), series(labkit.LiveHeap.Of(labkit.Load), 0, 2*size), p)
		}
		if err := errors.Join(rec.Keep(n, rounds), rec.KeepGroup(n, labkit.Resources, resources, nil)); err != nil {
			t.Fatal(err)
		}
	}
	return rec.Run()
}

func wholePlan() labkit.Plan {
	plan := samplePlan()
	plan.N, plan.Counts = []int{10, 100, 1000}, "dictionaries"
	return plan
}

func TestByN(t *testing.T) {
	run := wholeRun(t, t.TempDir(), wholePlan())
	run.Unmeasured = []labkit.Unmeasured{{Arm: "blob", N: 10, Metric: "load", Why: "it was late"}}
	got := ByN(run, labkit.Load)
	want := [][]string{{"<gob>\nsnapshot, plain", "30.0 ms", "300 ms", "3.00 s"}, {"blob\nsnapshot, ours", "15.0 ms", "150 ms", "1.50 s"}}
	if diff := cmp.Diff(want, got.Rows); diff != "" || got.Title != "Load over n: p50 of 5 rounds" || got.Head[3] != "n = 1,000\ntime" {
		t.Errorf("%q, head %q\n%s", got.Title, got.Head, diff)
	}
	if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, "n counts dictionaries. load: the whole value read back") || !strings.Contains(notes, "– Not measured: load of blob: it was late.") {
		t.Errorf("notes %q", notes)
	}
	if got := ByN(run, peak); got.Rows[0][3] != "1.00 MB" || got.Head[1] != "n = 10\nbytes" {
		t.Errorf("%q, %q", got.Head, got.Rows)
	}
	for name, got := range map[string]Table{"nil": ByN(nil, labkit.Load), "unmeasured": ByN(run, labkit.Write), "no metric": ByN(run, labkit.Metric{})} {
		if len(got.Rows) > 0 || len(got.Notes) == 0 || !strings.Contains(got.Notes[0], "has") || !strings.Contains(got.Notes[0], "run") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestGrowthTable(t *testing.T) {
	got := Growth(wholeRun(t, t.TempDir(), wholePlan()))
	head := []string{"arm", "metric", "over all sizes\nexponent", "that is", "10 to 100\nexponent", "100 to 1,000\nexponent"}
	want := [][]string{
		{"<gob>", "load", "1.00", "linear as far as can be seen", "1.00", "1.00"},
		{"<gob>", "load, peak growth", "2.00", "more than linear", "2.00", "2.00"},
	}
	if diff := cmp.Diff(head, got.Head) + cmp.Diff(want, got.Rows); diff != "" {
		t.Error(diff)
	}
	if len(got.Notes) != 2 || !strings.Contains(got.Notes[0], "ten times as many dictionaries take ten times as much") || !strings.Contains(got.Notes[1], "at the 93.75 % level") {
		t.Errorf("notes %q", got.Notes)
	}
	plan := wholePlan()
	plan.N, plan.Rounds = plan.N[:2], 2
	few := Growth(wholeRun(t, t.TempDir(), plan))
	if len(few.Rows) != 2 || len(few.Rows[0]) != 4 || few.Rows[0][3] != "not known after 2 rounds" || few.Notes[1] != "No intervals: 2 rounds, and an interval needs 5." {
		t.Errorf("two sizes, two rounds: %q %q", few.Rows, few.Notes)
	}
	for _, run := range []*evidence.Run{nil, {}} {
		if got := Growth(run); len(got.Rows) > 0 || len(got.Notes) != 1 {
			t.Errorf("%+v", got)
		}
	}
}

func TestMemory(t *testing.T) {
	run := wholeRun(t, t.TempDir(), wholePlan())
	run.Environment.Memory = 19_000_000 // bytes: n² on the line from 100 to 1,000 is 1,100 n - 100,000
	got := Memory(run, labkit.Load)
	want := [][]string{
		{"<gob>", "10", "40 B", "100 B", "20 B", "2.50"}, {"<gob>", "100", "400 B", "10.0 kB", "200 B", "25.0"}, {"<gob>", "1,000", "4.00 kB", "1.00 MB", "2.00 kB", "250"},
		{"blob", "10", "20 B", "50 B", "10 B", "2.50"}, {"blob", "100", "200 B", "5.00 kB", "100 B", "25.0"}, {"blob", "1,000", "2.00 kB", "500 kB", "1.00 kB", "250"},
	}
	if diff := cmp.Diff(want, got.Rows); diff != "" || got.Head[1] != "n\ndictionaries" {
		t.Errorf("head %q\n%s", got.Head, diff)
	}
	notes := strings.Join(got.Notes, "\n")
	for _, want := range []string{"Memory and bytes on disk were taken in rounds of their own, and bytes on disk hardly vary.", "in whole blocks of the file system", "Extrapolated: <gob> would fill the 19.0 MB of this machine at about 17,000 dictionaries", "blob would fill the 19.0 MB of this machine at about 35,000 dictionaries"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %q", want, notes)
		}
	}
	// Without rounds by the clock, what lies on disk comes from the turns in processes of their own.
	for i, s := range run.Series {
		if s.Metric == labkit.Disk.Name {
			run.Series[i].Metric, run.Series[i].Work = labkit.Space.Name, s.N
		}
	}
	run.Environment.Memory = 0
	again := Memory(run, labkit.Load)
	if diff := cmp.Diff(want, again.Rows); diff != "" || strings.Contains(strings.Join(again.Notes, ""), "Extrapolated") {
		t.Errorf("notes %q\n%s", again.Notes, diff)
	}
	run.Series = slices.DeleteFunc(run.Series, func(s labkit.Series) bool { return s.Metric == labkit.Space.Name })
	if got := Memory(run, labkit.Load); got.Rows[0][2] != none || got.Rows[0][5] != none {
		t.Errorf("without a size on disk: %q", got.Rows[0])
	}
	for _, got := range []Table{Memory(nil, labkit.Load), Memory(run, labkit.Dump), Memory(run, labkit.Disk)} {
		if len(got.Rows) > 0 || len(got.Notes) == 0 {
			t.Errorf("%+v", got)
		}
	}
}

func TestBeside(t *testing.T) {
	run := wholeRun(t, t.TempDir(), wholePlan())
	got := Beside(run, "A <report>", []Figure{
		{N: 100, Arm: "<gob>", Metric: "load", Value: 0.849, Source: "on a G4"},
		{N: 1000, Arm: "<gob>", Metric: "load", Value: 8.1871, Source: "on a G4"},
		{N: 10_000, Arm: "<gob>", Metric: "load", Value: 133.907},
		{N: 100, Arm: "blob", Metric: "joy", Value: 1},
		{N: 100, Arm: "blob", Metric: "dump", Value: math.NaN()},
		{N: 100, Arm: "blob", Metric: "dump", Value: math.Inf(1)},
		{N: 100, Arm: "blob", Metric: "disk", Value: -1},
		{N: 100, Arm: "blob", Metric: "disk", Value: 100},
	})
	want := [][]string{
		{"load", "<gob>", "100", "300 ms", "849 ms\non a G4", "2.83"},
		{"load", "<gob>", "1,000", "3.00 s", "8.19 s\non a G4", "2.73"},
		{"load", "<gob>", "10,000", none, "134 s", none},
		{"joy", "blob", "100", none, none, none},
		{"dump", "blob", "100", "50.0 ms", none, none},
		{"dump", "blob", "100", "50.0 ms", none, none},
		{"disk", "blob", "100", "200 B", none, none},
		{"disk", "blob", "100", "200 B", "100 B", "0.50"},
	}
	if diff := cmp.Diff(want, got.Rows); diff != "" || got.Title != "A <report>" || len(got.Notes) != 2 {
		t.Errorf("%q\n%s", got.Notes, diff)
	}
	if got := Beside(nil, "t", []Figure{{N: 1, Arm: "a", Metric: "load", Value: 1}}); got.Rows[0][3] != none || got.Rows[0][4] != none {
		t.Errorf("without a run: %q", got.Rows)
	}
	if got := Beside(run, "t", nil); len(got.Rows) > 0 || len(got.Notes) != 1 {
		t.Errorf("without figures: %+v", got)
	}
}

// What has no better side, and what has no ratio, is said in the tables too.
func TestTablesOfUnlikeRatios(t *testing.T) {
	run := wholeRun(t, t.TempDir(), wholePlan())
	got := Ratios(run)
	want := [][]string{
		{"<gob>\nloading", "load over dump", "3.00", "3.00", "3.00"},
		{"blob over <gob>\nours", "load", "2.00", "2.00", "2.00"},
		{"blob over <gob>\nours", "load, peak growth", "2.00", "2.00", "2.00"},
		{"blob over <gob>\nours", "load, GC pause", noRatio, noRatio, noRatio},
	}
	if diff := cmp.Diff(want, got.Rows); diff != "" {
		t.Error(diff)
	}
	if !got.numeric(5)[4] {
		t.Error("a column of numbers, but for what has no ratio, is not set as one")
	}
	if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, "how many times as much the first is") || !strings.Contains(notes, "takes nothing in a round") {
		t.Errorf("notes %q", notes)
	}
	table := Winners(run)
	if diff := cmp.Diff([]string{"n = 1,000 dictionaries", "load\nwho is faster", "load, peak growth\nwho takes less", "load, GC pause\nwho takes less"}, table.Head); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"blob or <gob>\nours", "blob\n2.00×", "blob\n2.00×", "no ratio\na zero"}}, table.Rows); diff != "" {
		t.Error(diff)
	}
	beyond := Beyond(run)
	if len(beyond.Rows) != 2 || beyond.Rows[0][1] != "load takes 3.00 times as long as dump (3.00 to 3.00). Intervals at 93.75 %." || beyond.Rows[1][0] != "<gob>" {
		t.Errorf("%q", beyond.Rows)
	}
	if got := Beyond(nil); len(got.Rows) > 0 {
		t.Errorf("%+v", got)
	}
	if lead := Lead(run, 1000); lead.Title != "All arms at n = 1,000 dictionaries: p50 of 5 rounds" {
		t.Errorf("%q", lead.Title)
	}
	if got := PlanTable(&run.Plan); !strings.Contains(fmt.Sprint(got.Rows), "sizes of the sweep, in dictionaries") {
		t.Errorf("%q", got.Rows)
	}
}

// The verdict of each part stands in the box of the whole, under its name, and at
// the head of the page.
func TestVerdictOfParts(t *testing.T) {
	out := t.TempDir()
	whole := samplePlan()
	record(t, filepath.Join(out, whole.Name), whole, sampleArms(), nil)
	part := wholeRun(t, out, whole.Part("the_items", "items", 10, 100))
	other := whole
	other.Seed++
	wholeRun(t, out, other.Part("of_another_seed", "items", 10, 100))
	r := inCell(t, "verdict of parts", "k", out)
	if r.code != 0 || len(r.displays) != 1 {
		t.Fatalf("exit code %d, %s: %v", r.code, r.stderr, r.displays)
	}
	for _, want := range []string{">Part: the items<", "load takes 3.00 times as long as dump", "&lt;gob&gt;:</b> load grows as n to the power of 1.00", part.Plan.Fingerprint()} {
		if !strings.Contains(r.html(0), want) {
			t.Errorf("no %q in the box", want)
		}
	}
	if strings.Contains(r.html(0), "another seed") || !strings.Contains(r.text(0), "\n  Part: the items\n    ") {
		t.Errorf("the text is\n%s", r.text(0))
	}
	run, err := evidence.Load(filepath.Join(out, whole.Name), whole)
	if err != nil {
		t.Fatal(err)
	}
	run.Updated = time.Time{}
	half := *part
	half.Complete = false
	if html := VerdictHTML(run, &half); !strings.Contains(html, "Part: the items, incomplete") || !strings.Contains(html, string(toneWarn)) {
		t.Error("an incomplete part is not said to be")
	}
	head := Head(run, part) + HeadParts(run, part)
	for _, want := range []string{"<summary>Part: the items</summary>", "load takes 3.00 times as long as dump", "blob or shelf, bulk"} {
		if !strings.Contains(head, want) {
			t.Errorf("no %q in the head", want)
		}
	}
	run.Schema = 2 // was shown without
	if strings.Contains(Head(run, part)+HeadParts(run, part)+VerdictHTML(run, part), "Part: ") {
		t.Error("evidence of schema 2 is shown with parts")
	}
	if got := Head(nil); !strings.Contains(got, "Nothing measured yet") {
		t.Errorf("without a run: %s", got)
	}
}

func TestSweepRoundsAndResources(t *testing.T) {
	for cell, want := range map[string]struct {
		metric string
		tables int
	}{"sweep rounds": {"load", 2}, "sweep resources": {"load, allocs", 0}} {
		out := t.TempDir()
		r := inCell(t, cell, "k", out)
		if shown := r.shown(); r.code != 0 || len(shown) != want.tables {
			t.Errorf("%s: exit code %d, %s\n%q", cell, r.code, r.stderr, shown)
		}
		run, err := evidence.Load(filepath.Join(out, "sample"), samplePlan())
		if err != nil {
			t.Fatalf("%s: %v", cell, err)
		}
		for _, n := range run.Plan.N {
			if s, ok := run.Summary("file", n, want.metric); !ok || s.Count != 5 {
				t.Errorf("%s, n = %d: %+v", cell, n, s)
			}
		}
		groups := map[labkit.Group]bool{}
		for _, s := range run.Series {
			m, _ := run.Metric(s.Metric)
			groups[m.Group] = true
		}
		if len(groups) != 1 || !run.Complete {
			t.Errorf("%s measured %v, complete %v", cell, groups, run.Complete)
		}
		if cell == "sweep resources" {
			if parts := evidence.Parts(out, samplePlan()); len(parts) != 1 || !parts[0].Complete || parts[0].Plan.Counts != "items" {
				t.Errorf("parts %v", parts)
			}
		}
	}
}
