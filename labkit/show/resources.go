package show

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Resources returns what the operations take besides time at the largest n: a
// table for each of labkit.ResourceOperations that the arms have, a row for each
// arm: memory, allocations and collections of garbage, the p50 with its interval
// below. What was not measured is a dash, and a note says why. The last table
// has the notes that hold for all. Where nothing was measured there is one
// table, which says so.
func Resources(run *evidence.Run) []Table {
	var tables []Table
	for _, of := range labkit.ResourceOperations() {
		if len(tables) > 0 && !takes(run, of) {
			continue
		}
		t := extra(run, fmt.Sprintf("What %s takes besides time", of.Name),
			func(m labkit.Metric) bool { return resource(run, m.Name) && strings.HasPrefix(m.Name, of.Name+", ") },
			"Each turn in a process of its own, so that no arm's memory is another's. "+
				aRecord(run), of.Name+", ")
		if last := len(tables) - 1; last >= 0 {
			tables[last].Notes = slices.DeleteFunc(tables[last].Notes, func(note string) bool { return slices.Contains(t.Notes, note) })
		}
		tables = append(tables, t)
	}
	if len(tables) > 1 && !takes(run, labkit.ResourceOperations()[0]) {
		tables = tables[1:] // it only said that there is nothing
	}
	return tables
}

// aRecord says what falls to a record.
func aRecord(run *evidence.Run) string {
	if run != nil && run.Plan.Counts != "" {
		return fmt.Sprintf("A record is here one of the %s.", run.Plan.Counts)
	}
	return "A record is one that is written or read, or one get."
}

// takes tells whether it is known what an operation takes at the largest n, or
// why it is not.
func takes(run *evidence.Run, of labkit.Metric) bool {
	about := func(n int, metric string) bool {
		return n == run.Largest() && strings.HasPrefix(metric, of.Name+", ") && resource(run, metric)
	}
	return run != nil && (slices.ContainsFunc(run.Series, func(s labkit.Series) bool { return about(s.N, s.Metric) }) ||
		slices.ContainsFunc(run.Unmeasured, func(u labkit.Unmeasured) bool { return about(u.N, u.Metric) }))
}

// resource tells whether a metric is one of Resources.
func resource(run *evidence.Run, name string) bool {
	m, _ := run.Metric(name)
	return m.Group == labkit.Resources && m.Unit != "B/B"
}

// Amplification returns what the arms write and keep at the largest n, for each
// byte of the records, a row for each arm.
func Amplification(run *evidence.Run) Table {
	return extra(run, "Bytes written and kept for each byte of the records",
		func(m labkit.Metric) bool { return m.Group == labkit.Resources && m.Unit == "B/B" },
		"The records are their keys and fields, texts by their length and numbers by 8 bytes. "+
			"Below 1 an encoding is shorter than that. Until a store is closed it may have allocated more.", "")
}

// Cold returns the reads at the largest n on a cold page cache, a row for each
// arm, those right after them, and how many times slower the cold ones are.
func Cold(run *evidence.Run) Table {
	t := extra(run, "Reads on a cold page cache, and right after that",
		func(m labkit.Metric) bool { return m.Group == labkit.Cold },
		fmt.Sprintf("A cold time counts only if the system's own count of what the process fetched from the device shows that the data came from there: at least %s of what the store takes on disk for a full read, of the records fetched for gets. The price is paired inside each turn; %s.", evidence.Percent(labkit.ColdShare), spanNote(run)), "")
	if len(t.Rows) == 0 {
		return t
	}
	t.Head = append(t.Head, "read price\ntimes slower", "gets price\ntimes slower")
	for i, arm := range labkit.Results(run.Arms) {
		t.Rows[i] = append(t.Rows[i],
			slower(run, arm.Name, labkit.ReadCold, labkit.ReadWarm), slower(run, arm.Name, labkit.GetsCold, labkit.GetsWarm))
	}
	return t
}

// slower is how many times longer an arm takes for one metric than for another
// that was measured in the same turns, at the largest n.
func slower(run *evidence.Run, arm string, a, b labkit.Metric) string {
	samples := func(m labkit.Metric) []float64 {
		for _, s := range run.Series {
			if s.Arm == arm && s.N == run.Largest() && s.Metric == m.Name {
				return s.Samples
			}
		}
		return nil
	}
	ratio, err := labkit.PairedRatio(samples(a), samples(b))
	if err != nil { // one of them was not measured
		return none
	}
	return factor(run, ratio)
}

// Durability returns what the run of evidence.DurabilityPlan says of a metric, a
// row for each arm: where a finished write survives a crash of the process, where
// it survives a power loss, and how many times slower the second is.
func Durability(run *evidence.Run, m labkit.Metric) Table {
	t := Table{Title: "The price of surviving a power loss"}
	if run == nil || run.Largest() == 0 {
		t.Notes = []string{"It has not been measured yet."}
		return t
	}
	n := run.Largest()
	t.Title += fmt.Sprintf(": %s at n = %s, p50 of %s", m.Name, evidence.Count(n), rounds(run.Plan.Rounds))
	t.Head = []string{"arm", "survives a process crash\n" + headUnit(m), "survives a power loss\n" + headUnit(m), "price\ntimes slower"}
	for _, c := range run.Comparisons {
		if c.Role != labkit.Price || !slices.Contains(c.Metrics, m.Name) {
			continue
		}
		price := none
		for _, x := range run.Ratios {
			if x.Role == c.Role && x.A == c.A && x.B == c.B && x.N == n && x.Metric == m.Name {
				price = factor(run, x.Summary)
			}
		}
		t.Rows = append(t.Rows, []string{c.A, value(run, c.A, n, m), value(run, c.B, n, m), price})
	}
	t.Notes = []string{
		intervalNote(run, n) + " The price is paired inside each round; " + spanNote(run) + ".",
		m.Name + ": " + m.What + ". What survives a power loss is on the device before the call returns: a keyed store pays for each record or each batch, a snapshot once a file.",
	}
	return t
}

// priced lists the metrics whose price a run has asked for.
func priced(run *evidence.Run) []labkit.Metric {
	return slices.DeleteFunc(slices.Clone(run.Metrics), func(m labkit.Metric) bool {
		return !slices.ContainsFunc(run.Comparisons, func(c evidence.Comparison) bool {
			return c.Role == labkit.Price && slices.Contains(c.Metrics, m.Name)
		})
	})
}

// Prices returns Durability for each metric that is priced, none if none is.
func Prices(run *evidence.Run) []Table {
	var list []Table
	for _, m := range priced(run) {
		list = append(list, Durability(run, m))
	}
	return list
}

// extra is a table of some metrics at the largest n, a row for each arm. A
// heading is the metric's name without prefix.
func extra(run *evidence.Run, title string, of func(labkit.Metric) bool, note, prefix string) Table {
	t := Table{Title: title}
	if run == nil || run.Largest() == 0 {
		t.Notes = []string{"Nothing has been measured yet: run the sweep first."}
		return t
	}
	n := run.Largest()
	metrics := slices.DeleteFunc(slices.Clone(run.Metrics), func(m labkit.Metric) bool {
		_, x, _ := labkit.OfResource(m.Name)
		return !of(m) || x == labkit.OwnMemory && run.Plan.DataLimit == 0
	})
	if !slices.ContainsFunc(run.Series, func(s labkit.Series) bool {
		return s.N == n && slices.ContainsFunc(metrics, func(m labkit.Metric) bool { return m.Name == s.Metric })
	}) {
		t.Notes = append([]string{fmt.Sprintf("Not measured at n = %s.", evidence.Count(n))}, unmeasured(run, n, metrics)...)
		return t
	}
	t.Title += fmt.Sprintf(" at %s: p50 of %s", size(run, n), rounds(run.Plan.Rounds))
	t.Head = []string{"arm"}
	var what []string
	for _, m := range metrics {
		name := strings.TrimPrefix(m.Name, prefix)
		t.Head = append(t.Head, name+"\n"+headUnit(m))
		what = append(what, name+": "+m.What)
	}
	for _, arm := range labkit.Results(run.Arms) {
		row := []string{arm.Name + "\n" + describe(arm)}
		for _, m := range metrics {
			row = append(row, value(run, arm.Name, n, m))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = append(t.Notes, intervalNote(run, n), note, "What each column measures. "+strings.Join(what, ". ")+".")
	t.Notes = append(t.Notes, absent(run, n)...)
	t.Notes = append(t.Notes, unmeasured(run, n, metrics)...)
	return t
}

// absent says which arms the machine could not measure at all, or were not measured
// at n, a line for each reason.
func absent(run *evidence.Run, n int) []string {
	arms := grouped[string]{}
	for _, a := range run.Arms {
		why := a.Without(n)
		if why == "" {
			continue
		}
		if a.Unmeasured == "" {
			why = fmt.Sprintf("only up to n = %s, since %s", evidence.Count(a.UpTo), why)
		}
		arms.add(why, a.Name)
	}
	var lines []string
	for _, why := range arms.order {
		lines = append(lines, fmt.Sprintf("%s Not measured: %s: %s.", none, strings.Join(arms.texts[why], "; "), why))
	}
	return lines
}

// unmeasured says why there are dashes, a line for each reason and the arms that it
// is the reason of.
func unmeasured(run *evidence.Run, n int, metrics []labkit.Metric) []string {
	arms := grouped[[2]string]{} // by metric and reason
	for _, u := range run.Unmeasured {
		if u.N == n && slices.ContainsFunc(metrics, func(m labkit.Metric) bool { return m.Name == u.Metric }) {
			arms.add([2]string{u.Metric, u.Why}, u.Arm)
		}
	}
	of := grouped[[2]string]{} // metrics by the arms and the reason
	for _, key := range arms.order {
		of.add([2]string{strings.Join(arms.texts[key], "; "), key[1]}, key[0])
	}
	var lines []string
	for _, key := range of.order {
		lines = append(lines, fmt.Sprintf("%s Not measured: %s of %s: %s.", none, strings.Join(of.texts[key], "; "), key[0], key[1]))
	}
	return lines
}

// grouped is texts by a key, in the order in which the keys come first.
type grouped[K comparable] struct {
	order []K
	texts map[K][]string
}

func (g *grouped[K]) add(key K, text string) {
	if g.texts == nil {
		g.texts = map[K][]string{}
	}
	if g.texts[key] == nil {
		g.order = append(g.order, key)
	}
	g.texts[key] = append(g.texts[key], text)
}
