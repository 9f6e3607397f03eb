package evidence_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestOutlying(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*evidence.Run)
		want   string
	}{
		{"none", func(*evidence.Run) {}, "Far off: none of 120 samples took more than twice the p50 of its series, or less than half of it."},
		{"twice is not more than that", func(r *evidence.Run) { r.Series[0].Samples = []float64{1, 2, 1, 0.5, 1} },
			"Far off: none of 120 samples took more than twice the p50 of its series, or less than half of it."},
		{"a slow one", func(r *evidence.Run) { r.Series[0].Samples = []float64{1, 1, 2.5, 1, 1} },
			"Far off: 1 of 120 samples took more than twice the p50 of its series, or less than half of it; it counts like all others. " +
				"The farthest: blob, n = 500, write, round 3: 2.50 s, 2.50 times the p50."},
		{"the farthest first, whichever way", func(r *evidence.Run) {
			r.Series[0].Samples = []float64{1, 3, 1, 1, 2.2}
			r.Series[4].Samples = []float64{10, 10, 1, 10, 10} // gets, in seconds
			r.Series[1].Samples = []float64{4, 1, 1, 1, 1}
		}, "Far off: 4 of 120 samples took more than twice the p50 of their series, or less than half of it; they count like all others. " +
			"The farthest: blob, n = 500, gets, round 3: 1.00 s, 0.10 times the p50; blob, n = 500, put, round 1: 4.00 s, 4.00 times the p50; blob, n = 500, write, round 2: 3.00 s, 3.00 times the p50."},
		{"bytes are not timed", func(r *evidence.Run) { r.Series[6].Samples = []float64{4096, 4096, 40960, 4096, 4096} },
			"Far off: none of 120 samples took more than twice the p50 of its series, or less than half of it."},
		{"nothing timed", func(r *evidence.Run) { r.Series = nil }, ""},
	} {
		run := made()
		c.change(run)
		if diff := cmp.Diff(c.want, run.Outlying()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What is far off stays where it was, and in every summary.
func TestFarOffDropsNothing(t *testing.T) {
	run := made()
	samples := []float64{1, 1, 9, 1, 1}
	run.Series[0].Samples = slices.Clone(samples)
	list, _ := run.FarOff()
	if want := []evidence.FarOff{{"blob", 500, labkit.Write.Name, 3, 9, 9}}; !slices.Equal(list, want) {
		t.Errorf("far off: %+v, want %+v", list, want)
	}
	text(t, run)
	s, ok := run.Summary("blob", 500, labkit.Write.Name)
	if !ok || s.Count != 5 || s.Min != 500.0/9 || !slices.Equal(run.Series[0].Samples, samples) {
		t.Errorf("samples %v, summary %+v", run.Series[0].Samples, s)
	}
}
