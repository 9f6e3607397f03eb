package which_test

import (
	"errors"
	"slices"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/which"
	"shelflab/labkit/evidence"
)

func plan() labkit.Plan {
	return labkit.Plan{Name: "which", N: []int{40, 2000}, Rounds: 1, Keys: 5, Seed: 2}
}

// measured returns the metrics by arm.
func measured(t *testing.T, p labkit.Plan, n int) (map[string][]string, []labkit.Series) {
	t.Helper()
	list, err := which.For(p, n)
	if err != nil {
		t.Fatal(err)
	}
	series, err := labkit.Lab{Plan: p, Dir: t.TempDir()}.Measure(t.Context(), n, list)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, s := range series {
		got[s.Arm] = append(got[s.Arm], s.Metric)
	}
	return got, series
}

func TestFor(t *testing.T) {
	got, series := measured(t, plan(), 40)
	keyed := []string{"disk", "gets", "gets open", "open", "put", "read", "scan", "update", "update open", "write"}
	for _, name := range which.Names() {
		want := keyed
		switch name {
		case "indexed blob":
			want = slices.DeleteFunc(slices.Clone(keyed), func(m string) bool { return m == "put" })
		case "blob", "plain gob":
			want = []string{"disk", "gets", "read", "update", "update open", "write"}
		}
		slices.Sort(got[name])
		if !slices.Equal(got[name], want) {
			t.Errorf("%s measures %q, want %q", name, got[name], want)
		}
	}
	if len(got) != len(which.Names())+1 || got["indexed blob, again"] == nil {
		t.Errorf("arms %v", got)
	}
	longer, again := measured(t, plan().With(which.Note, 1000), 40)
	if len(longer) != len(got) || again[0].Payload < series[0].Payload+900*40 {
		t.Errorf("records of %d bytes, with long notes of %d", series[0].Payload, again[0].Payload)
	}
	cycles, series := measured(t, plan().With(which.Fetched, 7), 40)
	for _, s := range series {
		if s.Metric == labkit.Cycle.Name && s.Work != 7 {
			t.Errorf("%s: a cycle of %d keys", s.Arm, s.Work)
		}
	}
	for arm, metrics := range cycles {
		if !slices.Contains(metrics, "cycle") || slices.Contains(metrics, "read") || slices.Contains(metrics, "write") {
			t.Errorf("%s measures %q in a cycle", arm, metrics)
		}
	}
	if large, _ := measured(t, plan(), 2000); large["one file a key"] != nil || large["SQLite"] == nil {
		t.Errorf("beyond the size of one file a key: %v", large)
	}
}

func TestForRefuses(t *testing.T) {
	for _, p := range []labkit.Plan{
		plan().With(which.Fetched, 0), plan().With(which.Fetched, "all"), plan().With(which.Note, -1), plan().With(which.Note, "long"),
	} {
		if _, err := which.For(p, 10); !errors.Is(err, labkit.ErrPlan) {
			t.Errorf("%v: %v", p.Given, err)
		}
	}
	p := plan()
	p.Records, p.RecordsSHA256 = "nowhere.jsonl", "00"
	if _, err := which.For(p, 10); err == nil {
		t.Error("records that are nowhere")
	}
}

// The evidence takes the comparisons, of arms that there are.
func TestComparisons(t *testing.T) {
	list, err := which.For(plan(), 1)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := evidence.Record(t.TempDir(), plan(), list, slices.Concat(which.Comparisons(), which.CycleComparisons()))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	for _, c := range slices.Concat(which.Comparisons(), which.CycleComparisons()) {
		for _, name := range []string{c.A, c.B} {
			if !slices.ContainsFunc(list, func(a labkit.Arm) bool { return a.Name == name }) {
				t.Errorf("there is no arm %q", name)
			}
		}
	}
}
