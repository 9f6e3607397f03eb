package evidence

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"shelflab/labkit"
)

// ErrUnlike: two runs have nothing in common that could be compared.
var ErrUnlike = errors.New("nothing to compare")

// Changes is what differs between an old run and a new one, of any two commits,
// machines or plans. Only what both have measured in the same unit is set side
// by side: nothing is averaged over arms, sizes or metrics.
type Changes struct {
	List     []Change  `json:"changes"`  // by metric, then n, then arm, in the order of the new run
	OnlyOld  []string  `json:"only_old"` // series that the new run lacks: "blob, n = 500, write"
	OnlyNew  []string  `json:"only_new"` // series that the old run lacks
	Unlike   []string  `json:"unlike"`   // series that both have, and why they are not compared
	Warnings []Warning `json:"warnings"` // what else sets the runs apart
}

// Change is one arm's metric at one n, in both runs. Summaries are in Unit.
type Change struct {
	Metric string         `json:"metric"`
	Unit   string         `json:"unit"`
	Higher bool           `json:"higher"` // more is better
	Arm    string         `json:"arm"`
	N      int            `json:"n"`
	Old    labkit.Summary `json:"old"`
	New    labkit.Summary `json:"new"`
	Ratio  float64        `json:"ratio"` // new p50 over old p50; 0 if the old one is 0
	// P is the chance of samples as far apart as these, or farther, from runs
	// that do not differ (Mann-Whitney U test, two-sided).
	P       float64 `json:"p"`
	Differs bool    `json:"differs"` // P is at most Alpha
	Note    string  `json:"note"`    // what to know before believing it, "" if nothing
}

// Alpha is the chance of a difference where there is none, for each comparison
// of its own: of twenty between equals, about one differs.
const Alpha = 0.05

// Worse says by how much more time or space the new run takes, as a share of
// the old: 0.1 is 10 % more, -0.5 half. It is 0 where no difference is seen, and
// infinite where the old one took nothing.
func (c Change) Worse() float64 {
	switch {
	case !c.Differs:
		return 0
	case c.Higher:
		return c.Old.P50/c.New.P50 - 1
	case c.Old.P50 == 0:
		return math.Inf(1)
	}
	return c.New.P50/c.Old.P50 - 1
}

// Judged tells whether there are samples enough to see any difference.
func (c Change) Judged() bool { return leastP(c.Old.Count, c.New.Count) <= Alpha }

// Compare sets a new run beside an old one. Runs without a series in common are
// ErrUnlike, and the text says what each has. Neither run is changed.
func Compare(old, new *Run) (Changes, error) {
	c := Changes{List: []Change{}, OnlyOld: []string{}, OnlyNew: []string{}, Unlike: []string{}, Warnings: unlike(old, new)}
	before, err1 := seriesByName(old)
	after, err2 := seriesByName(new)
	if err := errors.Join(err1, err2); err != nil {
		return Changes{}, err
	}
	for _, s := range new.Series {
		m, _ := new.Metric(s.Metric)
		at := place{word(s.Arm), s.N, s.Metric}
		o, ok := before[at]
		if !ok {
			c.OnlyNew = append(c.OnlyNew, at.of(s))
			continue
		}
		was, _ := old.Metric(s.Metric)
		why := unlikeSeries(o, s, was, m)
		if x, y := old.Plan.Pieces(), new.Plan.Pieces(); x != y && old.Schema > 0 && new.Schema > 0 {
			why = fmt.Sprintf("n counts %s there, %s here", x, y)
		}
		if why != "" {
			c.Unlike = append(c.Unlike, at.of(s)+": "+why)
			continue
		}
		change, err := compareSeries(o, s, m)
		if err != nil {
			return Changes{}, fmt.Errorf("%s: %w", at.of(s), err)
		}
		if new.Schema == 0 { // a bench.txt writes names otherwise
			change.Arm = o.Arm
		}
		change.Note = strings.Trim(change.Note+"; "+classes(old, new, o.Arm, s.Arm), "; ")
		c.List = append(c.List, change)
	}
	for _, s := range old.Series {
		at := place{word(s.Arm), s.N, s.Metric}
		if _, ok := after[at]; !ok {
			c.OnlyOld = append(c.OnlyOld, at.of(s))
		}
	}
	if len(c.List) == 0 {
		return Changes{}, fmt.Errorf("%w: the old run has %s; the new one has %s%s", ErrUnlike, has(old), has(new), listed(c.Unlike))
	}
	arms := new.Arms
	if new.Schema == 0 {
		arms = old.Arms
	}
	slices.SortStableFunc(c.List, func(x, y Change) int {
		return cmp.Or(
			slices.IndexFunc(new.Metrics, func(m labkit.Metric) bool { return m.Name == x.Metric })-
				slices.IndexFunc(new.Metrics, func(m labkit.Metric) bool { return m.Name == y.Metric }),
			x.N-y.N,
			slices.IndexFunc(arms, func(a labkit.Arm) bool { return a.Name == x.Arm })-
				slices.IndexFunc(arms, func(a labkit.Arm) bool { return a.Name == y.Arm }))
	})
	return c, nil
}

// of names a series for people.
func (place) of(s labkit.Series) string {
	return fmt.Sprintf("%s, n = %s, %s", s.Arm, Count(s.N), s.Metric)
}

// seriesByName keys series by names that survive Go's benchmark format, so that
// a run can be set beside a bench.txt.
func seriesByName(r *Run) (map[place]labkit.Series, error) {
	of := make(map[place]labkit.Series, len(r.Series))
	for _, s := range r.Series {
		at := place{word(s.Arm), s.N, s.Metric}
		if _, twice := of[at]; twice {
			return nil, fmt.Errorf("%w: %s is there twice, under names as good as equal", ErrFormat, at.of(s))
		}
		of[at] = s
	}
	return of, nil
}

// unlikeSeries says why two series of one name do not measure the same thing,
// "" if they do.
func unlikeSeries(o, s labkit.Series, was, m labkit.Metric) string {
	switch {
	case was.Unit != m.Unit || was.Higher != m.Higher || o.Unit != s.Unit:
		return fmt.Sprintf("in %s there, in %s here", was.Unit, m.Unit)
	case o.Work != s.Work && o.Work > 0 && s.Work > 0: // a bench.txt does not tell
		return fmt.Sprintf("a sample does work of %s there, of %s here", Count(o.Work), Count(s.Work))
	}
	return ""
}

func compareSeries(o, s labkit.Series, m labkit.Metric) (c Change, err error) {
	c = Change{Metric: m.Name, Unit: m.Unit, Higher: m.Higher, Arm: s.Arm, N: s.N}
	x, y := o.Values(m), s.Values(m)
	if c.Old, err = labkit.Summarize(x); err != nil {
		return c, err
	}
	if c.New, err = labkit.Summarize(y); err != nil {
		return c, err
	}
	if c.Old.P50 > 0 {
		c.Ratio = c.New.P50 / c.Old.P50
	}
	thresholds := benchmath.Thresholds{CompareAlpha: Alpha}
	test := benchmath.AssumeNothing.Compare(benchmath.NewSample(x, &thresholds), benchmath.NewSample(y, &thresholds))
	c.P, c.Differs = test.P, test.P <= Alpha && c.Old.P50 != c.New.P50
	switch {
	case !c.Judged():
		c.Note = fmt.Sprintf("too few samples, %d and %d: give both runs %d rounds", len(x), len(y), fewest())
	case c.Old.P50 == 0:
		c.Note = "the old p50 is 0: there is no ratio"
	}
	return c, nil
}

// leastP is the smallest P that so many samples can give, all of one run below
// all of the other: two of the ways to deal them out.
func leastP(n, m int) float64 {
	ways := 1.0
	for i := 1; i <= min(n, m) && 2/ways > Alpha/1e6; i++ {
		ways = ways * float64(max(n, m)+i) / float64(i)
	}
	return math.Min(1, 2/ways)
}

// fewest is how many samples each of two runs needs for a difference to be seen
// at all.
func fewest() int {
	n := 1
	for leastP(n, n) > Alpha {
		n++
	}
	return n
}

// has says what a run holds.
func has(r *Run) string {
	if len(r.Series) == 0 {
		return "no samples"
	}
	var arms, metrics []string
	for _, s := range r.Series {
		if !slices.Contains(arms, s.Arm) {
			arms = append(arms, s.Arm)
		}
		if !slices.Contains(metrics, s.Metric) {
			metrics = append(metrics, s.Metric)
		}
	}
	of := strings.Join(metrics, ", ")
	if many := len(labkit.Metrics()); len(metrics) > many {
		of = fmt.Sprintf("%d metrics", len(metrics))
	}
	return fmt.Sprintf("%s of the arms %q at %s", of, arms, sizes(r.Measured()))
}

func listed(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return places(lines)
}
