package evidence_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Where two arms change places is said with the interval that the rounds give,
// and where they do not, or cannot be told to, that is.
func TestCrossings(t *testing.T) {
	const head = "One day, plain gob against blob: "
	for _, c := range []struct {
		name   string
		rounds int
		gob    map[int][]float64 // seconds at 10, 100 and 1000; those of the blob are 1
		says   string
	}{
		{"plain gob at small n", 5, map[int][]float64{10: five(0.5), 100: {0.5, 0.4, 0.25, 0.2, 0.1}, 1000: {2, 2.5, 4, 5, 10}},
			head + "load: plain gob is faster up to n = 316 (316 to 316), blob above. Intervals at 93.75 %."},
		{"the blob at small n", 5, map[int][]float64{10: five(10), 100: {1, 10, 2, 4, 5}, 1000: five(0.1)},
			head + "load: blob is faster up to n = 238 (100 to 316), plain gob above. Intervals at 93.75 %."},
		{"not in every round", 5, map[int][]float64{10: {0.5, 0.5, 2, 0.5, 0.5}, 100: {2, 0.5, 2, 2, 2}, 1000: {2, 0.8, 2, 2, 2}},
			head + "load: plain gob is faster up to n = 32 (below 10 to beyond 1,000), blob above. Intervals at 93.75 %."},
		{"never", 5, map[int][]float64{10: five(2), 100: five(3), 1000: times(20)},
			head + "load: blob is faster at every size from n = 10 to 1,000 dictionaries, 2.00 times (2.00 to 2.00) at the smallest and 20.0 times (19.6 to 20.6) at the largest. Intervals at 93.75 %."},
		{"always", 5, map[int][]float64{10: five(0.5), 100: five(0.5), 1000: five(0.1)},
			head + "load: plain gob is faster at every size from n = 10 to 1,000 dictionaries, 2.00 times (2.00 to 2.00) at the smallest and 10.0 times (10.0 to 10.0) at the largest. Intervals at 93.75 %."},
		{"now and then", 5, map[int][]float64{10: five(0.5), 100: {2, 2, 0.5, 0.5, 2}, 1000: {0.5, 2, 0.5, 0.5, 2}},
			head + "load: whether they change places cannot be told from n = 10 to 1,000 dictionaries: plain gob is faster at n = 10, which of them is faster cannot be told at n = 100 and 1,000. Intervals at 93.75 %."},
		{"there and back", 5, map[int][]float64{10: five(0.5), 100: five(2), 1000: five(0.5)},
			head + "load: where they change places cannot be told from n = 10 to 1,000 dictionaries: plain gob is faster at n = 10 and 1,000, blob is faster at n = 100. Intervals at 93.75 %."},
		{"but for one size", 5, map[int][]float64{10: five(2), 100: {2, 2, 2, 2, 0.9}, 1000: five(2)},
			head + "load: whether they change places cannot be told from n = 10 to 1,000 dictionaries: blob is faster at n = 10 and 1,000, which of them is faster cannot be told at n = 100. Intervals at 93.75 %."},
		{"of more rounds, but for one of them", 9, map[int][]float64{10: often(9, 0.5), 100: append(often(8, 0.5), 1.1), 1000: often(9, 0.25)},
			head + "load: plain gob is faster at every size from n = 10 to 1,000 dictionaries, 2.00 times (2.00 to 2.00) at the smallest and 4.00 times (4.00 to 4.00) at the largest. Intervals at 96.09 %."},
		{"the same", 5, map[int][]float64{10: five(1), 100: five(1), 1000: five(1)},
			head + "load: both take the same at every size from n = 10 to 1,000 dictionaries, in every round."},
		{"the same at a size", 5, map[int][]float64{10: five(1), 100: five(1), 1000: five(2)},
			head + "load: whether they change places cannot be told from n = 10 to 1,000 dictionaries: blob is faster at n = 1,000, both take the same at n = 10 and 100. Intervals at 93.75 %."},
		{"four rounds", 4, map[int][]float64{10: five(0.5)[:4], 100: five(0.5)[:4], 1000: five(2)[:4]},
			head + "load: no verdict after 4 rounds, at least 5 are needed."},
		{"one size", 5, map[int][]float64{10: five(0.5)}, ""},
	} {
		run := keptWhole([]int{10, 100, 1000}, []evidence.Comparison{
			{Role: labkit.Crosses, Label: "one day", A: "plain gob", B: "blob", Metrics: []string{"load"}},
		}, func(arm string, m labkit.Metric, n int) []float64 {
			switch {
			case m.Name != "load" || c.gob[n] == nil:
				return nil
			case arm == "blob":
				return often(c.rounds, 1)
			}
			return c.gob[n]
		})
		run.Plan.Rounds = c.rounds
		got, err := evidence.Parse(text(t, run))
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.DeleteFunc(got.Verdict, func(line string) bool { return !strings.HasPrefix(line, head) })
		if said := strings.Join(lines, "\n"); said != c.says {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, said, c.says)
		}
		if c.says != "" && !slices.Contains(got.Beyond(), c.says) {
			t.Errorf("%s: %q are said beyond the table of winners", c.name, got.Beyond())
		}
	}
}

// What takes less is no faster.
func TestCrossingOfBytes(t *testing.T) {
	run := keptWhole([]int{10, 100}, []evidence.Comparison{
		{Role: labkit.Crosses, Label: "bytes", A: "plain gob", B: "blob", Metrics: []string{"disk"}},
	}, func(arm string, m labkit.Metric, n int) []float64 {
		if m.Name != "disk" {
			return nil
		}
		return five(float64(4096 * len(arm)))
	})
	got, err := evidence.Parse(text(t, run))
	const want = "Bytes, plain gob against blob: disk: blob takes less at every size from n = 10 to 100 dictionaries, 2.25 times (2.25 to 2.25) at the smallest and 2.25 times (2.25 to 2.25) at the largest. Intervals at 93.75 %."
	if err != nil || !slices.Contains(got.Verdict, want) {
		t.Errorf("%v, %q, want %q", err, got.Verdict, want)
	}
}

// A crossing is of schema 4, and its sentence is computed anew.
func TestVerifyCoversCrossings(t *testing.T) {
	run := keptWhole([]int{10, 100}, []evidence.Comparison{
		{Role: labkit.Crosses, Label: "one day", A: "plain gob", B: "blob", Metrics: []string{"load"}},
	}, func(arm string, m labkit.Metric, n int) []float64 { return times(float64(n * len(arm))) })
	good := string(text(t, run))
	if _, err := evidence.VerifySummary([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, says string }{
		{"blob is faster at every size", "plain gob is faster at every size", "verdict["},
		{`"schema": 4`, `"schema": 3`, "schema 3 knows no crossings"},
	} {
		edited := strings.Replace(good, c.old, c.new, 1)
		if _, err := evidence.VerifySummary([]byte(edited)); edited == good || !errors.Is(err, evidence.ErrAltered) && !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error with %q", c.new, err, c.says)
		}
	}
}
