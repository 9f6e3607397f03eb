package evidence_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// asWritten compares runs as their file holds them: functions are not kept.
var asWritten = cmp.Options{cmpopts.IgnoreFields(labkit.Arm{}, "Measure"), cmpopts.EquateEmpty()}

func TestRecordKeepLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data", "01_test")
	rec := record(t, dir, plan(), arms(), headline("write", "disk"))
	if err := rec.Keep(500, sample(500)); err != nil {
		t.Fatal(err)
	}
	half, err := evidence.Load(dir, plan())
	if err != nil {
		t.Fatal(err)
	}
	if half.Complete || !slices.Equal(half.Missing(), []int{2000}) || half.Largest() != 500 || len(half.Warnings) == 0 ||
		half.Warnings[0].Text != "The run is incomplete: n = 2,000 is not measured to the last round." {
		t.Errorf("after one of two sizes: complete %v, missing %v, warnings %v", half.Complete, half.Missing(), half.Warnings)
	}
	if err := rec.Keep(2000, sample(2000)); err != nil {
		t.Fatal(err)
	}
	run, err := evidence.Load(dir, plan())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rec.Run(), run, asWritten); diff != "" {
		t.Errorf("what was loaded is not what was kept (-kept +loaded):\n%s", diff)
	}
	if !run.Complete || len(run.Missing()) != 0 || !slices.Equal(run.Measured(), []int{500, 2000}) || run.Largest() != 2000 {
		t.Errorf("complete %v, missing %v, measured %v", run.Complete, run.Missing(), run.Measured())
	}
	if diff := cmp.Diff(append(sample(500), sample(2000)...), run.Series); diff != "" {
		t.Errorf("series (-want +got):\n%s", diff)
	}
	s, ok := run.Summary("blob", 500, "write")
	if !ok || s.Unit != "records/s" || s.Count != 5 || math.Abs(s.P50-1e6) > 1e-3 { // 500 records in 0.5 ms
		t.Errorf("blob writes %+v, want about 1 M records/s", s)
	}
	if _, ok := run.Summary("blob", 8000, "write"); ok {
		t.Error("there is a summary of a size that was not measured")
	}
	if err := evidence.Verify(filepath.Join(dir, evidence.SummaryName)); err != nil {
		t.Error(err)
	}
	if e := run.Environment; e.DiskFree < 1 || e.DiskSize < e.DiskFree || e.LoadAfter < 0 {
		t.Errorf("the state of the machine was not kept: %+v", e)
	}
	for _, e := range []string{evidence.SummaryName, evidence.BenchName} {
		if info, err := os.Stat(filepath.Join(dir, e)); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, %v", e, info.Mode(), err)
		}
	}
	if len(half.Series) != len(sample(500)) {
		t.Error("the run that was loaded first has changed")
	}
}

func TestEqualPlanGoesOn(t *testing.T) {
	dir := t.TempDir()
	first := keep(t, dir, plan(), 500, sample(500))
	second := keep(t, dir, plan(), 2000, sample(2000))
	if !second.Complete || !slices.Equal(second.Measured(), []int{500, 2000}) || !second.Started.Equal(first.Started) {
		t.Errorf("complete %v, measured %v, started %v, want both sizes since %v", second.Complete, second.Measured(), second.Started, first.Started)
	}
	if first.Complete {
		t.Error("the first run changed with the second")
	}
	again := sample(500)
	for i := range again {
		again[i].Samples = again[i].Samples[:3]
	}
	third := keep(t, dir, plan(), 500, again)
	if s, _ := third.Summary("blob", 500, "write"); s.Count != 3 || third.Complete {
		t.Errorf("measured again: %d samples, complete %v, want 3 and incomplete", s.Count, third.Complete)
	}
	if s, _ := third.Summary("blob", 2000, "write"); s.Count != 5 {
		t.Errorf("the other size has %d samples, want 5", s.Count)
	}
	if names := asides(t, dir); len(names) > 0 {
		t.Errorf("%q were set aside", names)
	}
}

// A figure that was edited by hand is not shown.
func TestLoadComputesAnew(t *testing.T) {
	dir := t.TempDir()
	want := keep(t, dir, plan(), 500, sample(500))
	path := filepath.Join(dir, evidence.SummaryName)
	edited := regexp.MustCompile(`"(p50|lo|hi|level|fingerprint|digest)": [^,}\n]+`).ReplaceAllStringFunc(string(read(t, path)), func(s string) string {
		name, value, _ := strings.Cut(s, ": ")
		if strings.HasPrefix(value, `"`) {
			return name + `: "none"`
		}
		return name + ": 1e300"
	})
	if !strings.Contains(edited, "1e300") || !strings.Contains(edited, `"digest": "none"`) {
		t.Fatal("nothing was edited")
	}
	write(t, path, []byte(edited))
	got, err := evidence.Load(dir, plan())
	if diff := cmp.Diff(want, got, asWritten); err != nil || diff != "" {
		t.Errorf("%v (-kept +loaded):\n%s", err, diff)
	}
}

func TestOtherEvidenceIsSetAside(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *labkit.Plan, a []labkit.Arm)
	}{
		{"plan", func(p *labkit.Plan, _ []labkit.Arm) { p.Seed = 2 }},
		{"how an arm keeps records", func(_ *labkit.Plan, a []labkit.Arm) { a[0].What = "another file" }},
		{"pair of an arm", func(_ *labkit.Plan, a []labkit.Arm) { a[0].Pair = "plain" }},
		{"durability", func(_ *labkit.Plan, a []labkit.Arm) { a[0].Durability = labkit.PowerLoss }},
	} {
		dir := t.TempDir()
		old := keep(t, dir, plan(), 500, sample(500))
		before := read(t, filepath.Join(dir, evidence.SummaryName))
		p, a := plan(), arms()
		c.change(&p, a)
		rec := record(t, dir, p, a)
		if len(rec.Run().Series) != 0 || rec.Run().Complete {
			t.Errorf("another %s: the run begins with %v", c.name, rec.Run().Series)
		}
		name := "summary-" + old.Fingerprint + ".json"
		if got := asides(t, dir); !slices.Equal(got, []string{name}) {
			t.Fatalf("another %s: %q were set aside, want %s", c.name, got, name)
		}
		if aside := read(t, filepath.Join(dir, name)); string(aside) != string(before) {
			t.Errorf("another %s: what was set aside is not what was there", c.name)
		}
		if _, err := evidence.Load(dir, plan()); !errors.Is(err, evidence.ErrNone) {
			t.Errorf("another %s: Load gives %v before anything is kept, want ErrNone", c.name, err)
		}
	}
}

// What stands in somebody else's file is no path to write to.
func TestSettingAsideStaysInTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "run")
	bent := strings.Replace(string(text(t, made())), `"fingerprint": "`, `"fingerprint": "/../../`, 1)
	write(t, filepath.Join(dir, evidence.SummaryName), []byte(bent))
	other := plan()
	other.Seed = 2
	keep(t, dir, other, 500, sample(500))
	if got := asides(t, dir); !slices.Equal(got, []string{"summary-" + plan().Fingerprint() + ".json"}) {
		t.Errorf("%q were set aside", got)
	}
}

func TestSettingAsideLosesNothing(t *testing.T) {
	dir := t.TempDir()
	p := plan()
	for i := range 4 { // back and forth between two plans
		p.Seed = uint64(i % 2)
		keep(t, dir, p, 500, sample(500))
	}
	if got := asides(t, dir); len(got) != 3 {
		t.Errorf("after four runs of two plans in turn %q are set aside, want three", got)
	}
}

func TestUnreadableEvidenceIsSetAside(t *testing.T) {
	good := string(text(t, made()))
	for name, content := range map[string]string{
		"foreign":     `{"name": "something else"}`,
		"torn":        good[:len(good)/2],
		"empty":       "",
		"newer":       strings.Replace(good, fmt.Sprintf(`"schema": %d`, evidence.Schema), `"schema": 99`, 1),
		"other arm":   strings.Replace(good, `"arm": "blob"`, `"arm": "blub"`, 1),
		"binary":      "\x00\xff\xfe",
		"not ours":    "[]",
		"deeply bent": strings.Repeat("[", 100_000),
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, evidence.SummaryName), []byte(content))
		run := keep(t, dir, plan(), 500, sample(500))
		if len(run.Series) != len(sample(500)) {
			t.Errorf("%s: %d series", name, len(run.Series))
		}
		if got := asides(t, dir); !slices.Equal(got, []string{"summary-unreadable.json"}) || string(read(t, filepath.Join(dir, got[0]))) != content {
			t.Errorf("%s: %q were set aside", name, got)
		}
	}
}

func asides(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "summary-*"))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range paths {
		paths[i] = filepath.Base(p)
	}
	return paths
}

func TestRecordIsBusy(t *testing.T) {
	dir := t.TempDir()
	first := record(t, dir, plan(), arms())
	if _, err := evidence.Record(dir, plan(), arms(), nil); !errors.Is(err, evidence.ErrBusy) || !strings.Contains(err.Error(), "wait until it ends, or give another --out") {
		t.Errorf("a second recorder: %v, want ErrBusy with a remedy", err)
	}
	if _, said := child(t, dir); !strings.Contains(said, evidence.ErrBusy.Error()) {
		t.Errorf("another process says %q, want ErrBusy", said)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := first.Keep(500, sample(500)); err == nil {
		t.Error("a closed recorder keeps without its lock")
	}
	other, said := child(t, dir)
	if said != "recording" {
		t.Fatalf("the other process says %q, want that it records", said)
	}
	if _, err := evidence.Record(dir, plan(), arms(), nil); !errors.Is(err, evidence.ErrBusy) {
		t.Errorf("while another process records: %v, want ErrBusy", err)
	}
	if err := other.Process.Kill(); err != nil { // it cannot tidy up
		t.Fatal(err)
	}
	other.Wait()
	last, err := evidence.Record(dir, plan(), arms(), nil)
	if err != nil {
		t.Fatalf("after the other process was killed: %v", err)
	}
	last.Close()
}

func TestLoadSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	if _, err := evidence.Load(dir, plan()); !errors.Is(err, evidence.ErrNone) || !strings.Contains(err.Error(), "run the sweep first") || !strings.Contains(err.Error(), plan().String()) {
		t.Errorf("nothing measured: %v", err)
	}
	keep(t, dir, plan(), 500, sample(500))
	other := plan()
	other.Rounds = 7
	_, err := evidence.Load(dir, other)
	if !errors.Is(err, evidence.ErrOtherPlan) {
		t.Fatalf("another plan: %v, want ErrOtherPlan", err)
	}
	for _, want := range []string{plan().String(), other.String(), "Run the sweep again, or set the parameters back"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("another plan: the error does not say %q:\n%v", want, err)
		}
	}
}

// Charts of another plan do not stay beside the samples of this one.
func TestNewPlanClearsCharts(t *testing.T) {
	dir := t.TempDir()
	chart := filepath.Join(dir, evidence.ChartsName, "disk.svg")
	for _, c := range []struct {
		rounds int
		stays  bool
	}{{5, false}, {5, true}, {6, false}} {
		if err := os.MkdirAll(filepath.Dir(chart), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(chart, []byte("<svg/>"), 0o644); err != nil {
			t.Fatal(err)
		}
		plan := made().Plan
		plan.Rounds = c.rounds
		rec, err := evidence.Record(dir, plan, made().Arms, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := rec.Keep(plan.N[0], nil); err != nil {
			t.Fatal(err)
		}
		rec.Close()
		if _, err := os.Stat(chart); (err == nil) != c.stays {
			t.Errorf("with %d rounds: the chart stays: %t, want %t", c.rounds, err == nil, c.stays)
		}
	}
}

// A run that is measured anew from its first size to its last began when that did,
// not when what it has replaced did.
func TestStartedIsThatOfWhatIsLeft(t *testing.T) {
	dir := t.TempDir()
	run := made()
	long := time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	run.Environment, run.Metrics = evidence.Look(dir), labkit.AllMetrics()
	run.Started, run.Updated = long, long.Add(time.Minute)
	run.Series = append(sample(500), sample(2000)...)
	write(t, filepath.Join(dir, evidence.SummaryName), text(t, run))
	before := time.Now().UTC().Truncate(time.Second)
	if got := keep(t, dir, plan(), 500, sample(500)); !got.Started.Equal(long) || len(got.Begun) != 1 || got.Begun[0].N != 500 || got.Begun[0].At.Before(before) {
		t.Errorf("with a size of an hour ago: started %s, begun %v", got.Started, got.Begun)
	}
	if got := keep(t, dir, plan(), 2000, sample(2000)); got.Started.Before(before) || len(got.Begun) != 2 {
		t.Errorf("measured anew: started %s, begun %v", got.Started, got.Begun)
	}
	if err := evidence.Verify(filepath.Join(dir, evidence.SummaryName)); err != nil {
		t.Error(err)
	}
}

func TestBegunIsChecked(t *testing.T) {
	at := made().Started
	for name, begun := range map[string][]evidence.Begun{
		"of no size":       {{N: 501, At: at}},
		"twice":            {{N: 500, At: at}, {N: 500, At: at}},
		"before the run":   {{N: 500, At: at.Add(-time.Second)}},
		"after its sample": {{N: 500, At: at.Add(time.Hour)}},
	} {
		run := made()
		run.Begun = begun
		if _, err := run.Compute(); !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), "begun[") {
			t.Errorf("%s: %v, want ErrFormat", name, err)
		}
	}
}
