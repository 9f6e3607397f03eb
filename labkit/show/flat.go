package show

import (
	"fmt"

	"shelflab/labkit/evidence"
)

// Flat returns what one record costs an arm at a large n against what it costs at a
// small one: a row for each arm and metric of the run's flat comparisons. A nil
// run, or one without them, gives a table that says so.
func Flat(run *evidence.Run) Table {
	t := Table{Title: "Who stays flat: one record at a large n against one at a small n"}
	if run == nil || len(run.Flats) == 0 {
		t.Notes = []string{"Nothing has been measured yet that tells: it takes two sizes of the sweep, and comparisons that ask for it."}
		return t
	}
	t.Head = []string{"arm", "metric", "from\nn", "to\nn", "a record costs\ntimes", "so it"}
	least := run.Flats[0]
	for _, f := range run.Flats {
		t.Rows = append(t.Rows, []string{f.Arm, f.Metric, evidence.Count(f.From), evidence.Count(f.To), times(f.Summary), f.Words()})
		if f.Level < least.Level {
			least = f
		}
	}
	t.Notes = []string{fmt.Sprintf("A record's cost is a sample over n. An arm stays flat if it is at most %s times as dear at the large n. Below n = %s the fixed costs of a store are most of a record's, so it is compared with one at %s or more, where there are two such sizes.",
		evidence.Factor(evidence.FlatWithin), evidence.Count(evidence.FlatFrom), evidence.Count(evidence.FlatFrom))}
	if least.HasInterval() {
		t.Notes = append(t.Notes, fmt.Sprintf("Below each ratio its interval at the %s level. Rounds are paired by their number, but the two sizes were not measured together: what slows the machine down between them is in it.", evidence.Percent(least.Level)))
	} else {
		t.Notes = append(t.Notes, fmt.Sprintf("No intervals: %s, and an interval needs 5.", rounds(least.Count)))
	}
	return t
}

// Forecasts returns what the rounds of sizes that are still to be measured will take,
// a row for each, extrapolated from those that are; and a note for each that asks
// whether it fits, which fits answers: nil, or an error that says why not and what to
// do.
func Forecasts(run *evidence.Run, sizes []int, fits func(evidence.Forecast) error) Table {
	t := Table{Title: "What the larger sizes will take, estimated"}
	if len(sizes) == 0 {
		t.Notes = []string{"The plan lists no larger size."}
		return t
	}
	if run == nil {
		run = &evidence.Run{}
	}
	t.Head = []string{"n\nrecords", "from\nn", "all rounds\ntime", "a round's process\nmemory", "its stores\non disk", "so it is"}
	for _, n := range sizes {
		f, ok := run.Forecast(n)
		if !ok {
			t.Rows = append(t.Rows, []string{evidence.Count(n), none, none, none, none, "not known"})
			t.Notes = append(t.Notes, fmt.Sprintf("n = %s: no smaller size has been measured to its end, so nothing tells.", evidence.Count(n)))
			continue
		}
		so := "measured"
		if err := fits(f); err != nil {
			so = "refused"
			t.Notes = append(t.Notes, fmt.Sprintf("⚠ n = %s: %v.", evidence.Count(n), err))
		}
		t.Rows = append(t.Rows, []string{evidence.Count(n), counts(f.From), evidence.Quantity(f.Seconds, "s"), evidence.Quantity(f.Peak, "B"), evidence.Quantity(f.Disk, "B"), so})
	}
	t.Notes = append(t.Notes, "Extrapolated on straight lines through what the processes of the rounds have taken at the two largest sizes measured, or in proportion where there is one: no cliff shows in it. Time is with everything that a round does beside its samples, such as making the records.")
	return t
}
