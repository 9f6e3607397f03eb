package evidence_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

var (
	growthOf  = labkit.PeakGrowth.Of(labkit.Load)
	pauseOf   = labkit.GCPause.Of(labkit.Load)
	collected = labkit.GCs.Of(labkit.Load)
	allocsOf  = labkit.Allocs.Of(labkit.Load)
	bytesOf   = labkit.Allocated.Of(labkit.Load)
)

// keptWhole is a run of two arms that keep a whole value, with the samples of every
// arm, metric and size as of says; nil leaves a series out.
func keptWhole(ns []int, comparisons []evidence.Comparison, of func(arm string, m labkit.Metric, n int) []float64) *evidence.Run {
	run := made()
	run.Plan.N, run.Plan.Counts = ns, "dictionaries"
	run.Arms = []labkit.Arm{{Name: "plain gob", Kind: "snapshot"}, {Name: "blob", Kind: "snapshot"}}
	run.Metrics, run.Comparisons, run.Series = labkit.AllMetrics(), comparisons, nil
	for _, n := range ns {
		for _, arm := range run.Arms {
			for _, m := range []labkit.Metric{labkit.Dump, labkit.Load, labkit.Disk, growthOf, allocsOf, bytesOf, collected, pauseOf} {
				s := labkit.Series{Arm: arm.Name, N: n, Metric: m.Name, Unit: m.RawUnit(), Samples: of(arm.Name, m, n)}
				if m.Amount() || m.RawUnit() == "s" && m.Group == labkit.Main {
					s.Work = n
				}
				if s.Samples != nil {
					run.Series = append(run.Series, s)
				}
			}
		}
	}
	return run
}

func five(x float64) []float64 { return slices.Repeat([]float64{x}, 5) }

// factors is of for plain gob at twice, thrice... what the blob takes.
func factors(times map[string]float64) func(string, labkit.Metric, int) []float64 {
	return func(arm string, m labkit.Metric, n int) []float64 {
		if arm == "blob" {
			return five(8)
		}
		if x, ok := times[m.Name]; ok {
			return five(8 * x)
		}
		return five(16)
	}
}

// Every resource has its own words, whichever arm is named first.
func TestVerdictWordsResources(t *testing.T) {
	const head = "Ours, n = 10 dictionaries, plain gob against blob: "
	for _, c := range []struct {
		metric     labkit.Metric
		times      float64
		want, part string
	}{
		{labkit.Load, 2.1, "load: blob is 2.10 times as fast (2.10 to 2.10)", "in load, n = 10 dictionaries: the store: blob is 2.10 times as fast as plain gob (2.10 to 2.10)"},
		{labkit.Disk, 2.1, "disk: plain gob takes 2.10 times the space (2.10 to 2.10)", "plain gob takes 2.10 times the space of blob (2.10 to 2.10)"},
		{growthOf, 2.1, "memory added at the peak of load: plain gob takes 2.10 times the memory (2.10 to 2.10)", "plain gob takes 2.10 times the memory of blob (2.10 to 2.10)"},
		{growthOf, 0.5, "memory added at the peak of load: blob takes 2.00 times the memory (2.00 to 2.00)", "blob takes 2.00 times the memory of plain gob (2.00 to 2.00)"},
		{growthOf, 1.001, "memory added at the peak of load: plain gob takes less than 1 % more memory (1.00 to 1.00)", "plain gob takes less than 1 % more memory than blob (1.00 to 1.00)"},
		{growthOf, 1, "memory added at the peak of load: both take the same memory, in every round", "plain gob and blob take the same memory, in every round"},
		{allocsOf, 1, "number of allocations of load: both allocate equally many objects, in every round", "plain gob and blob allocate equally many objects, in every round"},
		{pauseOf, 1, "pause for garbage during load: both pause equally long, in every round", "plain gob and blob pause equally long, in every round"},
		{allocsOf, 3, "number of allocations of load: plain gob allocates 3.00 times as many objects (3.00 to 3.00)", "plain gob allocates 3.00 times as many objects as blob (3.00 to 3.00)"},
		{bytesOf, 3, "heap allocated by load: plain gob allocates 3.00 times the bytes (3.00 to 3.00)", "plain gob allocates 3.00 times the bytes of blob (3.00 to 3.00)"},
		{collected, 2, "number of collections during load: plain gob makes 2.00 times as many collections (2.00 to 2.00)", "plain gob makes 2.00 times as many collections as blob (2.00 to 2.00)"},
		{pauseOf, 2, "pause for garbage during load: plain gob pauses 2.00 times as long (2.00 to 2.00)", "plain gob pauses 2.00 times as long as blob (2.00 to 2.00)"},
		{pauseOf, 0, "pause for garbage during load: no ratio, since plain gob takes none in 5 of 5 rounds (p50s: plain gob 0 s, blob 8.00 s)", "no ratio, since plain gob takes none in 5 of 5 rounds (p50s: plain gob 0 s, blob 8.00 s)"},
	} {
		comparison := evidence.Comparison{Role: evidence.Headline, Label: "ours", A: "plain gob", B: "blob", Metrics: []string{c.metric.Name}}
		part := comparison
		part.Role, part.Label = evidence.Part, "the store"
		run := keptWhole([]int{10}, []evidence.Comparison{comparison, part}, factors(map[string]float64{c.metric.Name: c.times}))
		if c.metric == labkit.Disk && c.times == 0 {
			continue
		}
		text(t, run)
		level := " Intervals at 93.75 %."
		if c.times == 0 || c.times == 1 { // no interval is told
			level = ""
		}
		if len(run.Verdict) != 2 || run.Verdict[0] != head+c.want+"."+level || !strings.HasSuffix(run.Verdict[1], c.part+"."+level) {
			t.Errorf("%s × %v:\n got %q\nwant %q\n and %q", c.metric.Name, c.times, run.Verdict, head+c.want+"."+level, c.part+"."+level)
		}
	}
}

// A zero in one round of one arm is said, with what the p50s are.
func TestVerdictSaysWhyThereIsNoRatio(t *testing.T) {
	comparison := evidence.Comparison{Role: evidence.Headline, Label: "ours", A: "plain gob", B: "blob", Metrics: []string{collected.Name, growthOf.Name}}
	run := keptWhole([]int{10}, []evidence.Comparison{comparison}, func(arm string, m labkit.Metric, n int) []float64 {
		switch {
		case m == collected && arm == "blob":
			return []float64{0, 1, 0, 2, 1}
		case m == growthOf && arm == "plain gob":
			return nil // was not measured
		}
		return five(4)
	})
	text(t, run)
	want := []string{"Ours, n = 10 dictionaries, plain gob against blob: number of collections during load: no ratio, since blob takes none in 2 of 5 rounds (p50s: plain gob 4.00 GCs, blob 1.00 GCs)."}
	if diff := cmp.Diff(want, run.Verdict); diff != "" || len(run.Ratios) != 0 {
		t.Errorf("%d ratios (-want +got):\n%s", len(run.Ratios), diff)
	}
	if why := run.NoRatio(comparison, 10, growthOf.Name); why != "" {
		t.Errorf("what was not measured: %q", why)
	}
}

func TestVerdictSetsOneMetricAgainstAnother(t *testing.T) {
	against := func(a, b, metric, other string) evidence.Comparison {
		return evidence.Comparison{Role: evidence.Headline, A: a, B: b, Metrics: []string{metric}, Against: other}
	}
	for _, c := range []struct {
		comparison evidence.Comparison
		samples    []float64 // of plain gob's load, and its growth
		want       string
	}{
		{against("plain gob", "plain gob", "load", "dump"), five(21), "plain gob, n = 10 dictionaries: load takes 2.10 times as long as dump (2.10 to 2.10). Intervals at 93.75 %."},
		{against("plain gob", "plain gob", "load", "dump"), five(5), "plain gob, n = 10 dictionaries: load takes 0.50 times as long as dump (0.50 to 0.50). Intervals at 93.75 %."},
		{against("plain gob", "plain gob", "load", "dump"), []float64{9, 10, 10, 10, 11}, "plain gob, n = 10 dictionaries: load takes as long as dump, as far as can be seen (0.90 to 1.10). Intervals at 93.75 %."},
		{against("plain gob", "plain gob", "load", "dump"), []float64{20, 20, 20}, "plain gob, n = 10 dictionaries: no verdict after 3 rounds, at least 5 are needed (p50: load takes 2.00 times as long as dump)."},
		{against("plain gob", "blob", "load", "dump"), five(21), "plain gob against blob, n = 10 dictionaries: load of plain gob takes 2.10 times as long as dump of blob (2.10 to 2.10). Intervals at 93.75 %."},
		{against("plain gob", "plain gob", "load, peak growth", "disk"), five(31), "plain gob, n = 10 dictionaries: memory added at the peak of load is 3.10 times the bytes on disk (3.10 to 3.10), taken in rounds of their own, and bytes on disk hardly vary. Intervals at 93.75 %."},
		{against("plain gob", "plain gob", "load", "dump"), []float64{5, 10, 10, 10, 11}, "plain gob, n = 10 dictionaries: whether load takes as long as dump cannot be told, the interval is too wide (0.50 to 1.10). Intervals at 93.75 %."},
		{against("plain gob", "plain gob", "load, peak growth", "disk"), five(10), "plain gob, n = 10 dictionaries: memory added at the peak of load is as much as the bytes on disk, as far as can be seen (1.00 to 1.00), taken in rounds of their own, and bytes on disk hardly vary. Intervals at 93.75 %."},
		{against("plain gob", "plain gob", "load, peak growth", "disk"), []float64{0, 0, 1, 1, 1}, "plain gob, n = 10 dictionaries: no ratio, since load, peak growth of plain gob takes none in 2 of 5 rounds (p50s: load, peak growth of plain gob 1 B, disk of plain gob 10 B)."},
		{against("plain gob", "plain gob", "load, GC pause", "load"), five(10), "plain gob, n = 10 dictionaries: pause for garbage during load takes as long as load, as far as can be seen (1.00 to 1.00), taken in rounds of their own. Intervals at 93.75 %."},
	} {
		run := keptWhole([]int{10}, []evidence.Comparison{c.comparison}, func(arm string, m labkit.Metric, _ int) []float64 {
			if arm == "plain gob" && (m.Name == c.comparison.Metrics[0]) {
				return c.samples
			}
			return five(10)
		})
		text(t, run)
		if diff := cmp.Diff([]string{c.want}, run.Verdict); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if !slices.Equal(run.Beyond(), run.Verdict) {
			t.Errorf("%q is not among what no table of winners holds: %q", run.Verdict, run.Beyond())
		}
		if len(run.Ratios) == 1 && (run.Ratios[0].Against != c.comparison.Against || run.Ratios[0].P50 != labkit.P50(c.samples)/10) {
			t.Errorf("%+v", run.Ratios[0])
		}
	}
	labelled := against("plain gob", "plain gob", "load", "dump")
	labelled.Label = "loading"
	run := keptWhole([]int{10}, []evidence.Comparison{labelled}, func(string, labkit.Metric, int) []float64 { return five(1) })
	text(t, run)
	if want := "Loading, n = 10 dictionaries, plain gob: load takes as long as dump"; !strings.HasPrefix(run.Verdict[0], want) {
		t.Errorf("%q, want %q", run.Verdict, want)
	}
}

// Headlines stand in the order of the comparisons, also those against another
// metric; growths come last.
func TestOrderOfHeadlines(t *testing.T) {
	run := keptWhole([]int{10, 20}, []evidence.Comparison{
		{Role: evidence.Growing, Label: "growing", A: "blob", B: "blob", Metrics: []string{"load"}},
		{Role: evidence.Headline, Label: "first", A: "blob", B: "blob", Metrics: []string{"load"}, Against: "dump"},
		{Role: evidence.Headline, Label: "second", A: "blob", B: "plain gob", Metrics: []string{"load"}},
		{Role: evidence.Headline, Label: "third", A: "blob", B: "blob", Metrics: []string{growthOf.Name}, Against: "disk"},
	}, factors(nil))
	text(t, run)
	var got []string
	for _, line := range run.Verdict {
		got = append(got, strings.TrimSuffix(strings.Fields(line)[0], ","))
	}
	if diff := cmp.Diff([]string{"First", "Second", "Third", "blob"}, got); diff != "" {
		t.Errorf("%s\n%q", diff, run.Verdict)
	}
}

func TestVerdictOfGrowth(t *testing.T) {
	ns := []int{10, 100, 1000}
	grows := []evidence.Comparison{{Role: evidence.Growing, A: "plain gob", B: "plain gob", Metrics: []string{"load"}}}
	law := func(exponent float64, around ...float64) func(string, labkit.Metric, int) []float64 {
		return func(_ string, _ labkit.Metric, n int) (list []float64) {
			for _, a := range around {
				list = append(list, math.Pow(float64(n), exponent+a))
			}
			return list
		}
	}
	for _, c := range []struct {
		name string
		ns   []int
		of   func(string, labkit.Metric, int) []float64
		want string // "" for none
	}{
		{"linear", ns, law(1, -0.02, -0.01, 0, 0.01, 0.02), "plain gob: load grows as n to the power of 1.00 (0.98 to 1.02) from n = 10 to 1,000 dictionaries: linear as far as can be seen; from 100 on to the power of 1.00 (0.98 to 1.02): linear as far as can be seen. Intervals at 93.75 %."},
		{"more", ns[:2], law(1.5, 0, 0, 0, 0, 0), "plain gob: load grows as n to the power of 1.50 (1.50 to 1.50) from n = 10 to 100 dictionaries: more than linear. Intervals at 93.75 %."},
		{"less", ns[:2], law(0, 0, 0.1, 0.2, 0.3, 0.4), "plain gob: load grows as n to the power of 0.20 (0.00 to 0.40) from n = 10 to 100 dictionaries: less than linear. Intervals at 93.75 %."},
		{"wide", ns[:2], law(1, -0.5, 0, 0, 0, 0.1), "plain gob: load grows as n to the power of 1.00 (0.50 to 1.10) from n = 10 to 100 dictionaries: whether that is linear cannot be told, the interval is too wide. Intervals at 93.75 %."},
		{"too few rounds", ns[:2], law(1, 0, 0, 0), "plain gob: load grows as n to the power of 1.00 from n = 10 to 100 dictionaries (p50; no verdict after 3 rounds, at least 5 are needed)."},
		{"one size", ns[:1], law(1, 0, 0, 0, 0, 0), ""},
		{"flat, then linear", ns, func(_ string, _ labkit.Metric, n int) []float64 { return five(float64(max(n, 100))) },
			"plain gob: load grows as n to the power of 0.50 (0.50 to 0.50) from n = 10 to 1,000 dictionaries: less than linear; from 100 on to the power of 1.00 (1.00 to 1.00): linear as far as can be seen. Intervals at 93.75 %."},
	} {
		run := keptWhole(c.ns, grows, c.of)
		text(t, run)
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if diff := cmp.Diff(want, slices.Clip(run.Verdict), cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if len(run.Ratios) > 0 {
			t.Errorf("%s: a growth made ratios %v", c.name, run.Ratios)
		}
	}
	grows[0].Metrics = []string{collected.Name, "what was not measured"}
	run := keptWhole(ns, grows, func(_ string, m labkit.Metric, n int) []float64 { return five(float64(n / 100)) }) // 0, 1, 10
	run.Series = slices.DeleteFunc(run.Series, func(s labkit.Series) bool { return s.Metric != collected.Name })
	text(t, run)
	if want := []string{"plain gob: number of collections during load has no exponent, since it takes nothing in a round at n = 10."}; len(run.Growths) > 0 || !slices.Equal(run.Verdict, want) {
		t.Errorf("%q, want %q", run.Verdict, want)
	}
}

// The exponent over all sizes comes first, then that of each step; two sizes have
// one step, which is all.
func TestGrowths(t *testing.T) {
	grows := []evidence.Comparison{{Role: evidence.Growing, Label: "growth", A: "blob", B: "blob", Metrics: []string{"dump", "load, peak growth"}}}
	of := func(_ string, m labkit.Metric, n int) []float64 {
		if m == growthOf {
			return five(float64(n * n))
		}
		return []float64{1e-3 * float64(n), 2e-3 * float64(n), 3e-3 * float64(n), 4e-3 * float64(n)} // a round was interrupted
	}
	type at struct {
		metric   string
		from, to int
		p50      float64
		count    int
	}
	for _, c := range []struct {
		ns   []int
		want []at
	}{
		{[]int{10}, nil},
		{[]int{10, 100}, []at{{"dump", 10, 100, 1, 4}, {"load, peak growth", 10, 100, 2, 5}}},
		{[]int{10, 100, 500}, []at{{"dump", 10, 500, 1, 4}, {"dump", 10, 100, 1, 4}, {"dump", 100, 500, 1, 4},
			{"load, peak growth", 10, 500, 2, 5}, {"load, peak growth", 10, 100, 2, 5}, {"load, peak growth", 100, 500, 2, 5}}},
	} {
		run := keptWhole(c.ns, grows, of)
		text(t, run)
		var got []at
		for _, g := range run.Growths {
			if g.Arm != "blob" {
				t.Errorf("of %s", g.Arm)
			}
			got = append(got, at{g.Metric, g.From, g.To, g.P50, g.Count})
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(at{})); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.ns, diff)
		}
	}
}

func TestFills(t *testing.T) {
	grows := func(_ string, _ labkit.Metric, n int) []float64 { return five(1000 + 10*float64(n)) }
	for _, c := range []struct {
		name  string
		ns    []int
		of    func(string, labkit.Metric, int) []float64
		bytes float64
		n     float64
		ok    bool
	}{
		{"a line", []int{10, 100}, grows, 51_000, 5000, true},
		{"the two largest count", []int{1, 10, 100}, func(_ string, _ labkit.Metric, n int) []float64 { return five(float64(max(n, 10))) }, 1000, 1000, true},
		{"below what was measured", []int{10, 100}, grows, 1200, 20, true},
		{"below nothing", []int{10, 100}, grows, 10, 0, true},
		{"one size", []int{10}, grows, 51_000, 0, false},
		{"flat", []int{10, 100}, func(string, labkit.Metric, int) []float64 { return five(7) }, 51_000, 0, false},
		{"shrinks", []int{10, 100}, func(_ string, _ labkit.Metric, n int) []float64 { return five(1000 / float64(n)) }, 51_000, 0, false},
		{"no bytes", []int{10, 100}, grows, 0, 0, false},
		{"NaN", []int{10, 100}, grows, math.NaN(), 0, false},
		{"infinite", []int{10, 100}, grows, math.Inf(1), 0, false},
	} {
		run := keptWhole(c.ns, nil, c.of)
		text(t, run)
		if n, ok := run.Fills("blob", growthOf.Name, c.bytes); ok != c.ok || math.Abs(n-c.n) > 1e-6 {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, n, ok, c.n, c.ok)
		}
		if _, ok := run.Fills("nobody", growthOf.Name, c.bytes); ok {
			t.Errorf("%s: an arm that is not there", c.name)
		}
	}
}
