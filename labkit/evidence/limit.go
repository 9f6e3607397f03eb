package evidence

import (
	"fmt"
	"strings"

	"shelflab/labkit"
)

// limitLines say what the arms did under the plan's limit on their memory, a line
// for each size: those that read, what they took beside the limit, and those that
// it left without memory.
func (r *Run) limitLines() []string {
	if r.Plan.DataLimit == 0 {
		return nil
	}
	own := labkit.OwnMemory
	limit := Quantity(float64(r.Plan.DataLimit), "B")
	var lines []string
	for _, n := range r.Plan.N {
		var did, not []string
		var level float64
		for _, arm := range labkit.Results(r.Arms) {
			for _, of := range []labkit.Metric{labkit.Read, labkit.Gets} {
				if s, ok := r.Summary(arm.Name, n, own.Of(of).Name); ok {
					took := Quantity(s.P50, "B")
					if s.HasInterval() {
						took += fmt.Sprintf(" (%s to %s)", Quantity(s.Lo, "B"), Quantity(s.Hi, "B"))
						level = s.Level
					}
					did = append(did, fmt.Sprintf("%s, %s, with %s", arm.Name, lower(r.deed(of)), took))
				}
			}
			if r.Starved(arm.Name, n) != "" {
				not = append(not, arm.Name)
			}
		}
		var texts []string
		if len(did) > 0 {
			texts = append(texts, "it was enough for "+strings.Join(did, "; "))
		}
		if len(not) > 0 {
			texts = append(texts, "out of memory: "+strings.Join(not, "; "))
		}
		if len(texts) == 0 {
			continue
		}
		line := fmt.Sprintf("With %s of memory of its own to take, %s: %s.", limit, r.at(n), strings.Join(texts, "; "))
		if level > 0 {
			line += fmt.Sprintf(" Intervals at %s.", Percent(level))
		}
		lines = append(lines, line)
	}
	return lines
}

// Starved says why an arm was left without memory at n by the plan's limit, as the
// end of a sentence; "" if it was not.
func (r *Run) Starved(arm string, n int) string {
	for _, u := range r.Unmeasured {
		if r.Plan.DataLimit > 0 && u.Arm == arm && u.N == n && u.Metric == labkit.OwnMemory.Of(labkit.Read).Name && strings.HasPrefix(u.Why, labkit.Starved) {
			return u.Why
		}
	}
	return ""
}
