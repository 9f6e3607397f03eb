package show

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit"
	"shelflab/labkit/cost"
	"shelflab/labkit/evidence"
	"shelflab/labkit/evidence/madeup"
)

func madeModel(t *testing.T, rounds int, noise float64) *evidence.Model {
	t.Helper()
	run, parts := madeup.Runs(rounds, noise)
	m, err := evidence.ModelOf(run, parts...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// row is the row of a table whose first cells begin with these texts.
func row(t *testing.T, table Table, begins ...string) []string {
	t.Helper()
	for _, row := range table.Rows {
		all := true
		for i, text := range begins {
			all = all && strings.HasPrefix(row[i], text)
		}
		if all {
			return row
		}
	}
	t.Fatalf("no row %q in %q", begins, table.Rows)
	return nil
}

func TestFormulas(t *testing.T) {
	got := Formulas(madeModel(t, 5, 1))
	if len(got.Rows) != 16 {
		t.Errorf("%d rows, want 16", len(got.Rows))
	}
	want := []string{"blob", "load", "100 µs", "300 ns", "3.00 ns", "1.00", "7 sizes\nn = 100 to 1,000,000 of 120 to 1,200 B"}
	if got := row(t, got, "blob", "load"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if disk := row(t, got, "shelf, bulk", "disk"); disk[2] != "1.05 MB" || disk[4] != "1.10 B" {
		t.Errorf("%q", disk)
	}
	noisy := Formulas(madeModel(t, 5, 3))
	if text := noisy.HTML(); !strings.Contains(text, "a bad fit") || !strings.Contains(text, "at the 93.75 % level") {
		t.Errorf("a bad fit is not marked: %s", text)
	}
	run, parts := madeup.Runs(5, 1)
	alone, err := evidence.ModelOf(run)
	if err != nil {
		t.Fatal(err)
	}
	table := Formulas(alone)
	if cells := row(t, table, "blob", "load"); cells[4] != none || cells[3] != "660 ns" {
		t.Errorf("records of one size: %q", cells)
	}
	if notes := strings.Join(table.Notes, "\n"); !strings.Contains(notes, "per byte: the records were of one size") {
		t.Errorf("%s", notes)
	}
	// Two sizes for two coefficients: nothing is known of the error.
	run.Series = slices.DeleteFunc(run.Series, func(s labkit.Series) bool { return s.N > 1000 })
	two, err := evidence.ModelOf(run, parts[:1]...)
	if err != nil {
		t.Fatal(err)
	}
	if cells := row(t, Formulas(two), "blob", "load"); cells[5] != none {
		t.Errorf("%q", cells)
	}
	day := Day(two, cost.Day{N: 500, Record: 120, Writes: 1})
	if notes := strings.Join(day.Notes, "\n"); !strings.Contains(notes, "The error is not known, since there were no more sizes than coefficients: write of ") {
		t.Error(notes)
	}
	if few := Formulas(madeModel(t, 2, 1.1)); !strings.Contains(strings.Join(few.Notes, "\n"), "No intervals: 2 rounds, and an interval needs 5.") {
		t.Errorf("%q", few.Notes)
	}
	if none := Formulas(nil); len(none.Rows) > 0 || len(none.Notes) != 1 {
		t.Errorf("%+v", none)
	}
}

func TestHeldOut(t *testing.T) {
	run, parts := madeup.Runs(5, 1)
	for _, part := range parts {
		if part.Plan.Name != "05_madeup_held_out" {
			continue
		}
		for i, s := range part.Series {
			if s.Arm == "blob" && s.Metric == "write" {
				for j := range s.Samples {
					part.Series[i].Samples[j] *= 1.5
				}
			}
		}
	}
	m, err := evidence.ModelOf(run, parts...)
	if err != nil {
		t.Fatal(err)
	}
	table := HeldOut(m)
	if want := []string{"arm", "what", "n = 300\n120 B a record", "n = 30,000\n120 B a record"}; !slices.Equal(table.Head, want) {
		t.Errorf("%q", table.Head)
	}
	if cells := row(t, table, "blob", "write"); cells[2] != none || cells[3] != "1.50\noutside of 1.00" {
		t.Errorf("%q", cells)
	}
	if cells := row(t, table, "indexed blob", "cycle\nk = 3,000"); cells[2] != "1.00\nwithin 1.00" || cells[3] != "1.00\nwithin 1.00" {
		t.Errorf("%q", cells)
	}
	if len(table.Rows) != 22 || table.Notes[0] != "27 of 28 lie within the stated error." {
		t.Errorf("%d rows, %q", len(table.Rows), table.Notes)
	}
	alone, err := evidence.ModelOf(run)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*evidence.Model{nil, alone} {
		if table := HeldOut(m); len(table.Rows) > 0 || len(table.Notes) != 1 {
			t.Errorf("%+v", table)
		}
	}
}

func TestDay(t *testing.T) {
	m := madeModel(t, 5, 1)
	table := Day(m, cost.Day{N: 50_000, Record: 200, Writes: 2, Opens: 10, Gets: 20_000, Updates: 100})
	if want := "A day with 50,000 records of 200 bytes, process-crash: full writes 2, opens 10, gets 20,000, updates 100"; table.Title != want {
		t.Errorf("%q, want %q", table.Title, want)
	}
	// 2 x (15 ms + 75 ms + 40 ms) + 10 x 2 ms + 20,000 x 2.05 us + 100 x 10 us
	want := []string{"shelf, bulk", "322 ms", "1", "12.0 MB", "full writes, 81 %\nmostly the part per record"}
	if cells := row(t, table, "shelf, bulk"); !slices.Equal(cells, want) {
		t.Errorf("%q, want %q", cells, want)
	}
	// 2 x 25.3 ms + 10 x 45.1 ms + 100 x 25.3 ms
	if cells := row(t, table, "blob"); cells[1] != "3.03 s" || cells[2] != "9.41" || cells[4] != "updates, 83 %\nmostly the part per byte" {
		t.Errorf("%q", cells)
	}
	if len(table.Rows) != 3 || table.Rows[0][0] != "shelf, bulk" || table.Rows[1][0] != "blob" {
		t.Errorf("%q", table.Rows)
	}
	for _, note := range table.Notes {
		if strings.Contains(note, "Extrapolated") {
			t.Errorf("%q", note)
		}
	}
	busy := Day(m, cost.Day{N: 50_000, Record: 200, Updates: 1e7})
	if notes := strings.Join(busy.Notes, "\n"); !strings.Contains(notes, "More than the 86,400 s that a day has: blob, indexed blob.") {
		t.Error(notes)
	}
	far := Day(m, cost.Day{N: 5_000_000, Record: 5000, Gets: 10})
	notes := strings.Join(far.Notes, "\n")
	if !strings.HasSuffix(far.Rows[0][0], "\nextrapolated") || !strings.Contains(notes, "n is above the largest that was measured, 1,000,000 (") || !strings.Contains(notes, "the records are above the largest that were measured, of 1.20 kB") {
		t.Errorf("%q\n%s", far.Rows, notes)
	}
	// What two arms differ by is less than the error.
	alike := Day(madeModel(t, 5, 1.5), cost.Day{N: 1000, Record: 120, Writes: 1})
	if cells := alike.Rows[1]; !strings.HasSuffix(cells[2], "\ncannot be told") {
		t.Errorf("%q", alike.Rows)
	}
	for name, c := range map[string]struct {
		m    *evidence.Model
		day  cost.Day
		says string
	}{
		"no model":           {nil, cost.Day{}, "There is no model yet"},
		"nothing":            {m, cost.Day{N: 10, Record: 120}, "nothing is done in a day"},
		"another durability": {m, cost.Day{N: 10, Record: 120, Gets: 1, Durability: labkit.PowerLoss}, "no arm that writes for power-loss"},
		"less than nothing":  {m, cost.Day{N: 10, Record: 120, Gets: -1}, "-1 times a day"},
	} {
		table := Day(c.m, c.day)
		if len(table.Rows) > 0 || !strings.Contains(strings.Join(table.Notes, "\n"), c.says) {
			t.Errorf("%s: %+v, want %q", name, table, c.says)
		}
	}
}

// The title of a day says all of it.
func TestParseDay(t *testing.T) {
	number := rapid.OneOf(rapid.Float64Range(0, 1e12), rapid.Map(rapid.IntRange(0, 1e9), func(i int) float64 { return float64(i) }))
	rapid.Check(t, func(t *rapid.T) {
		day := cost.Day{
			N: rapid.IntRange(0, labkit.MaxRecords).Draw(t, "n"), Record: number.Draw(t, "bytes"),
			Writes: number.Draw(t, "writes"), Opens: number.Draw(t, "opens"), Gets: number.Draw(t, "gets"), Updates: number.Draw(t, "updates"),
			Durability: rapid.SampledFrom([]labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss}).Draw(t, "class"),
		}
		if got, err := ParseDay(dayText(day)); err != nil || got != day {
			t.Fatalf("%q is read as %+v, %v", dayText(day), got, err)
		}
	})
	good := dayText(cost.Day{N: 1000, Record: 10})
	for _, title := range []string{"", "A day", good + " ", strings.Replace(good, "1,000", "1000", 1), strings.Replace(good, "1,000", "many", 1),
		strings.Replace(good, "process-crash", "hope", 1), strings.Replace(good, "1,000", "1e3", 1)} {
		if day, err := ParseDay(title); err == nil {
			t.Errorf("%q is read as %+v", title, day)
		}
	}
}

// The verdict and the head of a page hold the model, if cycles were measured.
func TestVerdictHoldsTheModel(t *testing.T) {
	run, parts := madeup.Runs(5, 1.1)
	for name, text := range map[string]string{"verdict": VerdictHTML(run, parts...), "head": Head(run, parts...)} {
		if !strings.Contains(text, "Which store: the cost model") || !strings.Contains(text, "held-out points") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if text := verdictOf(run, parts...).text(100); !strings.Contains(text, "is the cheapest up to k = ") {
		t.Error(text)
	}
	if text := Head(run); strings.Contains(text, "the cost model") {
		t.Error("a run without cycles has a map")
	}
	if rows := Cheapest(nil).Rows; rows != nil {
		t.Errorf("%q", rows)
	}
	if math.IsNaN(levelOf(5)) || levelOf(5) != 0.9375 {
		t.Error(levelOf(5))
	}
}
