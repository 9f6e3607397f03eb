package evidence_test

import (
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// worked makes up what n workers were measured as.
func worked(arm string, n, work int, m labkit.Metric, samples ...float64) labkit.Series {
	return labkit.Series{Arm: arm, N: n, Metric: m.Name, Unit: m.RawUnit(), Work: work, Samples: samples}
}

func latencyRun(t *testing.T) *evidence.Run {
	t.Helper()
	plan := plan().Part("latency", "goroutines", 1, 4).With(evidence.OfferedRate, 2000)
	compared := evidence.Comparison{Role: evidence.Headline, A: "blob", B: "shelf, bulk", Metrics: []string{"latency p99"}}
	rec := record(t, t.TempDir(), plan, append(arms(), labkit.Arm{Name: "third"}), compared)
	for _, n := range []int{1, 4} {
		slow, now := 0.11, 0.02 // of 1 s over which 2000 operations are offered
		if n == 4 {
			slow, now = 0.09, 0.3
		}
		err := rec.Keep(n, []labkit.Series{
			worked("shelf, bulk", n, 200, labkit.LostUpdates, often(5, 0)...), worked("shelf, bulk", n, 1800, labkit.TornReads, often(5, 0)...),
			worked("third", n, 200, labkit.LostUpdates, often(5, 0)...), worked("third", n, 1800, labkit.TornReads, often(5, 0)...),
			worked("third", n, 2000, labkit.Behind, 0.01, 0.01, now, 0.01, 0.01),
			worked("blob", n, 2000, labkit.Latency99, times(0.001)...), worked("blob", n, 2000, labkit.Behind, times(0.0001)...),
			worked("blob", n, 200, labkit.LostUpdates, 0, 0, 1, 2, 0), worked("blob", n, 1800, labkit.TornReads, often(5, 0)...),
			worked("shelf, bulk", n, 2000, labkit.Latency99, times(0.003)...), worked("shelf, bulk", n, 2000, labkit.Behind, often(5, slow)...),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return rec.Run()
}

// A store whose backlog grows has no latency to compare.
func TestPace(t *testing.T) {
	run := latencyRun(t)
	for _, c := range []struct {
		arm  string
		n    int
		want evidence.Pace
	}{
		{"blob", 1, evidence.KeepsUp}, {"shelf, bulk", 1, evidence.FallsBehind}, {"shelf, bulk", 4, evidence.KeepsUp},
		{"third", 1, evidence.KeepsUp}, {"third", 4, evidence.PaceUntold}, {"nobody", 1, evidence.PaceUnknown},
	} {
		if got := run.Pace(c.arm, c.n); got != c.want {
			t.Errorf("%s, n = %d: %q, want %q", c.arm, c.n, got, c.want)
		}
	}
	if len(run.Ratios) != 1 || run.Ratios[0].N != 4 {
		t.Errorf("ratios %+v, want one at n = 4", run.Ratios)
	}
	why := run.NoRatio(run.Comparisons[0], 1, "latency p99")
	if why != "shelf, bulk cannot keep up with 2.00 k ops/s" {
		t.Errorf("no ratio since %q", why)
	}
	want := []string{
		"shelf, bulk cannot keep up with 2.00 k ops/s at n = 1 goroutines: its backlog grows, so its latency says only how long it was measured.",
		"Whether third keeps up with 2.00 k ops/s at n = 4 goroutines cannot be told from 5 rounds.",
		"blob: it keeps up with 2.00 k ops/s at every n.",
		"blob: of 2,000 updates 6 were lost (in 4 of 10 rounds; at least 15 % of rounds lose one), and of 18,000 reads none gave what nobody has written (at most 25.9 % of rounds give such); bounds at 95 %.",
		"shelf, bulk; third: each, of 2,000 updates none was lost (at most 25.9 % of rounds lose one), and of 18,000 reads none gave what nobody has written (at most 25.9 % of rounds give such); bounds at 95 %.",
	}
	first := "blob against shelf, bulk, n = 4 goroutines: latency p99: shelf, bulk takes 3.00 times as long ("
	if len(run.Verdict) != 6 || !strings.HasPrefix(run.Verdict[0], first) || !slices.Equal(run.Verdict[1:], want) {
		t.Errorf("verdict:\n%s\nwant:\n%s\n%s", strings.Join(run.Verdict, "\n"), first, strings.Join(want, "\n"))
	}
}

func TestHalfOfTypical(t *testing.T) {
	plan := plan().Part("goroutines", "goroutines", 1, 4)
	list := append(arms(), labkit.Arm{Name: "third"})
	rec := record(t, t.TempDir(), plan, list)
	if got := rec.Run().HalfOfTypical(); got != 0 {
		t.Errorf("of nothing it is %d", got)
	}
	err := rec.Keep(1, []labkit.Series{
		worked("blob", 1, 1000, labkit.Throughput, often(5, 0.01)...), worked("shelf, bulk", 1, 1000, labkit.Throughput, often(5, 0.04)...),
		worked("third", 1, 1000, labkit.Throughput, often(5, 10)...),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := rec.Run().HalfOfTypical(); got != 12_000 { // half of 25,000 is 12,500
		t.Errorf("it is %d", got)
	}
}
