package evidence_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// sized is a run at n = 2,000 in which the arms were measured as given: five
// samples of one metric each, or fewer.
func sized(m labkit.Metric, blob, shelf []float64) *evidence.Run {
	run := made()
	run.Plan.N = []int{2000}
	run.Comparisons = []evidence.Comparison{headline(m.Name)}
	run.Series = []labkit.Series{series("blob", 2000, m, blob...), series("shelf, bulk", 2000, m, shelf...)}
	return run
}

func TestVerdictSentence(t *testing.T) {
	slow, fast := []float64{4, 4, 4, 4, 4}, []float64{1, 1, 1, 1, 1}
	for _, c := range []struct {
		name        string
		metric      labkit.Metric
		blob, shelf []float64 // seconds, or bytes
		want        string
	}{
		{"the first wins", labkit.Write, fast, slow,
			"Ours, n = 2,000, blob against shelf, bulk: write: blob is 4.00 times as fast (4.00 to 4.00). Intervals at 93.75 %."},
		{"the second wins", labkit.Write, slow, fast,
			"Ours, n = 2,000, blob against shelf, bulk: write: shelf, bulk is 4.00 times as fast (4.00 to 4.00). Intervals at 93.75 %."},
		{"an interval", labkit.Read, fast, []float64{2, 3, 4, 5, 6},
			"Ours, n = 2,000, blob against shelf, bulk: full read: blob is 4.00 times as fast (2.00 to 6.00). Intervals at 93.75 %."},
		{"paired: a slow round is slow for both", labkit.Read, []float64{1, 100, 1, 1, 1}, []float64{2, 200, 2, 2, 2},
			"Ours, n = 2,000, blob against shelf, bulk: full read: blob is 2.00 times as fast (2.00 to 2.00). Intervals at 93.75 %."},
		{"less time is better", labkit.Gets, fast, slow,
			"Ours, n = 2,000, blob against shelf, bulk: 200 random gets: blob is 4.00 times as fast (4.00 to 4.00). Intervals at 93.75 %."},
		{"an open store", labkit.GetsOpen, slow, fast,
			"Ours, n = 2,000, blob against shelf, bulk: 200 random gets from an open store: shelf, bulk is 4.00 times as fast (4.00 to 4.00). Intervals at 93.75 %."},
		{"put", labkit.Put, fast, slow,
			"Ours, n = 2,000, blob against shelf, bulk: write into an open store: blob is 4.00 times as fast (4.00 to 4.00). Intervals at 93.75 %."},
		{"scan", labkit.Scan, fast, slow,
			"Ours, n = 2,000, blob against shelf, bulk: full read of an open store: blob is 4.00 times as fast (4.00 to 4.00). Intervals at 93.75 %."},
		{"no difference", labkit.Write, []float64{1, 2, 2, 2, 2}, []float64{2, 1, 2, 2, 2},
			"Ours, n = 2,000, blob against shelf, bulk: write: cannot be told, the interval is too wide (0.50 to 2.00). Intervals at 93.75 %."},
		{"equal", labkit.Disk, fast, fast,
			"Ours, n = 2,000, blob against shelf, bulk: disk: both take the same space, in every round."},
		{"one block more in a round", labkit.Disk, fast, []float64{1, 1, 1, 1, 2},
			"Ours, n = 2,000, blob against shelf, bulk: disk: no difference seen (1.00 to 2.00). Intervals at 93.75 %."},
		{"too few rounds", labkit.Write, fast[:3], slow[:3],
			"Ours, n = 2,000, blob against shelf, bulk: write: no verdict after 3 rounds, at least 5 are needed (p50: blob is 4.00 times as fast)."},
		{"one round", labkit.Write, fast[:1], slow[:1],
			"Ours, n = 2,000, blob against shelf, bulk: write: no verdict after 1 round, at least 5 are needed (p50: blob is 4.00 times as fast)."},
		{"rounds that only one has do not count", labkit.Write, fast[:3], slow[:2],
			"Ours, n = 2,000, blob against shelf, bulk: write: no verdict after 2 rounds, at least 5 are needed (p50: blob is 4.00 times as fast)."},
		{"nor are they paired with others", labkit.Write, []float64{1, 2, 4}, []float64{4, 6},
			"Ours, n = 2,000, blob against shelf, bulk: write: no verdict after 2 rounds, at least 5 are needed (p50: blob is 3.50 times as fast)."},
		{"space, the first wins", labkit.Disk, fast, slow,
			"Ours, n = 2,000, blob against shelf, bulk: disk: shelf, bulk takes 4.00 times the space (4.00 to 4.00). Intervals at 93.75 %."},
		{"space, the second wins", labkit.Disk, slow, fast,
			"Ours, n = 2,000, blob against shelf, bulk: disk: blob takes 4.00 times the space (4.00 to 4.00). Intervals at 93.75 %."},
		{"hardly any difference, but always", labkit.Write, []float64{1, 1, 1, 1, 1}, []float64{1.001, 1.002, 1.003, 1.002, 1.001},
			"Ours, n = 2,000, blob against shelf, bulk: write: blob is less than 1 % faster (1.00 to 1.00). Intervals at 93.75 %."},
		{"hardly any space", labkit.Disk, []float64{1001, 1001, 1001, 1001, 1001}, []float64{1000, 1000, 1000, 1000, 1000},
			"Ours, n = 2,000, blob against shelf, bulk: disk: blob takes less than 1 % more space (1.00 to 1.00). Intervals at 93.75 %."},
	} {
		run := sized(c.metric, c.blob, c.shelf)
		text(t, run)
		if diff := cmp.Diff([]string{c.want}, run.Verdict); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// With an even number of rounds the median of b/a is not the inverse of that of
// a/b, and the sentence is about the one that it states.
func TestVerdictTurnsSamplesNotTheirMedian(t *testing.T) {
	one := []float64{1, 1, 1, 1, 1, 1}
	for _, turned := range []bool{false, true} {
		run := sized(labkit.Gets, one, []float64{2, 2, 2, 4, 4, 4})
		run.Plan.Rounds = 6
		if turned {
			run.Comparisons[0].A, run.Comparisons[0].B = run.Comparisons[0].B, run.Comparisons[0].A
		}
		text(t, run)
		want := ": 200 random gets: blob is 3.00 times as fast (2.00 to 4.00). Intervals at 96.88 %."
		if len(run.Verdict) != 1 || !strings.HasSuffix(run.Verdict[0], want) {
			t.Errorf("named first the loser (%v): %q, want %q", turned, run.Verdict, want)
		}
	}
}

// A line of several intervals claims no more than the poorest of them reaches.
func TestVerdictStatesTheLeastLevel(t *testing.T) {
	one, two := []float64{1, 1, 1, 1, 1, 1}, []float64{2, 2, 2, 2, 2, 2}
	run := sized(labkit.Write, one, two)
	run.Plan.Rounds = 6
	run.Series = append(run.Series, series("blob", 2000, labkit.Read, one[:5]...), series("shelf, bulk", 2000, labkit.Read, two[:5]...))
	for _, metrics := range [][]string{{"write", "read"}, {"read", "write"}} {
		run.Comparisons = []evidence.Comparison{headline(metrics...)}
		text(t, run)
		if len(run.Verdict) != 1 || !strings.HasSuffix(run.Verdict[0], " Intervals at 93.75 % or more.") {
			t.Errorf("%v: %q, want the level of 5 rounds, not of 6", metrics, run.Verdict)
		}
	}
}

func TestVerdictIsAboutTheLargestSize(t *testing.T) {
	run := made()
	run.Comparisons = []evidence.Comparison{headline("write")}
	text(t, run)
	if len(run.Ratios) != 2 || len(run.Verdict) != 1 || !strings.Contains(run.Verdict[0], "n = 2,000") {
		t.Errorf("%d ratios, verdict %q, want one for each size and the larger's sentence", len(run.Ratios), run.Verdict)
	}
	run.Series = slices.DeleteFunc(run.Series, func(s labkit.Series) bool { return s.N == 2000 })
	text(t, run)
	if len(run.Verdict) != 1 || !strings.Contains(run.Verdict[0], "n = 500") || run.Complete || run.Warnings[0].Text != "The run is incomplete: n = 2,000 is not measured to the last round." {
		t.Errorf("of an incomplete run: %q, complete %v, %v", run.Verdict, run.Complete, run.Warnings)
	}
	run.Series = nil
	text(t, run)
	if len(run.Verdict) != 0 || run.Largest() != 0 || run.Complete {
		t.Errorf("of an empty run: %q", run.Verdict)
	}
}

func TestVerdictSaysWhatIsUnequal(t *testing.T) {
	run := sized(labkit.Write, []float64{1, 1, 1, 1, 1}, []float64{4, 4, 4, 4, 4})
	run.Arms[1].Durability = labkit.PowerLoss
	text(t, run)
	want := "Ours, n = 2,000, blob against shelf, bulk: write: blob is 4.00 times as fast (4.00 to 4.00). Intervals at 93.75 %. But shelf, bulk survives a power loss, blob only a process crash."
	if !slices.Equal(run.Verdict, []string{want}) {
		t.Errorf("verdict %q, want %q", run.Verdict, want)
	}
}

// Large numbers have separators, and one get is no gets; evidence from before
// schema 3 keeps its words.
func TestVerdictNumbers(t *testing.T) {
	for schema, want := range map[int]string{
		3: "Ours, n = 2,000, blob against shelf, bulk: 1 random get: blob is 1,091 times as fast (1,091 to 2,000). Intervals at 93.75 %.",
		2: "Ours, n = 2,000, blob against shelf, bulk: 1 random gets: blob is 1091 times as fast (1091 to 2000). Intervals at 93.75 %.",
	} {
		run := sized(labkit.Gets, []float64{1, 1, 1, 1, 1}, []float64{1091, 1091, 1091, 1091, 2000})
		run.Schema, run.Plan.Keys = schema, 1
		for i := range run.Series {
			run.Series[i].Work = 1
		}
		text(t, run)
		if diff := cmp.Diff([]string{want}, run.Verdict); diff != "" {
			t.Errorf("schema %d (-want +got):\n%s", schema, diff)
		}
	}
}

func TestVerdictSaysWhereItComesFrom(t *testing.T) {
	run := sized(labkit.Write, []float64{1, 1, 1, 1, 1}, []float64{4, 4, 4, 4, 4})
	run.Arms = append(run.Arms, labkit.Arm{Name: "blob, one core"}, labkit.Arm{Name: "half", Durability: labkit.PowerLoss}, labkit.Arm{Name: "wild"})
	run.Series = append(run.Series,
		series("blob, one core", 2000, labkit.Write, 2, 2, 2, 2, 2), series("half", 2000, labkit.Write, 1, 1, 1),
		series("wild", 2000, labkit.Write, 0.5, 1, 1, 1, 1.5))
	part := func(label, a, b string) evidence.Comparison {
		return evidence.Comparison{Role: evidence.Part, Label: label, A: a, B: b, Metrics: []string{"write", "read"}}
	}
	run.Comparisons = append(run.Comparisons,
		part("the cores", "blob", "blob, one core"), part("itself", "blob", "blob"), part("luck", "wild", "blob"),
		part("half of it", "half", "blob"), part("what was not measured", "nobody", "blob"))
	text(t, run)
	want := []string{
		"Ours, n = 2,000, blob against shelf, bulk: write: blob is 4.00 times as fast (4.00 to 4.00). Intervals at 93.75 %.",
		"Where it comes from in write, n = 2,000: the cores: blob is 2.00 times as fast as blob, one core (2.00 to 2.00);" +
			" itself: blob and blob take equally long, in every round;" +
			" luck: cannot be told between wild and blob, the interval is too wide (0.67 to 2.00);" +
			" half of it: no verdict after 3 rounds, at least 5 are needed (p50: half is 1.00 times as fast as blob)," +
			" but half survives a power loss, blob only a process crash. Intervals at 93.75 %.",
	}
	if diff := cmp.Diff(want, run.Verdict); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
