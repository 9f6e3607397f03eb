package second_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/live"
	"shelflab/labkit/arms/second"
)

var plan = labkit.Plan{Name: "second", N: []int{2}, Rounds: 1, Keys: 1, Seed: 1}

func table() *second.Table {
	return second.New(append(live.All(plan.Durability), live.Unlocked(plan.Durability)...)...)
}

// The test binary is the first of the two processes.
func TestMain(m *testing.M) {
	task, ok := labkit.ChildTask()
	if !ok {
		os.Exit(m.Run())
	}
	ctx, stop := labkit.Context()
	defer stop()
	if err := task.Do(ctx, table().Arms()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// What each store is known to do.
func TestTable(t *testing.T) {
	table := table()
	if _, err := (labkit.Lab{Plan: plan, Dir: t.TempDir()}).MeasureTrials(t.Context(), 2, table.Arms()); err != nil {
		t.Fatal(err)
	}
	const (
		waits  = "waits until that is done\nboth updates are there"
		reads  = "reads\nwhat was written last"
		atOnce = "refused at once"
	)
	want := map[string][4]string{
		"shelf":          {atOnce, atOnce, atOnce, atOnce},
		"bbolt":          {"refused after 1.", "waits", "refused after 1.", "refused after 1."},
		"badgerhold":     {atOnce, atOnce, atOnce, atOnce},
		"blob":           {"writes", waits, reads, "writes"},
		"indexed blob":   {"writes", waits, reads, "writes"},
		"SQLite":         {"writes", waits, reads, "writes"},
		"SQLite, WAL":    {"writes", waits, reads, "writes"},
		"files, locked":  {"writes", waits, reads, "writes"},
		"blob, no lock":  {"writes", "does not wait\nan update is lost", reads, "writes"},
		"files, no lock": {"writes", "does not wait\nan update is lost", reads, "writes"},
	}
	rows := table.Rows()
	if len(rows) != len(want) || len(table.Head()) != 5 {
		t.Errorf("%d rows below %q", len(rows), table.Head())
	}
	for _, row := range rows {
		for i, cell := range row[1:] {
			if !strings.HasPrefix(cell, want[row[0]][i]) || strings.Contains(cell, t.TempDir()) {
				t.Errorf("%s, %s: %q, want %q", row[0], table.Head()[i+1], cell, want[row[0]][i])
			}
			t.Logf("%s, %s: %q", row[0], table.Head()[i+1], cell)
		}
	}
}
