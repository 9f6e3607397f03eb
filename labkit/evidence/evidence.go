// Package evidence keeps what a run of the lab measured, so that a later cell
// can draw it and a colleague can check it.
//
// A run is a folder data/<name>/ with summary.json (this package's [Run]),
// bench.txt (the same samples in Go's benchmark format), charts, the executed
// notebook and its HTML, and manifest.json with the SHA-256 of each. The raw
// samples are the only source: summaries, ratios, warnings and the verdict are
// computed from them, here and again when they are verified. What a run and its
// parts say together, the cost model of [ModelOf], is kept nowhere: it is computed
// wherever it is shown, and again when a page that shows it is verified.
//
// Goals: nothing measured is lost, nothing shown is older than its plan, every
// sentence follows from the samples. Not a goal: to measure anything.
package evidence

import (
	"errors"
	"slices"
	"time"

	"shelflab/labkit"
)

// Schema is the version of summary.json that this package writes. A file of a
// newer one is refused, an older one is read and verified by its own rules.
// Verify writes a file anew and compares: what a new version adds is left out
// where it is empty, and computed only from that version on.
//
//	1  the first
//	2  groups of metrics (cold reads, resources), what could not be measured,
//	   prices, control arms, places in the rounds, batches, the clock, more of
//	   the environment, kinds of warnings and more of them
//	3  what n counts, ratios of one metric against another, growths, whether
//	   each sample has a process of its own, words of their own for resources,
//	   and for a ratio that cannot be told
//	4  how many bytes the records of a series are; published claims, and where
//	   they are seen; arms that are measured up to a size, sizes that are not
//	   warmed up, what the rounds' processes have taken, what a record costs at
//	   two sizes, and a limit on memory; crossings; trials that count what has
//	   happened; whether workers on one store keep up; observations
const Schema = 4

var (
	// ErrNone: nothing has been measured for this plan yet.
	ErrNone = errors.New("no evidence yet")
	// ErrOtherPlan: what is there was measured by another plan.
	ErrOtherPlan = errors.New("evidence of another plan")
	// ErrFormat: the file is no evidence, is damaged or comes from a newer lab.
	ErrFormat = errors.New("not readable as evidence")
	// ErrBusy: another process is measuring in this folder.
	ErrBusy = errors.New("another run is measuring in this folder")
	// ErrNoManifest: the run was interrupted, or its manifest was removed, so
	// only its summary can be verified.
	ErrNoManifest = errors.New("there is no manifest.json")
	// ErrAltered: something does not follow from the samples.
	ErrAltered = errors.New("evidence does not agree with its samples")
)

// Run is the content of summary.json, field by field; the types of its parts say
// what stands in those. Times are in seconds and sizes in bytes wherever no other
// unit stands beside them, shares and levels are between 0 and 1.
type Run struct {
	Schema      int         `json:"schema"`            // version of this format, see Schema
	Plan        labkit.Plan `json:"plan"`              // what was to be measured
	Fingerprint string      `json:"fingerprint"`       // Plan.Fingerprint(): 12 hexadecimal digits
	Complete    bool        `json:"complete"`          // every n of the plan has all its rounds
	Started     time.Time   `json:"started"`           // when the oldest of what is there was begun, UTC, to the second
	Updated     time.Time   `json:"updated"`           // when the last samples were kept, likewise
	Begun       []Begun     `json:"begun,omitempty"`   // when the measuring of each size began, by n; earlier labs do not tell
	Environment Environment `json:"environment"`       // of all sizes but those of Earlier
	Earlier     []Earlier   `json:"earlier,omitempty"` // sizes that were measured in another environment

	Arms        []labkit.Arm    `json:"arms"`        // what was measured, in the order of the tables
	Metrics     []labkit.Metric `json:"metrics"`     // what was measured of them, in the order of the tables
	Comparisons []Comparison    `json:"comparisons"` // which arms are set against each other

	Series []labkit.Series `json:"series"` // raw, by n, then group of metrics, arm and metric
	// Unmeasured says what has no series at a size that was measured, and why.
	Unmeasured []labkit.Unmeasured `json:"unmeasured,omitempty"`
	// Disturbed lists the sizes during which another run was measured in the
	// same data folder, ascending.
	Disturbed []int `json:"disturbed,omitempty"`

	// Costs says what the process of each round has taken, by n, then round. They
	// are missing where a size was not measured to its end.
	Costs []labkit.RoundCost `json:"costs,omitempty"`
	// Observed is what cells have found out beside the samples, in the order in which
	// they first did.
	Observed []Observation `json:"observed,omitempty"`

	// Processors says what the processors did meanwhile, by n, then in the order
	// in which groups were measured. They are missing where a size was not measured
	// to its end, on a system that does not tell (macOS), and in what earlier labs
	// wrote: a run without any is judged by the environment's load.
	Processors []Processors `json:"processors,omitempty"`

	// Digest is the SHA-256 of what stands above, apart from fingerprint and
	// complete, in hexadecimal: it names this very measurement.
	Digest string `json:"digest"`

	// What follows is computed from what stands above.

	Summaries []Summary `json:"summaries"`         // one a series, in their order
	Ratios    []Ratio   `json:"ratios"`            // by n, then comparison and metric
	Growths   []Growth  `json:"growths,omitempty"` // by comparison and metric: over all sizes, then for each step
	Flats     []Flat    `json:"flats,omitempty"`   // by comparison and metric: one record at two sizes
	Tallies   []Tally   `json:"tallies,omitempty"` // one a series that counts trials, in their order
	Warnings  []Warning `json:"warnings"`          // what weakens the run
	Verdict   []string  `json:"verdict"`           // a sentence or more for each claim and headline, at the largest n, and for each growth
}

// A comparison and its role are the core's: the arms say which of them are
// compared, and the evidence keeps it.
type (
	Role       = labkit.Role
	Comparison = labkit.Comparison
)

const (
	Headline = labkit.Headline
	Part     = labkit.Part
	Control  = labkit.Control
	Growing  = labkit.Growth
)

// Earlier names sizes that were measured before the rest of the run, in another
// environment: at another commit, with another version of Go, elsewhere.
type Earlier struct {
	N           []int       `json:"n"`           // records, as in the plan
	Environment Environment `json:"environment"` // in which they were measured
}

// Summary is what one series says, in the metric's unit.
type Summary struct {
	Arm    string `json:"arm"`    // its name
	N      int    `json:"n"`      // records in the store
	Metric string `json:"metric"` // its name
	Unit   string `json:"unit"`   // of the numbers that follow: the metric's
	// Count, p50, min, max, lo, hi in that unit, and level.
	labkit.Summary
}

// Ratio says how many times better A is than B, paired inside each round:
// above 1 A is faster or smaller. With Against it says how many times as much A
// takes of Metric as B of Against.
type Ratio struct {
	Role   Role   `json:"role"`   // of the comparison
	Label  string `json:"label"`  // of the comparison
	A      string `json:"a"`      // name of the arm whose advantage it is
	B      string `json:"b"`      // name of the other
	N      int    `json:"n"`      // records in the stores
	Metric string `json:"metric"` // its name
	// Against is the name of B's metric, if that is another one than A's.
	Against string `json:"against,omitempty"`
	// Count of the rounds; p50, min, max, lo, hi of the ratios, without a unit;
	// and level.
	labkit.Summary
}

// Growth says how an arm's samples of a metric grow with n, by labkit.LogSlope:
// the exponent, 1 for what is linear.
type Growth struct {
	Arm    string `json:"arm"`    // its name
	Metric string `json:"metric"` // its name
	From   int    `json:"from"`   // the smallest n that the exponent is of
	To     int    `json:"to"`     // the largest; what was measured between them counts too
	// Count of the rounds; p50, min, max, lo, hi of the exponents, without a
	// unit; and level.
	labkit.Summary
}

// Warning is something that weakens what the run says, with its remedy.
type Warning struct {
	Kind   Kind   `json:"kind,omitempty"` // what it is about; evidence of schema 1 does not tell
	Text   string `json:"text"`           // one sentence
	Remedy string `json:"remedy"`         // what to do about it, one sentence
}

// Metric returns the named metric and whether the run knows it.
func (r *Run) Metric(name string) (labkit.Metric, bool) {
	at := slices.IndexFunc(r.Metrics, func(m labkit.Metric) bool { return m.Name == name })
	if at < 0 {
		return labkit.Metric{}, false
	}
	return r.Metrics[at], true
}

// Summary returns what was measured of an arm's metric at n, and whether it
// was measured at all.
func (r *Run) Summary(arm string, n int, metric string) (Summary, bool) {
	at := slices.IndexFunc(r.Summaries, func(s Summary) bool {
		return s.Arm == arm && s.N == n && s.Metric == metric
	})
	if at < 0 {
		return Summary{}, false
	}
	return r.Summaries[at], true
}

// Measured lists the sizes for which there is at least one sample, ascending.
func (r *Run) Measured() []int {
	var ns []int
	for _, s := range r.Series {
		if !slices.Contains(ns, s.N) {
			ns = append(ns, s.N)
		}
	}
	slices.Sort(ns)
	return ns
}

// Missing lists the sizes of the plan that do not have all their rounds. An arm
// that is not measured at a size lacks nothing there, and neither does one that is
// said to be unmeasured.
func (r *Run) Missing() []int {
	var ns []int
	type place struct {
		arm string
		n   int
	}
	full, begun := map[place]bool{}, map[place]bool{}
	for _, s := range r.Series {
		at := place{s.Arm, s.N}
		full[at] = len(s.Samples) == r.Plan.Rounds && (full[at] || !begun[at])
		begun[at] = true
	}
	for _, n := range r.Plan.N {
		arms := slices.DeleteFunc(list(r.Arms), func(arm labkit.Arm) bool {
			return arm.Without(n) != "" || r.Schema > 3 && !begun[place{arm.Name, n}] && r.told(arm.Name, n)
		})
		whole := func(arm labkit.Arm) bool { return full[place{arm.Name, n}] }
		if !all(arms, whole) {
			ns = append(ns, n)
		}
	}
	return ns
}

// told tells whether anything of an arm is said to be unmeasured at n.
func (r *Run) told(arm string, n int) bool {
	return slices.ContainsFunc(r.Unmeasured, func(u labkit.Unmeasured) bool { return u.Arm == arm && u.N == n })
}

// all tells whether there are any, and all are.
func all[T any](list []T, are func(T) bool) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(x T) bool { return !are(x) })
}

// Largest is the largest n that has been measured, 0 if none has.
func (r *Run) Largest() int {
	ns := r.Measured()
	if len(ns) == 0 {
		return 0
	}
	return ns[len(ns)-1]
}
