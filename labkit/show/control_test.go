package show

import (
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// controlled is made with the blob measured twice, the second time slow times as
// slow.
func controlled(t *testing.T, slow float64) *evidence.Run {
	t.Helper()
	plan := samplePlan()
	plan.N = plan.N[:1]
	arms := append(sampleArms(), labkit.Arm{Name: "blob, again", Kind: "snapshot", Pair: "ours", Control: true})
	all := []string{"write", "read", "gets"}
	comparisons := append(sampleComparisons(), evidence.Comparison{Role: evidence.Control, Label: "the control", A: "blob", B: "blob, again", Metrics: all})
	rec, err := evidence.Record(t.TempDir(), plan, arms, comparisons)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	series := slices.Clone(made(t, plan, sampleArms(), nil).Series)
	for _, s := range series {
		if s.Arm != "blob" {
			continue
		}
		s.Arm, s.Samples = "blob, again", slices.Clone(s.Samples)
		if s.Unit == "s" {
			for i := range s.Samples {
				s.Samples[i] *= slow
			}
		}
		series = append(series, s)
	}
	if err := rec.Keep(500, series); err != nil {
		t.Fatal(err)
	}
	return rec.Run()
}

// What is measured twice is no result of its own.
func TestControlIsLeftOutOfTheResults(t *testing.T) {
	run := controlled(t, 1)
	for _, table := range []Table{Lead(run, 500), winners(run, 500)} {
		if text := table.Text(); strings.Contains(text, "again") {
			t.Errorf("the control is in a table of results:\n%s", text)
		}
	}
	ratios := Ratios(run)
	rows := 0
	for _, row := range ratios.Rows {
		if row[0] == "blob over blob, again\ncontrol: the same arm, measured twice" {
			rows++
		}
	}
	if rows != 3 {
		t.Errorf("%d rows of the control among the ratios, want 3:\n%s", rows, ratios.Text())
	}
}

func TestVerdictBoxTellsTheControl(t *testing.T) {
	x := verdictOf(controlled(t, 1))
	last := len(x.lines) - 1
	if got := x.lines[last-1]; got != "Control, n = 500: blob measured twice shows no difference from itself: none of 3 ratios differs at 93.75 %." {
		t.Errorf("before its end the box says %q", got)
	}
	if got := x.lines[last]; got != "Far off: none of 190 samples took more than twice the p50 of its series, or less than half of it." {
		t.Errorf("the box ends with %q", got)
	}
	x = verdictOf(controlled(t, 1.5))
	if !strings.HasPrefix(x.lines[0], "This machine was too noisy, n = 500: blob measured twice differs from itself: write 1.50 times, read 1.50 times, gets 1.50 times.") {
		t.Errorf("the box begins with %q", x.lines[0])
	}
	if slices.ContainsFunc(x.lines, func(line string) bool { return strings.HasPrefix(line, "Control") }) || x.tone != toneWarn {
		t.Errorf("its lines are %q", x.lines)
	}
	x = verdictOf(made(t, samplePlan(), sampleArms(), nil))
	if strings.Contains(strings.Join(x.lines, "\n"), "Control") {
		t.Errorf("a run without a control: %q", x.lines)
	}
}

func TestLeadTellsTheClock(t *testing.T) {
	run := made(t, samplePlan(), sampleArms(), func(s labkit.Series) *labkit.Series {
		if s.Arm == "shelf, bulk" && s.Metric == "gets open" && s.N == 500 {
			s.Batch = 16
		}
		return &s
	})
	const clock = "The clock takes 45.0 ns to read, and steps of 25.0 ns."
	for n, want := range map[int]string{
		500:  clock + " Too short to be timed alone, so called several times in one sample: gets open of shelf, bulk in 16.",
		8000: clock,
	} {
		if notes := Lead(run, n).Notes; !slices.Contains(notes, want) {
			t.Errorf("n = %d: no %q among %q", n, want, notes)
		}
	}
	run.Environment.Timer = labkit.Timer{}
	if text := strings.Join(Lead(run, 8000).Notes, "\n"); strings.Contains(text, "clock takes") {
		t.Errorf("of a clock that nobody knows:\n%s", text)
	}
}
