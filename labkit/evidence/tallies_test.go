package evidence_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// killPlan is of a part whose rounds are trials.
func killPlan(kills int) labkit.Plan { return plan().Part("kill", "items", 200).InRounds(kills) }

// counts are the samples of an arm's trials.
func counts(arm string, m labkit.Metric, samples ...float64) labkit.Series {
	return labkit.Series{Arm: arm, N: 200, Metric: m.Name, Unit: m.RawUnit(), Work: 1, Samples: samples}
}

// often is a sample n times.
func often(n int, x float64) []float64 { return slices.Repeat([]float64{x}, n) }

func TestTallies(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data", "01_test_kill")
	safe, lossy := "safe", "lossy"
	rec := record(t, dir, killPlan(30), []labkit.Arm{{Name: safe, Pair: "ours"}, {Name: lossy, Pair: "unsafe"}})
	err := rec.Keep(200, []labkit.Series{
		counts(safe, labkit.Acknowledged, often(30, 7)...), counts(safe, labkit.Lost, often(30, 0)...),
		counts(safe, labkit.Torn, often(30, 0)...), counts(safe, labkit.Partial, often(30, 0)...),
		counts(lossy, labkit.Acknowledged, often(30, 100)...), counts(lossy, labkit.Lost, append(often(28, 5), 0, 0)...),
		counts(lossy, labkit.Torn, append(often(29, 0), 1)...), counts(lossy, labkit.Partial, append(often(29, 0), 3)...),
	})
	if err != nil {
		t.Fatal(err)
	}
	run, err := evidence.Load(dir, killPlan(30))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []evidence.Tally{
		{safe, 200, "acknowledged", 30, 30, 210, 0.904966, 1},
		{safe, 200, "lost", 30, 0, 0, 0, 0.095034},
		{lossy, 200, "lost", 30, 28, 140, 0.804674, 0.988024},
	} {
		if got, ok := run.Tally(want.Arm, want.N, want.Metric); !ok || got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	want := []string{
		"safe: of 30 kills none lost an acknowledged write (at most 9.5 % do, at 95 %) and none tore a value (at most 9.5 % do, at 95 %); 210 writes were acknowledged in all.",
		"lossy: of 30 kills 28 lost acknowledged writes (at least 80.5 % do, at 95 %), 1 tore a value (at least 0.2 % do, at 95 %) and 1 left a part of a write that was not acknowledged, each value whole (at least 0.2 % do, at 95 %); 3,000 writes were acknowledged in all, 140 of them lost.",
	}
	if !slices.Equal(run.Verdict, want) || !slices.Equal(run.Beyond(), want) {
		t.Errorf("verdict:\n%s\nwant:\n%s", strings.Join(run.Verdict, "\n"), strings.Join(want, "\n"))
	}
	if len(run.Warnings) > 0 && strings.Contains(run.Warnings[0].Text, "rounds reach") || !run.Complete {
		t.Errorf("complete %t, warnings %v", run.Complete, run.Warnings)
	}
	if err := evidence.WriteManifest(dir); err != nil {
		t.Fatal(err)
	}
	if err := evidence.Verify(dir); err != nil {
		t.Error(err)
	}
	path := filepath.Join(dir, evidence.SummaryName)
	write(t, path, []byte(strings.Replace(string(read(t, path)), `"hits": 28`, `"hits": 0`, 1)))
	if err := evidence.Verify(path); err == nil {
		t.Error("a count that was edited is not found")
	}
	if !evidence.PartOf(killPlan(30), plan()) || evidence.PartOf(plan().Part("kill", "items", 200), killPlan(30)) {
		t.Error("a part with rounds of its own is no part, or another one is")
	}
}

// Trials that see nothing where they should are warned of.
func TestTrialsThatShowLittle(t *testing.T) {
	for _, c := range []struct {
		name               string
		acknowledged, lost float64
		says               string
	}{
		{"nothing was seen", 5, 0, "nothing shows that these trials would have seen it"},
		{"killed too early", 0, 1, "before its first write was acknowledged in 3 of 3 trials"},
		{"a loss was seen", 5, 1, ""},
	} {
		dir := t.TempDir()
		rec := record(t, dir, killPlan(3), []labkit.Arm{{Name: "a"}})
		if err := rec.Keep(200, []labkit.Series{counts("a", labkit.Acknowledged, often(3, c.acknowledged)...), counts("a", labkit.Lost, often(3, c.lost)...)}); err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, w := range rec.Run().Warnings {
			if w.Kind == evidence.KindTrials {
				said = append(said, w.Text)
			}
		}
		if text := strings.Join(said, " "); c.says == "" && text != "" || !strings.Contains(text, c.says) {
			t.Errorf("%s: %q, want %q", c.name, text, c.says)
		}
	}
}
