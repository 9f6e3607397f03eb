package show

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// extraRun is a run of two arms, of which one could not be measured cold.
func extraRun() *evidence.Run {
	run := &evidence.Run{
		Plan: samplePlan(), Metrics: labkit.AllMetrics(),
		Arms: []labkit.Arm{{Name: "<blob>", Kind: "snapshot", Pair: "ours"}, {Name: "shelf"}, {Name: "again", Control: true}},
		Unmeasured: []labkit.Unmeasured{
			{Arm: "shelf", N: 8000, Metric: "read, cold", Why: "it came from the cache"},
			{Arm: "<blob>", N: 8000, Metric: "write, peak memory", Why: "it is not told"},
			{Arm: "shelf", N: 8000, Metric: "write, peak memory", Why: "it is not told"},
			{Arm: "shelf", N: 500, Metric: "read, cold", Why: "of another size"},
		},
	}
	for _, x := range []struct {
		arm, metric string
		p50         float64
	}{
		{"<blob>", "read, warm", 2e6}, {"<blob>", "read, cold", 1e6}, {"<blob>", "gets, warm", 0.002}, {"<blob>", "gets, cold", 0.003},
		{"shelf", "read, warm", 3e5}, {"again", "read, warm", 2e6},
		{"<blob>", "write, allocs", 0.134}, {"<blob>", "write, allocated", 3253}, {"<blob>", "write, GCs", 3}, {"<blob>", "write, GC pause", 0},
		{"shelf", "write, live heap", 5.6e6}, {"shelf", "write, GCs", 1.5}, {"shelf", "write, by calls", 1.08},
	} {
		m, _ := run.Metric(x.metric)
		run.Series = append(run.Series, labkit.Series{Arm: x.arm, N: 8000, Metric: x.metric, Work: 8000, Samples: slices.Repeat([]float64{seconds(m, x.p50)}, 5)})
		run.Summaries = append(run.Summaries, evidence.Summary{
			Arm: x.arm, N: 8000, Metric: x.metric, Unit: m.Unit,
			Summary: labkit.Summary{Count: 5, P50: x.p50, Min: x.p50, Max: 2 * x.p50, Lo: x.p50, Hi: 2 * x.p50, Level: 0.9375},
		})
	}
	return run
}

// seconds is the sample that gives a value.
func seconds(m labkit.Metric, value float64) float64 {
	if m.Rate() {
		return 8000 / value
	}
	return value
}

func TestCold(t *testing.T) {
	table := Cold(extraRun())
	head := []string{"arm", "read, cold\nrec/s", "read, warm\nrec/s", "gets, cold\ntime", "gets, warm\ntime",
		"read price\ntimes slower", "gets price\ntimes slower"}
	if diff := cmp.Diff(head, table.Head); diff != "" {
		t.Error(diff)
	}
	want := [][]string{
		{"<blob>\nsnapshot, ours", "1.00 M\n1.00 – 2.00 M", "2.00 M\n2.00 – 4.00 M", "3.00 ms\n3.00 – 6.00 ms", "2.00 ms\n2.00 – 4.00 ms", "2.00", "1.50"},
		{"shelf\n", none, "300 k\n300 – 600 k", none, none, none, none},
	}
	if diff := cmp.Diff(want, table.Rows); diff != "" {
		t.Error(diff)
	}
	notes := strings.Join(table.Notes, "\n")
	for _, want := range []string{"at least 50 % of what the store takes", "at the 93.75 % level", "– Not measured: read, cold of shelf: it came from the cache.", labkit.ReadCold.What} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %s", want, notes)
		}
	}
	if strings.Contains(notes, "of another size") {
		t.Error("a reason of another size")
	}
}

func TestResourcesTable(t *testing.T) {
	tables := Resources(extraRun())
	table := tables[0]
	if len(tables) != 1 { // of the others nothing was measured
		t.Fatalf("%d tables", len(tables))
	}
	head := []string{"arm", "peak memory\nbytes", "peak growth\nbytes", "live heap\nbytes", "allocs\na record", "allocated\na record", "GCs\nnumber", "GC pause\ntime"}
	if diff := cmp.Diff(head, table.Head); diff != "" {
		t.Error(diff)
	}
	want := [][]string{
		{"<blob>\nsnapshot, ours", none, none, none, "0.13\n0.13 – 0.27", "3.25 kB\n3.25 – 6.51 kB", "3\n3 – 6", "0 s"},
		{"shelf\n", none, none, "5.60 MB\n5.60 – 11.2 MB", none, none, "1.50\n1.50 – 3", none},
	}
	if diff := cmp.Diff(want, table.Rows); diff != "" {
		t.Error(diff)
	}
	if notes := strings.Join(table.Notes, "\n"); !strings.Contains(notes, "– Not measured: write, peak memory of <blob>; shelf: it is not told.") {
		t.Errorf("notes %s", notes)
	}
	if got := Amplification(extraRun()); !cmp.Equal(got.Head, []string{"arm", "write, by calls\ntimes", "write, to storage\ntimes", "space\ntimes"}) || got.Rows[1][1] != "1.08\n1.08 – 2.16" {
		t.Errorf("%+v", got)
	}
}

func TestExtraTablesWithoutEvidence(t *testing.T) {
	for _, run := range []*evidence.Run{nil, {}} {
		for _, table := range append(Resources(run), Cold(run), Amplification(run), Durability(run, labkit.Write)) {
			if len(table.Rows) > 0 || !strings.Contains(strings.Join(table.Notes, " "), "measured yet") {
				t.Errorf("%+v", table)
			}
		}
	}
	run := made(t, samplePlan(), sampleArms(), nil) // the rounds of Measure alone
	if table := Cold(run); len(table.Rows) > 0 || table.Notes[0] != "Not measured at n = 8,000." {
		t.Errorf("%+v", table)
	}
}

func TestDurabilityTable(t *testing.T) {
	run := extraRun()
	run.Series = append(run.Series, labkit.Series{Arm: "shelf", N: 8000, Metric: "write"})
	run.Summaries = append(run.Summaries, evidence.Summary{
		Arm: "shelf", N: 8000, Metric: "write", Unit: "records/s", Summary: labkit.Summary{Count: 5, P50: 5e5, Min: 4e5, Max: 6e5, Lo: 4e5, Hi: 6e5, Level: 0.9375},
	})
	price := evidence.Comparison{Role: labkit.Price, Label: "the price", A: "shelf", B: "<blob>", Metrics: []string{"write", "update open"}}
	run.Comparisons = []evidence.Comparison{price, {Role: evidence.Headline, A: "shelf", B: "again"}}
	run.Ratios = []evidence.Ratio{{Role: labkit.Price, Label: "the price", A: "shelf", B: "<blob>", N: 8000, Metric: "write",
		Summary: labkit.Summary{Count: 5, P50: 12.3, Lo: 11, Hi: 15, Level: 0.9375}}}
	if diff := cmp.Diff([][]string{{"shelf", "500 k\n400 – 600 k", none, "12.3\n11.0 – 15.0"}}, Durability(run, labkit.Write).Rows); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"shelf", none, none, none}}, Durability(run, labkit.UpdateOpen).Rows); diff != "" {
		t.Error(diff)
	}
	var titles []string
	for _, table := range Prices(run) {
		titles = append(titles, table.Title)
	}
	const title = "The price of surviving a power loss: "
	if diff := cmp.Diff([]string{title + "write at n = 8,000, p50 of 5 rounds", title + "update open at n = 8,000, p50 of 5 rounds"}, titles); diff != "" {
		t.Error(diff)
	}
}

// What holds for all tables of resources is said below the last.
func TestResourcesSayTheirNotesOnce(t *testing.T) {
	run := extraRun()
	for _, of := range labkit.ResourceOperations() {
		run.Series = append(run.Series, labkit.Series{Arm: "shelf", N: 8000, Metric: of.Name + ", peak memory"})
	}
	tables := Resources(run)
	last := len(tables) - 1
	if last != len(labkit.ResourceOperations())-1 || len(tables[0].Notes) != 1 || len(tables[1].Notes) > 0 || len(tables[last].Notes) != 3 {
		t.Errorf("%q", tables)
	}
}

// An arm that the machine could not measure has dashes, never zeros, and every
// table says why.
func TestAbsentArm(t *testing.T) {
	arms := sampleArms()
	for i, why := range map[int]string{3: "there is no <Python>", 4: "there is no <Python>", 5: "it never syncs"} {
		arms[i].Unmeasured = why
	}
	run := made(t, samplePlan(), arms, func(s labkit.Series) *labkit.Series {
		if at := slices.IndexFunc(arms, func(a labkit.Arm) bool { return a.Name == s.Arm }); arms[at].Unmeasured != "" {
			return nil
		}
		return &s
	})
	if !run.Complete || len(run.Missing()) > 0 {
		t.Errorf("the run is incomplete at n = %v", run.Missing())
	}
	lead := Lead(run, 8000)
	for _, why := range []string{none + " Not measured: blob, one core; plain shelf: there is no <Python>.", none + " Not measured: plain gob: it never syncs."} {
		if !slices.Contains(lead.Notes, why) {
			t.Errorf("the notes %q do not hold %q", lead.Notes, why)
		}
	}
	for i, arm := range arms {
		for _, cell := range lead.Rows[i][1:] {
			if (cell == none) != (arm.Unmeasured != "") && cell != none {
				t.Errorf("%s: %q", arm.Name, lead.Rows[i])
			}
		}
	}
	extra := extraRun()
	extra.Arms[1].Unmeasured = "it is not there"
	if notes := Cold(extra).Notes; !slices.Contains(notes, none+" Not measured: shelf: it is not there.") {
		t.Errorf("the notes of the cold reads: %q", notes)
	}
}
