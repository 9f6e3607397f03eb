package evidence_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// twoRuns are two runs of one arm's metric at one n, with the samples given.
func twoRuns(t *testing.T, m labkit.Metric, old, new []float64) (*evidence.Run, *evidence.Run) {
	t.Helper()
	of := func(samples []float64) *evidence.Run {
		run := made()
		run.Plan.Rounds = max(1, len(samples))
		run.Series = []labkit.Series{series("blob", 500, m, samples...)}
		text(t, run)
		return run
	}
	return of(old), of(new)
}

func TestCompare(t *testing.T) {
	same := []float64{1, 1.01, 1.02, 1.03, 1.04}
	for _, c := range []struct {
		name     string
		metric   labkit.Metric
		old, new []float64
		ratio, p float64 // -1: not looked at
		differs  bool
		worse    float64
		note     string
	}{
		{"times twice as long", labkit.Gets, []float64{1, 2, 3, 4, 5}, []float64{6, 7, 6, 8, 6}, 2, -1, true, 1, ""},
		{"times half as long", labkit.Gets, []float64{6, 7, 6, 8, 6}, []float64{1, 2, 3, 4, 5}, 0.5, -1, true, -0.5, ""},
		// The p50s are 500/2 and 500/4 records a second.
		{"a rate that is halved takes twice the time", labkit.Write, []float64{2, 2.1, 1.9, 2.2, 1.8}, []float64{4, 4.1, 3.9, 4.2, 3.8}, 0.5, 2.0 / 252, true, 1, ""},
		{"equal", labkit.Gets, same, same, 1, 1, false, 0, ""},
		{"interleaved", labkit.Gets, []float64{1, 3, 5, 7, 9}, []float64{2, 4, 6, 8, 10}, 1.2, -1, false, 0, ""},
		{"three rounds cannot tell", labkit.Gets, []float64{1, 2, 3}, []float64{7, 8, 9}, 4, 0.1, false, 0, "too few samples, 3 and 3: give both runs 4 rounds"},
		{"four can", labkit.Gets, []float64{1, 2, 3, 4}, []float64{6, 7, 8, 9}, 3, 2.0 / 70, true, 2, ""},
		{"three against nine can", labkit.Gets, []float64{1, 2, 3}, []float64{4, 5, 6, 7, 8, 9, 10, 11, 12}, 4, 2.0 / 220, true, 3, ""},
		{"one round", labkit.Gets, []float64{1}, []float64{9}, 9, 1, false, 0, "too few samples, 1 and 1"},
		{"sizes that never vary", labkit.Disk, []float64{4096, 4096, 4096, 4096, 4096}, []float64{8192, 8192, 8192, 8192, 8192}, 2, -1, true, 1, ""},
		{"sizes that are equal", labkit.Disk, []float64{4096, 4096, 4096, 4096, 4096}, []float64{4096, 4096, 4096, 4096, 4096}, 1, 1, false, 0, ""},
		{"from nothing", labkit.Disk, []float64{0, 0, 0, 0, 0}, []float64{4096, 4096, 4096, 4096, 4096}, 0, -1, true, math.Inf(1), "the old p50 is 0"},
		{"nothing to nothing", labkit.Disk, []float64{0, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 0}, 0, 1, false, 0, "the old p50 is 0"},
	} {
		old, new := twoRuns(t, c.metric, c.old, c.new)
		got, err := evidence.Compare(old, new)
		if err != nil || len(got.List) != 1 {
			t.Errorf("%s: %+v, %v", c.name, got, err)
			continue
		}
		x := got.List[0]
		if math.Abs(x.Ratio-c.ratio) > 1e-9 || c.p >= 0 && math.Abs(x.P-c.p) > 1e-9 || x.Differs != c.differs ||
			x.Worse() != c.worse && math.Abs(x.Worse()-c.worse) > 1e-9 || !strings.HasPrefix(x.Note, c.note) || c.note == "" && x.Note != "" {
			t.Errorf("%s: ratio %v, p %v, differs %t, worse %v, note %q", c.name, x.Ratio, x.P, x.Differs, x.Worse(), x.Note)
		}
		if !slices.Equal(old.Series[0].Samples, c.old) || !slices.Equal(new.Series[0].Samples, c.new) {
			t.Errorf("%s: the samples were changed", c.name)
		}
	}
}

// Nothing is averaged, and nothing that is unlike is set side by side: it is
// listed.
func TestCompareUnlike(t *testing.T) {
	old, new := made(), made()
	new.Arms[0].Name = "a new arm"
	for i := range new.Series {
		if new.Series[i].Arm == "blob" {
			new.Series[i].Arm = "a new arm"
		}
	}
	new.Comparisons, new.Plan.Keys, new.Environment.Go, new.Arms[1].Durability = nil, 100, "go1.27", labkit.PowerLoss
	for i, s := range new.Series {
		if s.Unit == "s" && s.Work == 200 {
			new.Series[i].Work = 100
		}
	}
	text(t, old)
	text(t, new)
	got, err := evidence.Compare(old, new)
	if err != nil {
		t.Fatal(err)
	}
	sizes, metrics := 2, len(labkit.Metrics())
	const gets = 2 // metrics of gets, whose work differs
	if len(got.List) != sizes*(metrics-gets) || len(got.OnlyOld) != sizes*metrics || len(got.OnlyNew) != sizes*metrics || len(got.Unlike) != sizes*gets {
		t.Errorf("%d compared, %d only old, %d only new, %d unlike", len(got.List), len(got.OnlyOld), len(got.OnlyNew), len(got.Unlike))
	}
	if got.OnlyOld[0] != "blob, n = 500, write" || got.OnlyNew[0] != "a new arm, n = 500, write" {
		t.Errorf("only old %q, only new %q", got.OnlyOld, got.OnlyNew)
	}
	if want := "shelf, bulk, n = 500, gets: a sample does work of 200 there, of 100 here"; got.Unlike[0] != want {
		t.Errorf("unlike %q, want %q", got.Unlike[0], want)
	}
	for _, x := range got.List {
		if x.Arm != "shelf, bulk" || x.Note != "durability was process-crash and is power-loss" {
			t.Errorf("%s: note %q", x.Arm, x.Note)
		}
	}
	for _, want := range []string{"The plans differ in keys (200 and 100).", "The environments differ in Go version."} {
		if !slices.ContainsFunc(got.Warnings, func(w evidence.Warning) bool { return w.Text == want }) {
			t.Errorf("no warning %q in %+v", want, got.Warnings)
		}
	}
	for i := range new.Metrics {
		new.Metrics[i].Unit = "furlongs"
	}
	if _, err = evidence.Compare(old, new); !errors.Is(err, evidence.ErrUnlike) {
		t.Errorf("other units: %v, want ErrUnlike", err)
	}
}

func TestCompareNothingInCommon(t *testing.T) {
	old, new := twoRuns(t, labkit.Write, []float64{1, 2, 3, 4, 5}, []float64{1, 2, 3, 4, 5})
	new.Series[0].N = 2000
	empty := made()
	empty.Series = nil
	text(t, empty)
	for name, c := range map[string]struct {
		old, new *evidence.Run
		says     string
	}{
		"other sizes": {old, new, `the old run has write of the arms ["blob"] at n = 500; the new one has write of the arms ["blob"] at n = 2,000`},
		"empty old":   {empty, new, "the old run has no samples"},
		"empty new":   {old, empty, "the new one has no samples"},
	} {
		if _, err := evidence.Compare(c.old, c.new); !errors.Is(err, evidence.ErrUnlike) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want ErrUnlike with %q", name, err, c.says)
		}
	}
}

// Between equals a difference is seen in at most one comparison of twenty.
func TestCompareFalseAlarms(t *testing.T) {
	alarms, pairs := 0, 0
	for i := range 400 {
		old, new := twoRuns(t, labkit.Gets, noise(2*i), noise(2*i+1))
		got, err := evidence.Compare(old, new)
		if err != nil {
			t.Fatal(err)
		}
		pairs++
		if got.List[0].Differs {
			alarms++
		}
	}
	t.Logf("%d alarms in %d comparisons of equals", alarms, pairs)
	if most := 0.05*float64(pairs) + 4*math.Sqrt(0.05*0.95*float64(pairs)); float64(alarms) > most {
		t.Errorf("%d alarms in %d comparisons of equals, want at most %.0f", alarms, pairs, most)
	}
}

// noise is ten samples of one distribution, the same for equal seeds.
func noise(seed int) []float64 {
	x := uint64(seed)*2862933555777941757 + 3037000493
	out := make([]float64, 10)
	for i := range out {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		out[i] = 1 + float64(x%1e6)/1e6
	}
	return out
}

// The same n of other things is not the same size, and a notebook's own
// parameters are parts of its plan.
func TestCompareOfOtherThings(t *testing.T) {
	old, new := twoRuns(t, labkit.Write, []float64{1, 2, 3, 4, 5}, []float64{1, 2, 3, 4, 5})
	old.Plan.Own, new.Plan.Own = map[string]string{"length": "8", "same": "1"}, map[string]string{"same": "1", "unlike": "true"}
	got, err := evidence.Compare(old, new)
	want := "The plans differ in length (8 and none), unlike (none and true)."
	if err != nil || !slices.ContainsFunc(got.Warnings, func(w evidence.Warning) bool { return w.Text == want }) {
		t.Errorf("%v, no warning %q in %+v", err, want, got.Warnings)
	}
	new.Plan = new.Plan.With("length", "8").With("same", "1") // whoever sets them
	if got, want := evidence.Compare(old, new); want != nil || slices.ContainsFunc(got.Warnings, func(w evidence.Warning) bool { return strings.Contains(w.Text, "length") }) {
		t.Errorf("equal values differ: %v, %+v", want, got.Warnings)
	}
	new.Plan.Counts = "items"
	if _, err := evidence.Compare(old, new); !errors.Is(err, evidence.ErrUnlike) || !strings.Contains(err.Error(), "n counts records there, items here") {
		t.Errorf("%v, want ErrUnlike that says what n counts", err)
	}
}
