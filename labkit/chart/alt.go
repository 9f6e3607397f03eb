package chart

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// unitText names a metric's unit in words.
func unitText(m labkit.Metric) string {
	switch m.Unit {
	case "records/s":
		return "records a second"
	case "ops/s":
		return "operations a second"
	case "s":
		return "seconds"
	case "B":
		return "bytes"
	case "B/record":
		return "bytes a record"
	case "allocs/record":
		return "allocations a record"
	case "B/B":
		return "bytes for each byte of the records"
	case "GCs":
		return "collections"
	}
	return m.Unit
}

// quantity writes a value of a metric. What is no time, size or rate has its
// unit beside the axis.
func quantity(v float64, m labkit.Metric) string {
	return strings.TrimSpace(evidence.Quantity(v, shortUnit(m.Unit)))
}

// shortUnit is the unit that a number is written with.
func shortUnit(unit string) string {
	switch unit {
	case "records/s", "ops/s", "s", "B":
		return unit
	case "B/record":
		return "B"
	}
	return ""
}

// absent names arms that have no samples.
func absent(arms []string) string {
	if len(arms) == 0 {
		return ""
	}
	return fmt.Sprintf("No samples of %s.", strings.Join(quoted(arms), ", "))
}

// quoted puts names, which may hold commas, in quotation marks and clips them.
func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = "“" + clip(write(textSize, inkColor, 0, 0), name, 240) + "”"
	}
	return out
}

// entry is one value that an alternative text lists.
type entry struct {
	name string
	labkit.Summary
}

// ranked lists the values, best first. Their intervals are left to the table:
// who listens to a text cannot skip in it.
func ranked(list []entry, m labkit.Metric) string {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b entry) int {
		switch {
		case a.P50 == b.P50:
			return 0
		case (a.P50 > b.P50) == m.Higher:
			return -1
		}
		return 1
	})
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = quoted([]string{e.name})[0] + " " + quantity(e.P50, m)
	}
	return strings.Join(texts, "; ")
}

// scaleAlt says what a scale chart shows: the values at each n.
func scaleAlt(run *evidence.Run, m labkit.Metric, curves []curve, ns []int, missing []string) string {
	parts := []string{fmt.Sprintf("Line chart on log axes: %s in %s over n = %s%s, p50 of %s.", m.Name, unitText(m), counts(ns), counted(run.Plan), rounds(run.Plan))}
	for _, n := range slices.Compact([]int{ns[0], ns[len(ns)-1]}) { // the table has those between
		var list []entry
		for _, c := range curves {
			for _, p := range c.points {
				if p.n == n {
					list = append(list, entry{c.arm, p.Summary})
				}
			}
		}
		if len(list) > 0 {
			parts = append(parts, fmt.Sprintf("At n = %s, by p50, best first: %s.", evidence.Count(n), ranked(list, m)))
		}
	}
	return join(append(parts, absent(missing), incomplete(run))...)
}
