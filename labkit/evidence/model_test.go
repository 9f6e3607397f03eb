package evidence_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/cost"
	"shelflab/labkit/evidence"
	"shelflab/labkit/evidence/madeup"
)

func modelOf(t *testing.T, rounds int, noise float64) *evidence.Model {
	t.Helper()
	run, parts := madeup.Runs(rounds, noise)
	m, err := evidence.ModelOf(run, parts...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// From samples without noise the formulas that made them come back, and everything
// that was held out lies on them.
func TestModelGivesTheFormulasBack(t *testing.T) {
	m := modelOf(t, 5, 1)
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-5*max(a, b) }
	for _, a := range m.Arms {
		for of, want := range madeup.Arms[a.Name] {
			got := a.Fits[of]
			// What is too small to show at any size cannot come back.
			for _, s := range []cost.Size{cost.Of(100, 120), cost.Of(300_000, 120), cost.Of(5000, 1200)} {
				if !near(got.Formula.At(s), want.At(s)) || got.Misfit > 1.00001 || got.Points != 7 {
					t.Errorf("%s of %s: %+v, want %+v", of, a.ID, got, want)
				}
			}
		}
		if len(a.Fits) != len(madeup.Arms[a.Name]) || len(a.Without) > 0 || a.Off > 1.0001 {
			t.Errorf("%s: %d formulas, without %v, off by %v", a.ID, len(a.Fits), a.Without, a.Off)
		}
	}
	if m.Record != madeup.Small || !slices.Equal(m.Records, []float64{madeup.Small, madeup.Large}) || m.Class != labkit.ProcessCrash || len(m.Kinds) != 3 {
		t.Errorf("%v, %v, %v, %v", m.Record, m.Records, m.Class, m.Kinds)
	}
	held := 0
	for _, c := range slices.Concat(m.Points, m.Model.Cycles) {
		if !c.Inside() || !near(c.Measured, c.Said.Cost) {
			t.Errorf("%+v lies outside", c)
		}
		if c.Held {
			held++
		}
	}
	if held != 28 { // 16 operations, and cycles of 3 arms at 2 sizes for 2 numbers of keys
		t.Errorf("%d were held out", held)
	}
}

func TestModelLines(t *testing.T) {
	m := modelOf(t, 5, 1)
	n := 10_000
	s := cost.Of(n, madeup.Small)
	crossing := (madeup.Cycle("blob", s, 0) - madeup.Cycle("indexed blob", s, 0)) / madeup.Arms["indexed blob"][cost.Get].At(s)
	lines := strings.Join(m.Lines(), "\n")
	for _, want := range []string{
		"The map, n = 100 to 1,000,000 by 1 to n keys fetched after a write, records of 120 B, process-crash: the cheapest is indexed blob on 80 %, blob on 20 %.",
		"At n = 10,000: by the p50s, indexed blob is the cheapest up to k = 1,850 keys between writes (1,850 to 1,850), then blob up to n.",
		"Held out: of 28 held-out points 28 lie within the stated error, a factor of 1.00 to 1.00.",
		"Held-out places on the map: at 4 of 4 ",
		"The error: the formulas are off by a factor of up to 1.00 ",
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %q in\n%s", want, lines)
		}
	}
	if math.Round(crossing/10)*10 != 1850 {
		t.Errorf("they cross at %v", crossing)
	}
	if few := strings.Join(modelOf(t, 2, 1.1).Lines(), "\n"); !strings.Contains(few, "no verdict after 2 rounds, at least 5 are needed") || !strings.Contains(few, "(no interval)") {
		t.Errorf("of two rounds:\n%s", few)
	}
	noisy := strings.Join(modelOf(t, 5, 3).Lines(), "\n")
	for _, want := range []string{"A bad fit, more than a factor of 2: ", "it cannot be told"} {
		if !strings.Contains(noisy, want) {
			t.Errorf("no %q in\n%s", want, noisy)
		}
	}
}

// A point that was held out and lies elsewhere is said to, with the numbers.
func TestModelFindsWhatIsOutside(t *testing.T) {
	run, parts := madeup.Runs(5, 1)
	for _, part := range parts {
		if _, held := part.Plan.Given[evidence.HeldOut]; !held {
			continue
		}
		for i, s := range part.Series {
			if s.Arm == "blob" && s.N == 30_000 && (s.Metric == "read" || s.Metric == "cycle" && s.Work == 30) {
				for j := range s.Samples {
					part.Series[i].Samples[j] *= 2
				}
			}
		}
	}
	m, err := evidence.ModelOf(run, parts...)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Join(m.Lines(), "\n")
	for _, want := range []string{
		"of 28 held-out points 26 lie within the stated error, a factor of 1.00 to 1.00; outside: blob, load, n = 30,000, records of 120 B: measured 39.8 ms, said 19.9 ms (19.9 ms to 19.9 ms); blob, cycle with 30 keys, n = 30,000",
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %q in\n%s", want, lines)
		}
	}
}

// Held-out samples change nothing that is fitted, and nothing that is said of the
// error.
func TestHeldOutTakesNoPart(t *testing.T) {
	run, parts := madeup.Runs(5, 1.3)
	with, err := evidence.ModelOf(run, parts...)
	if err != nil {
		t.Fatal(err)
	}
	var fitted []*evidence.Run
	for _, part := range parts {
		if _, held := part.Plan.Given[evidence.HeldOut]; !held {
			fitted = append(fitted, part)
		}
	}
	without, err := evidence.ModelOf(run, fitted...)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range with.Arms {
		for of, f := range a.Fits {
			other := without.Arms[i].Fits[of]
			if f.Formula != other.Formula || f.Misfit != other.Misfit || a.Off != without.Arms[i].Off {
				t.Errorf("%s of %s: %+v with what was held out, %+v without", of, a.ID, f.Formula, other.Formula)
			}
		}
	}
	if lines := strings.Join(without.Lines(), "\n"); !strings.Contains(lines, "Held out: nothing, so nothing checks the model.") {
		t.Error(lines)
	}
}

// What was held out of a part at a size that another part was fitted to checks
// nothing, and does not count.
func TestHeldOutIsUnseen(t *testing.T) {
	run, parts := madeup.Runs(5, 1.3)
	before, err := evidence.ModelOf(run, parts...)
	if err != nil {
		t.Fatal(err)
	}
	held := func(r *evidence.Run) *evidence.Run {
		other := *r
		other.Plan = r.Plan.With(evidence.HeldOut, true)
		other.Plan.Name += "_again"
		return &other
	}
	var again []*evidence.Run // of what was fitted, operations and cycles
	for _, r := range append(parts, run) {
		again = append(again, held(r))
	}
	after, err := evidence.ModelOf(run, append(slices.Clone(parts), again...)...)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := after.Lines(), before.Lines(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What cannot be fitted says so, and leaves the rest.
func TestModelOfLittle(t *testing.T) {
	run, parts := madeup.Runs(5, 1)
	if _, err := evidence.ModelOf(nil); !errors.Is(err, evidence.ErrNone) {
		t.Errorf("nil: %v", err)
	}
	if _, err := evidence.ModelOf(&evidence.Run{}); !errors.Is(err, evidence.ErrNone) {
		t.Errorf("nothing measured: %v", err)
	}
	older := *run
	older.Series = slices.Clone(run.Series)
	for i := range older.Series {
		older.Series[i].Payload = 0
	}
	if _, err := evidence.ModelOf(&older); !errors.Is(err, evidence.ErrNone) || !strings.Contains(err.Error(), "tells the bytes of its records") {
		t.Errorf("without payloads: %v", err)
	}
	// One n, interrupted rounds, a zero on disk: each is told.
	odd := *run
	odd.Series = nil
	for _, s := range run.Series {
		switch {
		case s.Metric == labkit.Open.Name && s.N > 100:
			continue
		case s.Metric == labkit.Read.Name && s.N == 1_000_000:
			s.Samples = s.Samples[:3]
		case s.Metric == labkit.Disk.Name && s.N == 100 && s.Arm == "blob":
			s.Samples = []float64{0, 0, 0, 0, 0}
		}
		odd.Series = append(odd.Series, s)
	}
	cycles := slices.DeleteFunc(slices.Clone(parts), func(part *evidence.Run) bool { return part.Plan.Given["fetched"] == "" })
	m, err := evidence.ModelOf(&odd, cycles...)
	if err != nil {
		t.Fatal(err)
	}
	shelf, blob := m.Arms[0], m.Arms[2]
	if err := shelf.Without[cost.Open]; !errors.Is(err, cost.ErrPoints) {
		t.Errorf("open at one n: %v", err)
	}
	if f := shelf.Fits[cost.Load]; f.Points != 4 || f.Range.MaxN != 100_000 || f.Untold != cost.NoByte {
		t.Errorf("what was interrupted counts: %+v", f)
	}
	if err := blob.Without[cost.Disk]; !errors.Is(err, cost.ErrPoints) {
		t.Errorf("nothing on disk: %v", err)
	}
	if lines := strings.Join(m.Lines(), "\n"); !strings.Contains(lines, "Not fitted: open of shelf, bulk: ") || !strings.Contains(lines, "disk of blob: ") {
		t.Error(lines)
	}
	// A part that counts other things, and a control, take no part.
	other := *run
	other.Plan.Counts = "items"
	control := *run
	control.Arms = slices.Clone(run.Arms)
	control.Arms[0].Control = true
	m, err = evidence.ModelOf(&control, &other)
	if err != nil || len(m.Arms) != 2 || m.Arms[0].Fits[cost.Write].Untold != cost.NoByte {
		t.Errorf("%+v, %v", m, err)
	}
	if m.Lines() != nil {
		t.Errorf("sentences without cycles: %q", m.Lines())
	}
}

func TestMapShare(t *testing.T) {
	for share, want := range map[float64]string{
		1.0 / 6400: "less than 1 %", 0.005: "1 %", 0.115: "12 %", 0.125: "13 %", 0.5: "50 %", 0.99: "99 %", 0.9951: "more than 99 %", 1: "100 %",
	} {
		if got := evidence.MapShare(share); got != want {
			t.Errorf("%v: %q, want %q", share, got, want)
		}
	}
}
