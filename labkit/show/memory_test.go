package show

import (
	"strings"
	"testing"

	"shelflab/labkit"
)

// Only what grows with n is extrapolated, and no number overflows.
func TestMemoryIsExtrapolatedOnlyIfItGrows(t *testing.T) {
	for _, c := range []struct {
		name    string
		smaller []float64 // at n = 100
		larger  []float64 // at n = 1,000
		memory  int64
		want    string
	}{
		{"linear", []float64{100, 110, 120, 90, 100}, []float64{1000, 1000, 1100, 950, 1000}, 10_000, "Extrapolated: blob would fill the 10.0 kB of this machine at about 10,000 dictionaries, if it goes on"},
		{"flat", []float64{1e6, 1e6, 1e6, 1e6, 1e6}, []float64{1e6, 1e6, 1e6 + 1, 1e6 + 1, 1e6 + 1}, 25e9, "Not extrapolated: what blob adds does not grow with n, or hardly, as far as measured (the exponent from n = 100 to 1,000 is 0.00, 0.00 to 0.00)."},
		{"shrinks", []float64{9, 9, 9, 9, 9}, []float64{3, 3, 3, 3, 3}, 25e9, "Not extrapolated: what blob adds does not grow with n, or hardly"},
		{"noise", []float64{10, 10, 10, 10, 10}, []float64{5, 10, 20, 60, 80}, 25e9, "Not extrapolated: whether what blob adds grows with n cannot be told (the exponent from n = 100 to 1,000 is 0.30, -0.30 to 0.90)."},
		{"nothing in a round", []float64{0, 1, 1, 1, 1}, []float64{3, 3, 3, 3, 3}, 25e9, "Not extrapolated: what blob adds is nothing in a round at n = 100 or 1,000"},
		{"beyond any list", []float64{1, 1, 1, 1, 1}, []float64{10, 10, 10, 10, 10}, 1 << 62, "of this machine beyond any list, if it goes on"},
		{"memory not known", []float64{1, 1, 1, 1, 1}, []float64{10, 10, 10, 10, 10}, 0, ""},
	} {
		run := wholeRun(t, t.TempDir(), wholePlan())
		for i, s := range run.Series {
			if s.Arm == "blob" && s.Metric == peak.Name && s.N > 10 {
				run.Series[i].Samples = c.smaller
				if s.N == 1000 {
					run.Series[i].Samples = c.larger
				}
			}
		}
		for i, s := range run.Summaries {
			if s.Arm == "blob" && s.Metric == peak.Name && s.N > 10 {
				sum, err := labkit.Summarize(samples(run, "blob", s.N, peak.Name))
				if err != nil {
					t.Fatal(err)
				}
				run.Summaries[i].Summary = sum
			}
		}
		run.Environment.Memory = c.memory
		got := ""
		for _, note := range Memory(run, labkit.Load).Notes {
			if strings.Contains(note, "xtrapolated: ") && strings.Contains(note, "blob") {
				got = note
			}
		}
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
