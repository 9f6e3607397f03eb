package show

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// clockNote says what the clock itself takes and what was timed in batches at n,
// "" where the evidence does not tell, as that of the first schema.
func clockNote(run *evidence.Run, n int) string {
	timer := run.At(n).Timer
	if timer == (labkit.Timer{}) {
		return ""
	}
	note := fmt.Sprintf("The clock takes %s to read, and steps of %s.", evidence.Quantity(timer.Cost, "s"), evidence.Quantity(timer.Grain, "s"))
	var batches []string
	for _, arm := range labkit.Results(run.Arms) {
		for _, s := range run.Series {
			if s.Arm == arm.Name && s.N == n && s.Batch > 1 {
				batches = append(batches, fmt.Sprintf("%s of %s in %s", s.Metric, s.Arm, evidence.Count(s.Batch)))
			}
		}
	}
	if len(batches) > 0 {
		slices.Sort(batches)
		note += " Too short to be timed alone, so called several times in one sample: " + strings.Join(batches, "; ") + "."
	}
	return note
}
