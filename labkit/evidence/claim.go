package evidence

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"shelflab/labkit"
)

// upper and lower change the first letter of a text.
func upper(text string) string { return first(text, unicode.ToUpper) }
func lower(text string) string { return first(text, unicode.ToLower) }

func first(text string, change func(rune) rune) string {
	letter, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(change(letter)) + text[size:]
}

// deed says what is compared, for sentences: the metric as a noun.
func (r *Run) deed(m labkit.Metric) string {
	gets := RandomGets(r.Plan.Keys)
	if r.Schema < 3 {
		gets = Count(r.Plan.Keys) + " random gets"
	}
	switch m.Name {
	case labkit.Write.Name:
		return "Write"
	case labkit.Put.Name:
		return "Write into an open store"
	case labkit.Read.Name:
		return "Full read"
	case labkit.Scan.Name:
		return "Full read of an open store"
	case labkit.Gets.Name:
		return gets
	case labkit.GetsOpen.Name:
		return gets + " from an open store"
	case labkit.Update.Name:
		return "One changed record"
	case labkit.UpdateOpen.Name:
		return "One changed record of an open store"
	case labkit.Open.Name:
		return "Opening and closing"
	case labkit.Cycle.Name:
		return "Write all, then get keys"
	case labkit.Replace.Name:
		return "All records replaced"
	case labkit.Disk.Name:
		return "Disk"
	case labkit.ReadCold.Name:
		return "Full read from a cold page cache"
	case labkit.GetsCold.Name:
		return gets + " from a cold page cache"
	}
	if operation, x, ok := labkit.OfResource(m.Name); ok && r.Schema > 2 {
		return resourceNouns[x] + operation
	}
	return m.Name
}

// resourceNouns say what a resource of an operation is, before the operation.
var resourceNouns = map[labkit.Resource]string{
	labkit.PeakMemory: "Peak memory of ",
	labkit.PeakGrowth: "Memory added at the peak of ",
	labkit.LiveHeap:   "Live heap after ",
	labkit.Allocs:     "Number of allocations of ",
	labkit.Allocated:  "Heap allocated by ",
	labkit.GCs:        "Number of collections during ",
	labkit.GCPause:    "Pause for garbage during ",
	labkit.OwnMemory:  "Memory of its own after ",
}

// claim is what one ratio shows, without a full stop: who wins and by how much,
// or that nobody does, or that it cannot be told. both names the two arms, where
// the line that it stands in does not.
type claim struct {
	text  string
	level float64 // of the interval in the text, 0 if there is none
}

// claimOf is what a comparison shows in a metric at n; without a text if it was
// not measured there.
func (r *Run) claimOf(c Comparison, n int, m labkit.Metric, both bool) claim {
	for _, x := range r.Ratios {
		if x.N == n && x.Role == c.Role && x.Label == c.Label && x.A == c.A && x.B == c.B && x.Metric == m.Name && x.Against == c.Against {
			if x.Against != "" {
				return r.claimAgainst(x, m)
			}
			return r.claim(x, m, both)
		}
	}
	if why := r.NoRatio(c, n, m.Name); why != "" && r.Schema > 2 {
		return claim{text: "no ratio, since " + why}
	}
	return claim{}
}

// NoRatio says why a comparison has no ratio in a metric at n although both
// sides were measured: one of them takes nothing in a round, or does not keep up with
// what it is offered. It is the end of a
// sentence; "" if there is a ratio, or nothing measured.
func (r *Run) NoRatio(c Comparison, n int, metric string) string {
	if behind := r.notKeepingUp(c, n, metric); len(behind) > 0 {
		return fmt.Sprintf("%s cannot keep up with %s", strings.Join(behind, " and "), r.offeredText())
	}
	of := r.index()
	against := metric
	if c.Against != "" {
		against = c.Against
	}
	sides := []labkit.Series{of[place{c.A, n, metric}], of[place{c.B, n, against}]}
	rounds := min(len(sides[0].Samples), len(sides[1].Samples))
	var whose, p50s []string
	for _, s := range sides {
		name := s.Arm
		if c.Against != "" {
			name = s.Metric + " of " + s.Arm
		}
		none := 0
		for _, x := range s.Samples[:rounds] {
			if x == 0 {
				none++
			}
		}
		if none > 0 {
			whose = append(whose, fmt.Sprintf("%s takes none in %d of %d rounds", name, none, rounds))
		}
		m, _ := r.Metric(s.Metric)
		p50s = append(p50s, fmt.Sprintf("%s %s", name, Quantity(labkit.P50(s.Values(m)), m.Unit)))
	}
	if len(whose) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (p50s: %s)", strings.Join(slices.Compact(whose), " and "), strings.Join(p50s, ", "))
}

// claimAgainst is what a ratio of one metric against another shows.
func (r *Run) claimAgainst(x Ratio, m labkit.Metric) claim {
	against, _ := r.Metric(x.Against)
	what, other := lower(r.deed(m)), lower(r.deed(against))
	if against.Name == labkit.Disk.Name {
		other = "the bytes on disk"
	}
	if x.A != x.B {
		what, other = what+" of "+x.A, other+" of "+x.B
	}
	own := OwnRounds(m, against)
	if own != "" {
		own = ", " + own
	}
	says := func(times string) string {
		switch {
		case m.RawUnit() == "s" && times == "":
			return fmt.Sprintf("%s takes as long as %s", what, other)
		case m.RawUnit() == "s":
			return fmt.Sprintf("%s takes %s times as long as %s", what, times, other)
		case times == "":
			return fmt.Sprintf("%s is as much as %s", what, other)
		}
		return fmt.Sprintf("%s is %s times %s", what, times, other)
	}
	switch {
	case !x.HasInterval():
		return claim{text: fmt.Sprintf("no verdict after %s, at least 5 are needed (p50: %s)%s", rounds(x.Count), says(r.factor(x.P50)), own)}
	case r.Unclear(x.Summary):
		return claim{fmt.Sprintf("whether %s cannot be told, the interval is too wide (%s)%s", says(""), r.interval(x.Summary), own), x.Level}
	case !x.Differs():
		return claim{fmt.Sprintf("%s, as far as can be seen (%s)%s", says(""), r.interval(x.Summary), own), x.Level}
	}
	return claim{fmt.Sprintf("%s (%s)%s", says(r.factor(x.P50)), r.interval(x.Summary), own), x.Level}
}

// OwnRounds says that two metrics of one ratio were not taken in the same rounds,
// so that what slows the machine down for a while need not be in both; "" if they
// were.
func OwnRounds(m, against labkit.Metric) string {
	switch {
	case m.Group == against.Group:
		return ""
	case against.Name == labkit.Disk.Name:
		return "taken in rounds of their own, and bytes on disk hardly vary"
	}
	return "taken in rounds of their own"
}

// Same tells whether a ratio is of two that have taken the same in every round,
// as files of one size do: then there is nothing to estimate. Evidence from
// before schema 3 calls that no difference seen.
func (r *Run) Same(ratio labkit.Summary) bool {
	return r.Schema > 2 && ratio.HasInterval() && ratio.Min == 1 && ratio.Max == 1
}

// Unclear tells whether a ratio shows neither a difference nor that there is
// hardly one. Evidence from before schema 3 calls both no difference seen.
func (r *Run) Unclear(ratio labkit.Summary) bool { return r.Schema > 2 && ratio.Unclear() }

func (r *Run) claim(x Ratio, m labkit.Metric, both bool) claim {
	switch {
	case !x.HasInterval():
		return claim{text: fmt.Sprintf("no verdict after %s, at least 5 are needed (p50: %s)", rounds(x.Count), r.relation(x, m, both))}
	case r.Same(x.Summary):
		who := "both"
		if both {
			who = x.A + " and " + x.B
		}
		w, ok := r.wordsOf(m)
		if !ok {
			w.same = "take equally long"
		}
		return claim{text: fmt.Sprintf("%s %s, in every round", who, w.same)}
	case !x.Differs():
		between := ""
		if both {
			between = fmt.Sprintf(" between %s and %s", x.A, x.B)
		}
		if r.Unclear(x.Summary) {
			return claim{fmt.Sprintf("cannot be told%s, the interval is too wide (%s)", between, r.interval(x.Summary)), x.Level}
		}
		return claim{fmt.Sprintf("no difference seen%s (%s)", between, r.interval(x.Summary)), x.Level}
	}
	if x.P50 < 1 { // the loser was named first
		x = r.Turned(x)
	}
	return claim{fmt.Sprintf("%s (%s)", r.relation(x, m, both), r.interval(x.Summary)), x.Level}
}

// relation puts the p50 of a ratio into words. The one that takes more is named
// first, but for times: there it is the faster one.
func (r *Run) relation(x Ratio, m labkit.Metric, both bool) string {
	factor := r.factor(x.P50)
	slight := factor == "1.00" && x.P50 > 1
	subject, does, other := x.A, fmt.Sprintf("is %s times as fast", factor), " as "+x.B
	if w, ok := r.wordsOf(m); ok {
		subject, does, other = x.B, fmt.Sprintf(w.times, factor), w.than+x.A
		if slight {
			does, other = w.slight, " than "+x.A
		}
	} else if slight {
		does, other = "is less than 1 % faster", " than "+x.B
	}
	if !both {
		other = ""
	}
	return subject + " " + does + other
}

// taking is how sentences say that an arm takes more of something than another.
type taking struct{ times, than, slight, same string }

var (
	takesSpace   = taking{"takes %s times the space", " of ", "takes less than 1 % more space", "take the same space"}
	takesMemory  = taking{"takes %s times the memory", " of ", "takes less than 1 % more memory", "take the same memory"}
	allocates    = taking{"allocates %s times as many objects", " as ", "allocates less than 1 % more objects", "allocate equally many objects"}
	allocatesB   = taking{"allocates %s times the bytes", " of ", "allocates less than 1 % more bytes", "allocate equally many bytes"}
	collects     = taking{"makes %s times as many collections", " as ", "makes less than 1 % more collections", "make equally many collections"}
	pausesLonger = taking{"pauses %s times as long", " as ", "pauses less than 1 % longer", "pause equally long"}
	takesLonger  = taking{"takes %s times as long", " as ", "takes less than 1 % longer", "take equally long"}
	writesMore   = taking{"writes %s times as much", " as ", "writes less than 1 % more", "write equally much"}
)

// wordsOf are the words of a metric that is not of speed; ok is false for one
// that is.
func (r *Run) wordsOf(m labkit.Metric) (w taking, ok bool) {
	_, x, _ := labkit.OfResource(m.Name)
	switch {
	case r.Schema < 3:
		return takesSpace, m.Unit == "B"
	case x == labkit.Allocs:
		return allocates, true
	case x == labkit.Allocated:
		return allocatesB, true
	case x == labkit.GCs:
		return collects, true
	case x == labkit.GCPause:
		return pausesLonger, true
	case x != "":
		return takesMemory, true
	case slices.Contains(latencies, m.Name):
		return takesLonger, true
	case m.Name == labkit.WrittenByCalls.Name, m.Name == labkit.WrittenToStorage.Name:
		return writesMore, true
	}
	return takesSpace, m.RawUnit() == "B"
}

func (r *Run) interval(s labkit.Summary) string {
	return fmt.Sprintf("%s to %s", r.factor(s.Lo), r.factor(s.Hi))
}
