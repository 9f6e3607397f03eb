package show

import (
	"fmt"
	"math"
	"slices"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// ByN returns a metric over n: a row for each arm, a column for each n at which
// any was measured, the p50 with its interval below. It takes metrics of every
// group. A nil run, or a metric that was not measured, gives a table that says
// so.
func ByN(run *evidence.Run, m labkit.Metric) Table {
	t := Table{Title: sentence(m.Name)}
	ns := sizesOf(run, m)
	if len(ns) == 0 {
		t.Notes = notMeasured(run, m)
		return t
	}
	t.Title = fmt.Sprintf("%s over n: p50 of %s", sentence(m.Name), rounds(run.Plan.Rounds))
	t.Head = []string{"arm"}
	for _, n := range ns {
		t.Head = append(t.Head, "n = "+evidence.Count(n)+"\n"+headUnit(m))
	}
	for _, arm := range labkit.Results(run.Arms) {
		row := []string{arm.Name + "\n" + describe(arm)}
		for _, n := range ns {
			row = append(row, value(run, arm.Name, n, m))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{
		fmt.Sprintf("n counts %s. %s: %s.", run.Plan.Pieces(), m.Name, m.What),
		intervalNote(run, ns[len(ns)-1]),
	}
	t.Notes = append(t.Notes, absent(run, ns[len(ns)-1])...)
	for _, n := range ns {
		t.Notes = append(t.Notes, unmeasured(run, n, []labkit.Metric{m})...)
	}
	t.Notes = slices.Compact(t.Notes)
	return t
}

// notMeasured are the notes of a table that has nothing to show of m.
func notMeasured(run *evidence.Run, m labkit.Metric) []string {
	if run == nil || run.Largest() == 0 {
		return []string{"Nothing has been measured yet: run the sweep first."}
	}
	notes := []string{fmt.Sprintf("%s has not been measured: run its sweep first.", sentence(m.Name))}
	for _, n := range run.Plan.N {
		notes = append(notes, unmeasured(run, n, []labkit.Metric{m})...)
	}
	return slices.Compact(notes)
}

// sizesOf are the sizes at which any arm was measured in m.
func sizesOf(run *evidence.Run, m labkit.Metric) []int {
	if run == nil {
		return nil
	}
	return slices.DeleteFunc(run.Measured(), func(n int) bool {
		return !slices.ContainsFunc(labkit.Results(run.Arms), func(a labkit.Arm) bool {
			_, ok := run.Summary(a.Name, n, m.Name)
			return ok
		})
	})
}

// Growth returns how metrics grow with n: a row for each arm and metric of the
// run's growth comparisons, the exponent over all sizes, what that means, and
// the exponent of each step from one size to the next. A nil run, or one without
// growths, gives a table that says so.
func Growth(run *evidence.Run) Table {
	t := Table{Title: "How it grows with n: the exponent of the power that fits best"}
	if run == nil || len(run.Growths) == 0 {
		t.Notes = []string{"No growth has been measured yet: it takes two sizes of the sweep, and comparisons that ask for it."}
		return t
	}
	type span struct{ from, to int }
	type key struct{ arm, metric string }
	var steps []span
	var order []key
	of := map[key][]evidence.Growth{}
	for _, g := range run.Growths {
		k := key{g.Arm, g.Metric}
		if of[k] == nil {
			order = append(order, k)
		} else if s := (span{g.From, g.To}); !slices.Contains(steps, s) {
			steps = append(steps, s)
		}
		of[k] = append(of[k], g)
	}
	slices.SortFunc(steps, func(a, b span) int { return a.from - b.from })
	t.Head = []string{"arm", "metric", "over all sizes\nexponent", "that is"}
	for _, s := range steps {
		t.Head = append(t.Head, fmt.Sprintf("%s to %s\nexponent", evidence.Count(s.from), evidence.Count(s.to)))
	}
	least := run.Growths[0]
	for _, k := range order {
		whole := of[k][0]
		row := []string{k.arm, k.metric, exponent(whole), whole.Words()}
		for _, s := range steps {
			at := slices.IndexFunc(of[k][1:], func(g evidence.Growth) bool { return g.From == s.from && g.To == s.to })
			if at < 0 {
				row = append(row, none)
				continue
			}
			row = append(row, exponent(of[k][1+at]))
		}
		t.Rows = append(t.Rows, row)
		if whole.Level < least.Level {
			least = whole
		}
	}
	t.Notes = []string{fmt.Sprintf("n counts %s, from %s to %s. 1 is linear: ten times as many %s take ten times as much. 0 does not grow. What costs the same whatever n is makes the first steps flat.",
		run.Plan.Pieces(), evidence.Count(least.From), evidence.Count(least.To), run.Plan.Pieces())}
	if least.HasInterval() {
		t.Notes = append(t.Notes, fmt.Sprintf("Below each exponent its interval at the %s level, over the rounds: the slope is fitted in each of them. The sizes of one round were not measured together, so what slows the machine down between two sizes is in it.", evidence.Percent(least.Level)))
	} else {
		t.Notes = append(t.Notes, fmt.Sprintf("No intervals: %s, and an interval needs 5.", rounds(least.Count)))
	}
	return t
}

// exponent is a growth's exponent with its interval below.
func exponent(g evidence.Growth) string {
	p50 := evidence.Exponent(g.P50)
	if !g.HasInterval() {
		return p50
	}
	return lines(p50, interval(p50, evidence.Exponent(g.Lo), evidence.Exponent(g.Hi)))
}

// Memory returns the memory that an operation takes, labkit.Load or labkit.Dump,
// against what lies on disk: a row for each arm and n, with the bytes on disk,
// how much the operation has added to the resident memory at its peak, the heap
// that stays in use, and the peak for each byte on disk. A note for each arm
// says where the memory of this machine would be full, extrapolated from the two
// largest sizes if the peak grows from one to the other, or that it does not. A nil run, or one without those metrics, gives a table that
// says so.
func Memory(run *evidence.Run, of labkit.Metric) Table {
	t := Table{Title: "Memory of " + of.Name}
	growth, live := labkit.PeakGrowth.Of(of), labkit.LiveHeap.Of(of)
	ns := sizesOf(run, growth)
	if len(ns) == 0 {
		t.Notes = notMeasured(run, growth)
		return t
	}
	t.Title = fmt.Sprintf("Memory of %s against bytes on disk: p50 of %s", of.Name, rounds(run.Plan.Rounds))
	t.Head = []string{"arm", "n\n" + run.Plan.Pieces(), "on disk\nbytes", "added at the peak\nbytes", "live heap\nbytes", "peak for each byte on disk\ntimes"}
	for _, arm := range labkit.Results(run.Arms) {
		for _, n := range ns {
			t.Rows = append(t.Rows, []string{arm.Name, evidence.Count(n), disk(run, arm.Name, n),
				value(run, arm.Name, n, growth), value(run, arm.Name, n, live), perByte(run, arm.Name, n, growth)})
		}
	}
	t.Notes = append(t.Notes, intervalNote(run, ns[len(ns)-1]),
		fmt.Sprintf("Each turn in a process of its own. On disk: %s. Added at the peak: %s. Live heap: %s.", labkit.Disk.What, growth.What, live.What),
		fmt.Sprintf("Memory and bytes on disk were %s.", evidence.OwnRounds(growth, labkit.Disk)))
	for _, arm := range labkit.Results(run.Arms) {
		t.Notes = append(t.Notes, full(run, arm.Name, growth))
	}
	for _, n := range ns {
		t.Notes = append(t.Notes, unmeasured(run, n, []labkit.Metric{growth, live})...)
	}
	t.Notes = slices.DeleteFunc(slices.Compact(t.Notes), func(note string) bool { return note == "" })
	return t
}

// onDisk returns the samples of what an arm takes on disk at n: of the rounds
// or, where they were not measured, of the turns in processes of their own.
func onDisk(run *evidence.Run, arm string, n int) []float64 {
	for _, name := range []string{labkit.Disk.Name, labkit.Space.Name} { // the raw samples of both are bytes
		if s := samples(run, arm, n, name); len(s) > 0 {
			return s
		}
	}
	return nil
}

func disk(run *evidence.Run, arm string, n int) string {
	s, err := labkit.Summarize(onDisk(run, arm, n))
	if err != nil {
		return none
	}
	number := func(v float64) string { return evidence.Quantity(v, "B") }
	if !s.HasInterval() {
		return number(s.P50)
	}
	return lines(number(s.P50), interval(number(s.P50), number(s.Lo), number(s.Hi)))
}

// perByte is how many times a metric in bytes is what lies on disk.
func perByte(run *evidence.Run, arm string, n int, m labkit.Metric) string {
	over, under := samples(run, arm, n, m.Name), onDisk(run, arm, n)
	rounds := min(len(over), len(under))
	ratio, err := labkit.PairedRatio(over[:rounds], under[:rounds])
	if err != nil { // one of them was not measured, or nothing is on disk
		return none
	}
	return times(ratio)
}

// steep is the exponent that the last step must reach, with the lower end of its
// interval, for a line through it to say anything: what the noise of the rounds
// tilts stays below it, and of a tenfold step that reaches it three quarters of
// what the larger size takes have come with n.
const steep = 0.5

// anyList is more than any machine of today keeps.
const anyList = 1e12

// full says where an arm would fill the memory of this machine, or why no line
// tells that; "" where there are not two sizes, or the memory is not known.
func full(run *evidence.Run, arm string, m labkit.Metric) string {
	memory := float64(run.At(run.Largest()).Memory)
	var two []int
	for _, n := range run.Measured() {
		if len(samples(run, arm, n, m.Name)) > 0 {
			two = append(two, n)
		}
	}
	if len(two) < 2 || !(memory > 0) {
		return ""
	}
	of := fmt.Sprintf("what %s adds", arm)
	from, to := evidence.Count(two[len(two)-2]), evidence.Count(two[len(two)-1])
	step, ok := run.LastStep(arm, m.Name)
	if !ok {
		return fmt.Sprintf("Not extrapolated: %s is nothing in a round at n = %s or %s, so there is no exponent.", of, from, to)
	}
	exponent := fmt.Sprintf("the exponent from n = %s to %s is %s, %s to %s", from, to,
		evidence.Exponent(step.P50), evidence.Exponent(step.Lo), evidence.Exponent(step.Hi))
	if step.Hi < steep {
		return fmt.Sprintf("Not extrapolated: %s does not grow with n, or hardly, as far as measured (%s).", of, exponent)
	}
	n, ok := run.Fills(arm, m.Name, memory)
	if step.Lo < steep || !ok {
		return fmt.Sprintf("Not extrapolated: whether %s grows with n cannot be told (%s).", of, exponent)
	}
	at := "beyond any list"
	if n < anyList {
		const digits = 2 // more would say that the line is exact
		unit := math.Pow10(max(0, int(math.Log10(max(1, n)))+1-digits))
		at = fmt.Sprintf("at about %s %s", evidence.Count(int(math.Round(n/unit)*unit)), run.Plan.Pieces())
	}
	return fmt.Sprintf("Extrapolated: %s would fill the %s of this machine %s, if it goes on as between its two largest sizes.",
		arm, evidence.Quantity(memory, "B"), at)
}

// samples are the raw samples of a series, nil if there is none.
func samples(run *evidence.Run, arm string, n int, metric string) []float64 {
	for _, s := range run.Series {
		if s.Arm == arm && s.N == n && s.Metric == metric {
			return s.Samples
		}
	}
	return nil
}

// times is a ratio with its interval below, of two things that have no reason
// to be equal.
func times(s labkit.Summary) string {
	p50 := evidence.Factor(s.P50)
	if !s.HasInterval() {
		return p50
	}
	return lines(p50, interval(p50, evidence.Factor(s.Lo), evidence.Factor(s.Hi)))
}
