package arrays_test

import (
	"slices"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/arrays"
	"shelflab/labkit/records"
)

func plan(n int) labkit.Plan {
	return labkit.Plan{Name: "arrays", N: []int{n}, Rounds: 1, Keys: 1, Seed: 1}
}

func measure(t *testing.T, n int, arms []labkit.Arm) []labkit.Series {
	t.Helper()
	series, err := labkit.Lab{Plan: plan(n), Dir: t.TempDir()}.Measure(t.Context(), n, arms)
	if err != nil {
		t.Fatal(err)
	}
	return series
}

// check sees that every arm has dump, load and disk, and that each comparison is
// of arms and metrics that there are.
func check(t *testing.T, series []labkit.Series, arms []labkit.Arm, comparisons []labkit.Comparison) {
	t.Helper()
	has := func(arm, metric string) bool {
		return slices.ContainsFunc(series, func(s labkit.Series) bool { return s.Arm == arm && s.Metric == metric && s.Samples[0] > 0 })
	}
	for _, arm := range arms {
		for _, metric := range []string{"dump", "load", "disk"} {
			if !has(arm.Name, metric) {
				t.Errorf("%s has no %s", arm.Name, metric)
			}
		}
	}
	for _, c := range comparisons {
		for _, metric := range c.Metrics {
			if !has(c.A, metric) || !has(c.B, metric) {
				t.Errorf("%q compares %s of %q and %q: not both are measured", c.Label, metric, c.A, c.B)
			}
		}
	}
}

func TestProtocolArms(t *testing.T) {
	every := forms()
	arms, err := arrays.Protocol(plan(20), 20, every...)
	if err != nil || len(arms) != 2*len(every)+1 { // and the control
		t.Fatalf("%d arms, %v", len(arms), err)
	}
	comparisons := arrays.ProtocolComparisons(every...)
	check(t, measure(t, 20, arms), arms, comparisons)
	if len(comparisons) != 4+4+4+1 {
		t.Errorf("%d comparisons", len(comparisons))
	}
	for _, c := range arrays.ProtocolComparisons(arrays.Raw()) {
		if c.A != "raw (ones)" || c.B != "raw (random)" {
			t.Errorf("of the form raw alone: %+v", c)
		}
	}
}

func TestTricksArms(t *testing.T) {
	for _, content := range records.Contents() {
		arms, err := arrays.Tricks(plan(20), 20, content)
		if err != nil {
			t.Fatal(err)
		}
		check(t, measure(t, 20, arms), arms, timed(arrays.TricksComparisons()))
	}
	if _, err := arrays.Tricks(plan(20), 20, "zeros"); err == nil {
		t.Error("an unknown content was taken")
	}
}

// timed leaves out what turns in processes of their own measure.
func timed(list []labkit.Comparison) []labkit.Comparison {
	list = slices.Clone(list)
	for i, c := range list {
		list[i].Metrics = slices.DeleteFunc(slices.Clone(c.Metrics), func(name string) bool {
			return slices.ContainsFunc(labkit.ResourceMetrics(), func(m labkit.Metric) bool { return m.Name == name })
		})
	}
	return list
}

func TestTable(t *testing.T) {
	head, rows := arrays.Table(forms()...)
	if len(rows) != len(forms()) {
		t.Fatalf("%d rows", len(rows))
	}
	for i, row := range rows {
		if len(row) != len(head) || row[2] == "refuses" == forms()[i].Special || (row[5] == "notices") != forms()[i].Checked {
			t.Errorf("row %q of %+v", row, forms()[i])
		}
	}
}
