package evidence_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

const (
	faster = "A blob is written faster"
	sooner = "An open shelf answers sooner"
)

// claimed compares the blob with the shelf at n = 500 and 2,000: theirs, of which
// it was claimed, ours, and a pair that this machine has not.
func claimed(theirs, ours map[int][]float64) *evidence.Run {
	run := made()
	run.Arms = append(run.Arms, labkit.Arm{Name: "pickle"}, labkit.Arm{Name: "shelve", Durability: labkit.PowerLoss},
		labkit.Arm{Name: "absent", Unmeasured: "there is no Python; install one"})
	write := []string{"write"}
	run.Comparisons = []evidence.Comparison{
		{Role: labkit.Claim, Label: "Python", A: "pickle", B: "shelve", Metrics: write, Claim: faster},
		{Role: labkit.Claim, Label: "another Python", A: "pickle", B: "absent", Metrics: write, Claim: faster},
		{Role: labkit.CarryOver, Label: "our pair", A: "blob", B: "shelf, bulk", Metrics: write, Claim: faster},
		{Role: labkit.CarryOver, Label: "our pair", A: "shelf, bulk", B: "blob", Metrics: []string{"gets open"}, Against: "gets", Claim: sooner},
	}
	run.Series = nil
	one := []float64{1, 1, 1, 1, 1}
	for _, n := range run.Plan.N {
		run.Series = append(run.Series,
			series("pickle", n, labkit.Write, one...), series("shelve", n, labkit.Write, theirs[n]...),
			series("blob", n, labkit.Write, one...), series("shelf, bulk", n, labkit.Write, ours[n]...),
			series("blob", n, labkit.Gets, 4, 4, 4, 4, 4), series("shelf, bulk", n, labkit.GetsOpen, one...))
	}
	return run
}

func both(samples []float64) map[int][]float64 {
	return map[int][]float64{500: samples, 2000: samples}
}

var (
	four    = []float64{4, 4, 4, 4, 4}
	quarter = []float64{.25, .25, .25, .25, .25}
	about   = []float64{.9, 1.1, 1, 1, 1}
	wild    = []float64{.1, 10, 1, 1, 1}
)

// What a claim comes to in each pair, and how many times better its arm is.
func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name    string
		shelf   []float64
		outcome evidence.Outcome
		p50     float64
		why     string
	}{
		{"holds", four, evidence.Holds, 4, ""},
		{"reversed", quarter, evidence.Reversed, 4, ""},
		{"hardly a difference", about, evidence.NoDifference, 1, ""},
		{"the same", []float64{1, 1, 1, 1, 1}, evidence.NoDifference, 1, ""},
		{"too wide", wild, evidence.CannotBeTold, 1, ""},
		{"too few rounds", four[:3], evidence.CannotBeTold, 4, "3 rounds reach no interval, at least 5 are needed"},
	} {
		run := claimed(both(four), both(c.shelf))
		text(t, run)
		got := run.Findings(2000)
		if len(got) != 4 {
			t.Fatalf("%d findings", len(got))
		}
		if f := got[2]; f.Outcome != c.outcome || f.Times.P50 != c.p50 || f.Why != c.why || f.N != 2000 || f.Label != "our pair" {
			t.Errorf("%s: %+v, want %s, %g times, %q", c.name, f, c.outcome, c.p50, c.why)
		}
		if f := got[0]; f.Outcome != evidence.Holds || f.Times.P50 != 4 || f.Role != labkit.Claim {
			t.Errorf("%s: theirs %+v", c.name, f)
		}
		if f := got[1]; f.Outcome != evidence.NotMeasured || f.Times.Count != 0 || f.Why != "there is no Python; install one" {
			t.Errorf("%s: an absent arm %+v", c.name, f)
		}
		if f := got[3]; f.Outcome != evidence.Holds || f.Times.P50 != 4 { // it takes a quarter
			t.Errorf("%s: one metric against another %+v", c.name, f)
		}
		for _, f := range run.Findings(99) {
			if f.Outcome != evidence.NotMeasured || f.Why == "" {
				t.Errorf("%s: at a size that was not measured: %+v", c.name, f)
			}
		}
	}
	run := claimed(both(four), both(four))
	for i := range run.Comparisons {
		run.Comparisons[i].Metrics, run.Comparisons[i].Against = []string{"disk"}, ""
	}
	run.Series = append(run.Series[:0], series("blob", 2000, labkit.Disk, 0, 1, 1, 1, 1), series("shelf, bulk", 2000, labkit.Disk, 1, 1, 1, 1, 1))
	text(t, run)
	if f := run.Findings(2000)[2]; f.Outcome != evidence.CannotBeTold || !strings.HasPrefix(f.Why, "blob takes none in 1 of 5 rounds") || f.Times.Count != 0 {
		t.Errorf("without a ratio: %+v", f)
	}
}

// Each claim has a line that says where it holds, where it carries over to, by
// which ratios, and at which other size it is otherwise.
func TestVerdictOfClaims(t *testing.T) {
	const absent = "Not measured: absent: there is no Python; install one."
	const open = "An open shelf answers sooner, n = 2,000: holds in our pair." +
		" Our pair: 200 random gets from an open store of shelf, bulk takes 0.25 times as long as 200 random gets of blob (0.25 to 0.25). Intervals at 93.75 %."
	const python = "pickle is 4.00 times as fast as shelve (4.00 to 4.00), but shelve survives a power loss, pickle only a process crash"
	for _, c := range []struct {
		name         string
		theirs, ours map[int][]float64
		want         string
	}{
		{"carries over", both(four), both(four),
			"holds in Python; not measured in another Python; carries over to our pair. Python: " + python +
				"; our pair: blob is 4.00 times as fast as shelf, bulk (4.00 to 4.00). Intervals at 93.75 %."},
		{"is reversed", both(four), map[int][]float64{500: four, 2000: quarter},
			"holds in Python; not measured in another Python; does not carry over to our pair, where it is reversed. Python: " + python +
				"; our pair: shelf, bulk is 4.00 times as fast as blob (4.00 to 4.00). Intervals at 93.75 %. Otherwise at n = 500: holds in our pair."},
		{"no difference", both(four), both(about),
			"holds in Python; not measured in another Python; does not carry over to our pair, where no difference is seen. Python: " + python +
				"; our pair: no difference seen between blob and shelf, bulk (0.90 to 1.10). Intervals at 93.75 %."},
		{"cannot be told", both(four), both(wild),
			"holds in Python; not measured in another Python; whether it carries over to our pair cannot be told. Python: " + python +
				"; our pair: cannot be told between blob and shelf, bulk, the interval is too wide (0.10 to 10.0). Intervals at 93.75 %."},
		{"not seen where it was made", both(about), both(four),
			"no difference seen in Python; not measured in another Python; holds in our pair. Python: no difference seen between pickle and shelve (0.90 to 1.10)," +
				" but shelve survives a power loss, pickle only a process crash; our pair: blob is 4.00 times as fast as shelf, bulk (4.00 to 4.00). Intervals at 93.75 %."},
	} {
		run := claimed(c.theirs, c.ours)
		good := text(t, run)
		want := []string{faster + ", n = 2,000: " + c.want, open, absent}
		if diff := cmp.Diff(want, run.Verdict); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if _, err := evidence.VerifySummary(good); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Pairs of one outcome are named together, and each reason for an absence once.
func TestVerdictNamesPairsTogether(t *testing.T) {
	run := claimed(both(four), both(four))
	run.Arms = append(run.Arms, labkit.Arm{Name: "absent, too", Unmeasured: run.Arms[4].Unmeasured})
	more := run.Comparisons[1]
	more.Label, more.B = "a third", "absent, too"
	other := run.Comparisons[2]
	other.Label = "our pair again"
	run.Comparisons = append(run.Comparisons, more, other)
	text(t, run)
	if len(run.Verdict) != 3 || !strings.Contains(run.Verdict[0], ": holds in Python; not measured in another Python and a third; carries over to our pair and our pair again. ") ||
		run.Verdict[2] != "Not measured: absent and absent, too: there is no Python; install one." {
		t.Errorf("%q", run.Verdict)
	}
}

// What a claim is of is checked, is covered by the digest, and is refused in
// evidence of an older schema.
func TestVerifyCoversClaims(t *testing.T) {
	good := string(text(t, claimed(both(four), both(quarter))))
	for _, c := range []struct{ name, old, new, says string }{
		{"a claim", faster + `"`, `Blobs win"`, "digest: it does not fit"},
		{"a role", `"role": "carry-over"`, `"role": "claim"`, "digest: it does not fit"},
		{"a claim of a headline", `"role": "carry-over"`, `"role": "headline"`, "claims, and they alone, say what is claimed"},
		{"none", `"claim": "` + faster, `"claim": "`, "claims, and they alone, say what is claimed"},
		{"two metrics", `["write"`, `["read", "write"`, "a claim is about one metric, not 2"},
		{"the sentence", "where it is reversed", "where it holds", "verdict["},
		{"an older schema", `"schema": 4`, `"schema": 3`, "schema 3 knows no claims"},
	} {
		edited := strings.Replace(good, c.old, c.new, 1)
		if edited == good {
			t.Fatalf("%s: there is no %s to change", c.name, c.old)
		}
		if _, err := evidence.VerifySummary([]byte(edited)); !errors.Is(err, evidence.ErrAltered) && !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.says)
		}
	}
}
