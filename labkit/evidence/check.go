package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"shelflab/labkit"
)

// Limits of what is read. They keep a made-up file from filling the memory or
// the day.
const (
	maxArms    = 100
	maxMetrics = 100
	maxCompare = 1000
)

var units = []string{"records/s", "s", "B", "allocs/record", "B/record", "B/B", "GCs", "ops/s", "writes", "values", "updates", "reads"}

var roles = []Role{Headline, Part, labkit.Price, labkit.Control, Growing, labkit.Claim, labkit.CarryOver, labkit.Flat, labkit.Crosses}

var groups = []labkit.Group{labkit.Main, labkit.Cold, labkit.Resources, labkit.Trials}

// check returns the run's faults as one error.
func (r *Run) check() error {
	if faults := r.faults(); len(faults) > 0 {
		return fmt.Errorf("%w:%s", ErrFormat, places(faults))
	}
	return nil
}

// faults says where the run does not hang together, a line each: nothing can be
// computed from it, or drawn, until there are none. The plan is valid.
func (r *Run) faults() []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if len(r.Arms) > maxArms || len(r.Metrics) > maxMetrics || len(r.Comparisons) > maxCompare ||
		len(r.Series) > len(r.Plan.N)*len(r.Arms)*len(r.Metrics) {
		add("%d arms, %d metrics, %d comparisons and %d series are more than a run can have",
			len(r.Arms), len(r.Metrics), len(r.Comparisons), len(r.Series))
		return list
	}
	arms, metrics := map[string]bool{}, map[string]labkit.Metric{}
	of := map[string]labkit.Arm{}
	for i, a := range r.Arms {
		if a.Name == "" || arms[a.Name] {
			add("arms[%d].name %q is empty or there twice", i, a.Name)
		}
		if a.Control && r.Schema == 1 {
			add("arms[%d]: schema 1 knows no control", i)
		}
		if a.UpTo < 0 || (a.UpTo > 0) != (a.Beyond != "") || a.UpTo > 0 && r.Schema < 4 {
			add("arms[%d]: up to n = %d, beyond which %q: one without the other, or schema %d knows neither", i, a.UpTo, a.Beyond, r.Schema)
		}
		arms[a.Name], of[a.Name] = true, a
	}
	for i, m := range r.Metrics {
		if _, twice := metrics[m.Name]; m.Name == "" || twice {
			add("metrics[%d].name %q is empty or there twice", i, m.Name)
		}
		if !slices.Contains(units, m.Unit) {
			add("metrics[%d].unit %q is none of %q", i, m.Unit, units)
		}
		if !slices.Contains(groups, m.Group) {
			add("metrics[%d].group %q is none of %q", i, m.Group, groups)
		}
		if r.Schema < 4 && (m.Counted() || m.Group == labkit.Trials) {
			add("metrics[%d]: schema %d knows no counts", i, r.Schema)
		}
		metrics[m.Name] = m
	}
	for i, c := range r.Comparisons {
		if !slices.Contains(roles, c.Role) {
			add("comparisons[%d].role %q is none of %q", i, c.Role, roles)
		}
		if len(c.Metrics) > maxMetrics {
			add("comparisons[%d] is of %d metrics", i, len(c.Metrics))
		}
		if fault := r.unpaired(c, metrics); fault != "" {
			add("comparisons[%d]: %s", i, fault)
		}
	}
	seen := map[place]bool{}
	for i, s := range r.Series {
		at := fmt.Sprintf("series[%d] (%s, n = %d, %s)", i, s.Arm, s.N, s.Metric)
		m, known := metrics[s.Metric]
		switch here := (place{s.Arm, s.N, s.Metric}); {
		case !arms[s.Arm]:
			add("%s: there is no such arm", at)
		case of[s.Arm].Without(s.N) != "":
			add("%s: the arm is said to be unmeasured", at)
		case !known:
			add("%s: there is no such metric", at)
		case !slices.Contains(r.Plan.N, s.N):
			add("%s: the plan does not measure that n", at)
		case seen[here]:
			add("%s: it is there twice", at)
		default:
			seen[here] = true
			if fault := r.fault(s, m); fault != "" {
				add("%s: %s", at, fault)
			}
		}
		if i > 0 && s.N < r.Series[i-1].N {
			add("%s: it comes after one of a larger n", at)
		}
	}
	if len(list) == 0 {
		list = slices.Concat(r.turnFaults(), r.costFaults(), r.processorFaults(), r.observedFaults(), r.begunFaults())
	}
	if len(r.Disturbed) > 0 && (r.Schema < 3 || !slices.IsSorted(r.Disturbed) || len(slices.Compact(slices.Clone(r.Disturbed))) < len(r.Disturbed) ||
		slices.ContainsFunc(r.Disturbed, func(n int) bool { return !slices.Contains(r.Plan.N, n) })) {
		add("disturbed: %v are not sizes of the plan in ascending order, or schema %d knows none", r.Disturbed, r.Schema)
	}
	if len(r.Unmeasured) > len(r.Plan.N)*len(r.Arms)*len(r.Metrics) {
		add("%d things are said to be unmeasured, more than a run can have", len(r.Unmeasured))
		return list
	}
	for i, u := range r.Unmeasured {
		at := fmt.Sprintf("unmeasured[%d] (%s, n = %d, %s)", i, u.Arm, u.N, u.Metric)
		_, known := metrics[u.Metric]
		switch here := (place{u.Arm, u.N, u.Metric}); {
		case !arms[u.Arm] || !known || !slices.Contains(r.Plan.N, u.N):
			add("%s: the run has no such arm, metric or size", at)
		case seen[here]:
			add("%s: it has a series, or is there twice", at)
		case u.Why == "":
			add("%s: it does not say why", at)
		default:
			seen[here] = true
		}
	}
	return list
}

// unpaired says why a comparison of schema 3 cannot be made, "" if it can.
func (r *Run) unpaired(c Comparison, metrics map[string]labkit.Metric) string {
	switch {
	case r.Schema < 3 && (c.Role == Growing || c.Against != ""):
		return fmt.Sprintf("schema %d knows neither growths nor one metric against another", r.Schema)
	case r.Schema < 4 && (c.Role.Claims() || c.Claim != ""):
		return fmt.Sprintf("schema %d knows no claims", r.Schema)
	case r.Schema < 4 && c.Role == labkit.Crosses:
		return fmt.Sprintf("schema %d knows no crossings", r.Schema)
	case c.Role.Claims() != (c.Claim != ""):
		return fmt.Sprintf("a %s of the claim %q: claims, and they alone, say what is claimed", c.Role, c.Claim)
	case c.Role.Claims() && len(c.Metrics) != 1:
		return fmt.Sprintf("a claim is about one metric, not %d", len(c.Metrics))
	case r.Schema < 4 && c.Role == labkit.Flat:
		return fmt.Sprintf("schema %d does not set a record at one size against one at another", r.Schema)
	case (c.Role == Growing || c.Role == labkit.Flat) && c.A != c.B:
		return fmt.Sprintf("a %s is of one arm, not of %q and %q", c.Role, c.A, c.B)
	case c.Against == "":
		return ""
	case c.Role != Headline && c.Role != Part && !c.Role.Claims():
		return fmt.Sprintf("a %s is not of one metric against another", c.Role)
	}
	against, known := metrics[c.Against]
	if !known {
		return fmt.Sprintf("against %q: there is no such metric", c.Against)
	}
	for _, name := range c.Metrics {
		if m, known := metrics[name]; known && m.RawUnit() != against.RawUnit() {
			return fmt.Sprintf("%s is in %s, %s in %s: they make no ratio", name, m.RawUnit(), c.Against, against.RawUnit())
		}
	}
	return ""
}

// ofKeys names the metrics whose work is the plan's keys.
var ofKeys = []string{labkit.Gets.Name, labkit.GetsOpen.Name, labkit.GetsCold.Name, labkit.GetsWarm.Name}

// fault says what is wrong with a series of metric m, "" if nothing is.
func (r *Run) fault(s labkit.Series, m labkit.Metric) string {
	timed := m.RawUnit() == "s" && m.Group != labkit.Resources // garbage may take no time
	worked := timed || m.Amount() || m.Counted()
	switch {
	case s.Unit != m.RawUnit():
		return fmt.Sprintf("its unit is %q, want %q", s.Unit, m.RawUnit())
	case len(s.Samples) < 1 || len(s.Samples) > r.Plan.Rounds:
		return fmt.Sprintf("%d samples, want 1 to %d", len(s.Samples), r.Plan.Rounds)
	case slices.Contains(ofKeys, m.Name) && s.Work != r.Plan.Keys: // sentences name the plan's
		return fmt.Sprintf("%d gets in a sample, the plan has %d", s.Work, r.Plan.Keys)
	case worked && s.Work < 1 || !worked && s.Work != 0:
		return fmt.Sprintf("work of %d in %s", s.Work, s.Unit)
	case s.Batch < 0 || s.Batch == 1 || s.Batch > 0 && !timed:
		return fmt.Sprintf("a batch of %d", s.Batch)
	case len(s.Turns) > 0 && (len(s.Turns) != len(s.Samples) || slices.Min(s.Turns) < 1 || slices.Max(s.Turns) > len(r.Arms)):
		return fmt.Sprintf("turns %v of %d arms for %d samples", []int(s.Turns), len(r.Arms), len(s.Samples))
	case r.Schema == 1 && (s.Batch > 0 || len(s.Turns) > 0):
		return "schema 1 knows neither batches nor turns"
	case s.Payload < 0 || r.Schema < 4 && s.Payload != 0:
		return fmt.Sprintf("records of %d bytes; schema %d", s.Payload, r.Schema)
	case r.Schema < 3 && s.Apart:
		return fmt.Sprintf("schema %d does not tell of processes", r.Schema)
	}
	for _, x := range s.Samples {
		// A rate must be finite too.
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 || timed && (x == 0 || math.IsInf(float64(s.Work)/x, 0)) {
			return fmt.Sprintf("a sample of %v %s", x, s.Unit)
		}
	}
	return ""
}

// maxPlaces is how many places an error names.
const maxPlaces = 10

// places lists lines below each other, the first of them.
func places(lines []string) string {
	more := ""
	if left := len(lines) - maxPlaces; left > 0 {
		lines, more = lines[:maxPlaces], fmt.Sprintf("\n  and %d more", left)
	}
	tame := func(r rune) rune { // names in a file may hold what steers a terminal
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}
	text := ""
	for _, line := range lines {
		text += "\n  " + strings.Map(tame, line)
	}
	return text + more
}
