package show

import (
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func counted(arm string, m labkit.Metric, samples ...float64) labkit.Series {
	return labkit.Series{Arm: arm, N: 20, Metric: m.Name, Unit: m.RawUnit(), Work: 1, Samples: samples}
}

func TestTrialsTable(t *testing.T) {
	if table := Trials(nil); len(table.Rows) > 0 || !strings.Contains(table.Notes[0], "run them first") {
		t.Errorf("of nothing: %+v", table)
	}
	plan := labkit.Plan{Name: "t", N: []int{20}, Rounds: 5, Keys: 1}.Part("kill", "items").InRounds(3)
	rec, err := evidence.Record(t.TempDir(), plan, []labkit.Arm{{Name: "a", Pair: "ours"}, {Name: "b", Pair: "unsafe"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	err = rec.Keep(20, []labkit.Series{
		counted("a", labkit.Acknowledged, 1000, 2, 3), counted("a", labkit.Lost, 0, 0, 0), counted("a", labkit.Torn, 0, 0, 0),
		counted("b", labkit.Acknowledged, 4, 5, 6), counted("b", labkit.Lost, 3, 0, 1), counted("b", labkit.Torn, 0, 1, 0), counted("b", labkit.Partial, 0, 0, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	table := Trials(rec.Run())
	want := [][]string{
		{"a\nours", "1,005", "0 of 3\nat most 63.2 %", "0 of 3\nat most 63.2 %", none},
		{"b\nunsafe", "15", "2 of 3\nat least 13.5 %\n4 writes", "1 of 3\nat least 1.7 %", "0 of 3\nat most 63.2 %"},
	}
	if len(table.Rows) != 2 {
		t.Fatalf("%q", table.Rows)
	}
	for i, row := range want {
		if got := strings.Join(table.Rows[i], " | "); got != strings.Join(row, " | ") {
			t.Errorf("%q, want %q", got, strings.Join(row, " | "))
		}
	}
	if title := verdictOf(rec.Run()); !strings.Contains(strings.Join(title.lines, " "), "b: of 3 kills 2 lost acknowledged writes") {
		t.Errorf("the verdict does not tell: %q", title.lines)
	}
}

// A latency that means little says so beside it.
func TestLatencyOfWhatDoesNotKeepUp(t *testing.T) {
	plan := labkit.Plan{Name: "t", N: []int{4}, Rounds: 5, Keys: 1}.With(evidence.OfferedRate, 1000)
	rec, err := evidence.Record(t.TempDir(), plan, []labkit.Arm{{Name: "a"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	of := func(m labkit.Metric, x float64) labkit.Series {
		return labkit.Series{Arm: "a", N: 4, Metric: m.Name, Unit: "s", Work: 100, Samples: []float64{x, x, x, x, x}}
	}
	if err := rec.Keep(4, []labkit.Series{of(labkit.Latency99, 0.5), of(labkit.Behind, 0.5)}); err != nil {
		t.Fatal(err)
	}
	if cell := ByN(rec.Run(), labkit.Latency99).Rows[0][1]; cell != "500 ms\ncannot keep up" {
		t.Errorf("it shows %q", cell)
	}
	if OfferedRate(nil, 70) != 70 {
		t.Error("a rate that is given does not count")
	}
}
