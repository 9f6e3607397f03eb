package show

import (
	"fmt"
	"slices"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Limit returns what the arms did at the largest n under the plan's limit on memory: a
// row for each, with the bytes of its records, what its process has taken of the limit
// for a full read and for gets, and what was resident at the peak of the read. A nil
// run, or one without a limit, gives a table that says so.
func Limit(run *evidence.Run) Table {
	t := Table{Title: "Under a limit on memory"}
	if run == nil || run.Plan.DataLimit == 0 || len(run.Series)+len(run.Unmeasured) == 0 {
		t.Notes = []string{"Nothing has been measured under a limit yet."}
		return t
	}
	n := run.Plan.Largest()
	limit := evidence.Quantity(float64(run.Plan.DataLimit), "B")
	read, gets := labkit.OwnMemory.Of(labkit.Read), labkit.OwnMemory.Of(labkit.Gets)
	resident := labkit.PeakMemory.Of(labkit.Read)
	t.Title = fmt.Sprintf("With %s of memory to take, at %s: p50 of %s", limit, size(run, n), rounds(run.Plan.Rounds))
	t.Head = []string{"arm", "records\nbytes", "limit\nbytes", "taken by a full read\nbytes", "taken by gets, too\nbytes", "resident at the peak\nbytes", "result"}
	payload := none
	for _, s := range run.Series {
		if s.N == n && s.Payload > 0 {
			payload = evidence.Quantity(float64(s.Payload), "B")
		}
	}
	for _, arm := range labkit.Results(run.Arms) {
		result := none
		if _, ok := run.Summary(arm.Name, n, read.Name); ok {
			result = "read all"
		}
		if why := run.Starved(arm.Name, n); why != "" {
			result = labkit.Starved
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s.", arm.Name, why))
		}
		t.Rows = append(t.Rows, []string{arm.Name + "\n" + describe(arm), payload, limit,
			value(run, arm.Name, n, read), value(run, arm.Name, n, gets), value(run, arm.Name, n, resident), result})
	}
	t.Notes = append(t.Notes, intervalNote(run, n),
		fmt.Sprintf("Each turn in a process of its own, which the system refuses more than the limit (RLIMIT_DATA). Taken: %s. After the read come the gets, in the same process.", read.What),
		"Resident at the peak: "+resident.What+". That includes pages of files, which a store has mapped and the system takes back when it needs them: they do not count against the limit.")
	t.Notes = slices.Compact(t.Notes)
	return t
}
