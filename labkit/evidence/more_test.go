package evidence_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// measuredArms are arms that do so little that every metric can be told: one
// reads its file, the other reads nothing, so its reads cannot be cold.
func measuredArms() []labkit.Arm {
	list := arms()
	for i := range list {
		reads := i == 0
		list[i].Measure = func(_ context.Context, r *labkit.Round) error {
			r.Payload = 1000
			write := func() error { return os.WriteFile(r.Path, make([]byte, 4000), 0o600) }
			err := errors.Join(r.Time(labkit.Write, r.N, write), r.Size(labkit.Disk, 4096))
			for _, m := range []labkit.Metric{labkit.Read, labkit.Gets} {
				work := map[string]int{"read": r.N, "gets": plan().Keys}[m.Name]
				err = errors.Join(err, r.Time(m, work, func() error {
					if !reads {
						return nil
					}
					_, err := os.ReadFile(r.Path)
					return err
				}))
			}
			return err
		}
	}
	return list
}

// A whole run, with all that belongs to it: the evidence agrees with itself, and
// what could not be measured has a reason instead of a number.
func TestMeasureMore(t *testing.T) {
	dir := t.TempDir()
	for _, n := range plan().N {
		if _, err := evidence.Measure(t.Context(), dir, plan(), n, measuredArms(), nil, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	var steps []labkit.Progress
	run, err := evidence.MeasureMore(t.Context(), dir, plan(), measuredArms(), nil, nil, func(p labkit.Progress) { steps = append(steps, p) })
	if err != nil || !run.Complete {
		t.Fatal(err)
	}
	kept, err := evidence.Load(dir, plan())
	if diff := cmp.Diff(run, kept, asWritten); err != nil || diff != "" {
		t.Errorf("%v: what is on disk is not what was returned:\n%s", err, diff)
	}
	if err := evidence.WriteManifest(dir); err != nil {
		t.Fatal(err)
	}
	if err := evidence.Verify(dir); err != nil {
		t.Error(err)
	}
	if len(steps) != 20 || steps[19].Done != 19 || steps[19].Total != 20 { // two arms, five rounds, two groups
		t.Errorf("progress %+v", steps)
	}
	for _, arm := range run.Arms {
		for _, m := range run.Metrics {
			if _, x, _ := labkit.OfResource(m.Name); x == labkit.OwnMemory {
				continue // under a limit alone
			}
			if operation, _, _ := strings.Cut(m.Name, ","); slices.ContainsFunc(labkit.WholeMetrics(), func(w labkit.Metric) bool { return w.Name == operation }) {
				continue // these arms neither dump nor load
			}
			if m.Group == labkit.Trials {
				continue // they take no trials
			}
			s, there := run.Summary(arm.Name, 2000, m.Name)
			reason := slices.ContainsFunc(run.Unmeasured, func(u labkit.Unmeasured) bool {
				return u.Arm == arm.Name && u.N == 2000 && u.Metric == m.Name
			})
			if m.Group != labkit.Main && there == reason {
				t.Errorf("%s, %s: there %v, a reason why not %v", arm.Name, m.Name, there, reason)
			}
			if _, at500 := run.Summary(arm.Name, 500, m.Name); at500 && m.Group != labkit.Main {
				t.Errorf("%s, %s at n = 500", arm.Name, m.Name)
			}
			if m.Group == labkit.Cold && arm.Name != "blob" && there {
				t.Errorf("%s reads nothing, and %s is %v", arm.Name, m.Name, s)
			}
		}
		if s, _ := run.Summary(arm.Name, 2000, labkit.Space.Name); s.P50 != 4.096 || s.Unit != "B/B" {
			t.Errorf("%s takes %v %s", arm.Name, s.P50, s.Unit)
		}
	}
	bench := string(read(t, filepath.Join(dir, evidence.BenchName)))
	for _, want := range []string{"BenchmarkSpace/arm=blob/n=2000 1 4.096 B/B\n", "BenchmarkReadAllocs/arm=blob/n=2000 1 "} {
		if !strings.Contains(bench, want) {
			t.Errorf("no %q", want)
		}
	}
	// The sweep at that n begins anew.
	run = keep(t, dir, plan(), 500, nil)
	if len(run.Unmeasured) == 0 {
		t.Error("another n took what was unmeasured with it")
	}
}

func TestMainRoundsReplaceAllGroups(t *testing.T) {
	dir := t.TempDir()
	rec := record(t, dir, plan(), arms())
	cold := series("blob", 500, labkit.ReadCold, times(0.001)...)
	without := []labkit.Unmeasured{{Arm: "blob", N: 500, Metric: labkit.GetsCold.Name, Why: "it is not told"}}
	if err := errors.Join(rec.Keep(500, sample(500)), rec.KeepGroup(500, labkit.Cold, []labkit.Series{cold}, without)); err != nil {
		t.Fatal(err)
	}
	if run := rec.Run(); len(run.Series) != len(sample(500))+1 || !cmp.Equal(run.Unmeasured, without) {
		t.Errorf("%d series, unmeasured %v", len(run.Series), run.Unmeasured)
	}
	if err := rec.Keep(500, sample(500)); err != nil {
		t.Fatal(err)
	}
	if run := rec.Run(); len(run.Series) != len(sample(500)) || len(run.Unmeasured) > 0 {
		t.Errorf("%d series, unmeasured %v", len(run.Series), run.Unmeasured)
	}
}

func TestUnmeasuredIsChecked(t *testing.T) {
	whole := labkit.Unmeasured{Arm: "blob", N: 500, Metric: labkit.GetsCold.Name, Why: "it is not told"}
	for name, change := range map[string]func(u *labkit.Unmeasured){
		"no such arm":    func(u *labkit.Unmeasured) { u.Arm = "?" },
		"no such metric": func(u *labkit.Unmeasured) { u.Metric = "?" },
		"no such size":   func(u *labkit.Unmeasured) { u.N = 7 },
		"it has one":     func(u *labkit.Unmeasured) { u.Metric = labkit.Write.Name },
		"no reason":      func(u *labkit.Unmeasured) { u.Why = "" },
	} {
		run := made()
		run.Metrics = labkit.AllMetrics()
		u := whole
		change(&u)
		run.Unmeasured = []labkit.Unmeasured{u}
		text, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := evidence.Parse(text); !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), "unmeasured[0]") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two classes in one run are its purpose, and not a fault of it.
func TestPricesAreNoUnequalRatios(t *testing.T) {
	// Evidence from before schema 4 says once more what is priced.
	for schema, says := range map[int]string{4: "", 3: " But shelf, bulk survives a power loss, blob only a process crash."} {
		run := made()
		run.Schema = schema
		run.Arms[1].Durability = labkit.PowerLoss
		price := headline(labkit.Write.Name)
		price.Role, price.Label = labkit.Price, "the price"
		run.Comparisons = []evidence.Comparison{price}
		parsed, err := evidence.Parse(text(t, run))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range parsed.Warnings {
			if strings.Contains(w.Text, "do not compare the same work") {
				t.Errorf("warning %s", w.Text)
			}
		}
		want := "The price, n = 2,000, blob against shelf, bulk: write: blob is 2.00 times as fast (2.00 to 2.00). Intervals at 93.75 %." + says
		if len(parsed.Verdict) != 1 || parsed.Verdict[0] != want {
			t.Errorf("schema %d: verdict %q, want %q", schema, parsed.Verdict, want)
		}
	}
}

func TestDurabilityPlan(t *testing.T) {
	p := plan()
	p.Name = strings.Repeat("n", 200)
	for _, from := range []labkit.Plan{plan(), p} {
		got := evidence.DurabilityPlan(from)
		if err := got.Validate(); err != nil || !slices.Equal(got.N, from.N[:1]) || !strings.HasSuffix(got.Name, "_durability") || got.Fingerprint() == from.Fingerprint() {
			t.Errorf("%s: %v", got, err)
		}
	}
}

// An arm that could not be measured is listed with its reason and has no samples;
// a run is complete without it, but not without any.
func TestUnmeasuredArm(t *testing.T) {
	dir := t.TempDir()
	list := arms()
	list[1].Unmeasured = "there is none here"
	list[1].Measure = nil
	clock := []labkit.Series{series("blob", 500, labkit.Write, times(1)...), series("blob", 2000, labkit.Write, times(1)...)}
	rec := record(t, dir, plan(), list)
	if err := errors.Join(rec.Keep(500, clock[:1]), rec.Keep(2000, clock[1:])); err != nil {
		t.Fatal(err)
	}
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	if err != nil || !run.Complete || run.Arms[1].Unmeasured != "there is none here" {
		t.Errorf("%v, complete %t, arms %+v", err, run.Complete, run.Arms)
	}
	run.Series[0].Arm = list[1].Name
	text, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := evidence.Parse(text); !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), "said to be unmeasured") {
		t.Errorf("a series of an arm that is unmeasured: %v", err)
	}
	run.Arms[0].Unmeasured, run.Series = "nor there", nil
	if missing := run.Missing(); !slices.Equal(missing, plan().N) {
		t.Errorf("a run of nothing misses %v", missing)
	}
}
