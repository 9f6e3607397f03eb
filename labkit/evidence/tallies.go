package evidence

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"shelflab/labkit"
)

// Tally says in how many of an arm's trials something happened.
type Tally struct {
	Arm    string `json:"arm"`    // its name
	N      int    `json:"n"`      // as in its series
	Metric string `json:"metric"` // what was counted
	Trials int    `json:"trials"` // rounds, each of which is a trial
	Hits   int    `json:"hits"`   // trials that counted one or more
	Total  int    `json:"total"`  // all of them together
	// The share of trials with a hit has two bounds, each by itself at
	// labkit.WantedLevel: see labkit.BinomialBounds.
	AtLeast float64 `json:"at_least"` // the lower one
	AtMost  float64 `json:"at_most"`  // the upper one
}

// MeasureTrials has each arm take its trials at n, a round each, and keeps what
// they count as Measure keeps times: see labkit.Lab.MeasureTrials. args is what
// the processes beside a trial are started with, nil for this program's own.
// Results and errors are those of Measure.
func MeasureTrials(ctx context.Context, dir string, plan labkit.Plan, n int, arms []labkit.Arm, args []string, progress func(labkit.Progress)) (*Run, error) {
	if !slices.Contains(plan.N, n) {
		return nil, fmt.Errorf("%w: n = %d is not among its sizes %v", labkit.ErrPlan, n, plan.N)
	}
	rec, err := Record(dir, plan, arms, nil)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	lab := labkit.Lab{
		Plan: plan, Dir: dir, Progress: progress, Again: labkit.Again{Args: args, Unset: pipes},
		Keep: func(series []labkit.Series) error { return rec.Keep(n, series) },
	}
	err = rec.watched(n, labkit.Trials, func() error {
		_, err := lab.MeasureTrials(ctx, n, arms)
		return err
	})
	return rec.Run(), err
}

// Try has each arm take one turn at n, with processes beside it as in MeasureTrials,
// and keeps nothing: what there is to see the arms keep for themselves.
func Try(ctx context.Context, dir string, plan labkit.Plan, n int, arms []labkit.Arm, progress func(labkit.Progress)) error {
	plan.Rounds = 1
	lab := labkit.Lab{Plan: plan, Dir: dir, Progress: progress, Again: labkit.Again{Unset: pipes}}
	_, err := lab.MeasureTrials(ctx, n, arms)
	return err
}

// tallies counts the trials of each series, in their order.
func (r *Run) tallies() ([]Tally, error) {
	var list []Tally
	for _, s := range r.Series {
		m, _ := r.Metric(s.Metric)
		if m.Group != labkit.Trials {
			continue
		}
		o := Tally{Arm: s.Arm, N: s.N, Metric: s.Metric, Trials: len(s.Samples)}
		for _, x := range s.Samples {
			if x != math.Trunc(x) || x > labkit.MaxRecords {
				return nil, fmt.Errorf("%s, %s: a count of %v", s.Arm, s.Metric, x)
			}
			if o.Total += int(x); x > 0 {
				o.Hits++
			}
		}
		var err error
		if o.AtLeast, o.AtMost, err = labkit.BinomialBounds(o.Hits, o.Trials, labkit.WantedLevel); err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// Tally returns what an arm's trials at n have counted of a metric, and whether
// there were any.
func (r *Run) Tally(arm string, n int, metric string) (Tally, bool) {
	at := slices.IndexFunc(r.Tallies, func(o Tally) bool { return o.Arm == arm && o.N == n && o.Metric == metric })
	if at < 0 {
		return Tally{}, false
	}
	return r.Tallies[at], true
}

// Share says how large the share of trials with a hit may be: "at most 9.5 %", or
// "at least 80.5 %" where there was one.
func (o Tally) Share() string {
	if o.Hits == 0 {
		return "at most " + share(o.AtMost)
	}
	return "at least " + share(o.AtLeast)
}

func share(x float64) string { return Percent(math.Round(x*1000) / 1000) }

// happened are the words for what a trial counts: how none of them has done it,
// how some have.
var happened = []struct {
	metric     labkit.Metric
	none, some string
	rarely     bool // said only where it happened
}{
	{labkit.Lost, "none lost an acknowledged write", "lost acknowledged writes", false},
	{labkit.Torn, "none tore a value", "tore a value", false},
	{labkit.Partial, "", "left a part of a write that was not acknowledged, each value whole", true},
}

// trialLines say what the trials of each arm have shown, a line each, at the
// largest n.
func (r *Run) trialLines() []string {
	var lines []string
	n := r.Largest()
	for _, arm := range r.Arms {
		var texts []string
		trials := 0
		for _, what := range happened {
			o, ok := r.Tally(arm.Name, n, what.metric.Name)
			if !ok || what.rarely && o.Hits == 0 {
				continue
			}
			trials = o.Trials
			text := what.none
			if o.Hits > 0 {
				text = Count(o.Hits) + " " + what.some
			}
			texts = append(texts, fmt.Sprintf("%s (%s do, at %s)", text, o.Share(), Percent(labkit.WantedLevel)))
		}
		if len(texts) == 0 {
			continue
		}
		line := fmt.Sprintf("%s: of %s %s", arm.Name, kills(trials), enumerated(texts))
		if o, ok := r.Tally(arm.Name, n, labkit.Acknowledged.Name); ok {
			line += fmt.Sprintf("; %s acknowledged in all", many(o.Total, "write was", "writes were"))
		}
		if o, ok := r.Tally(arm.Name, n, labkit.Lost.Name); ok && o.Total > 0 {
			line += fmt.Sprintf(", %s of them lost", Count(o.Total))
		}
		lines = append(lines, line+".")
	}
	return lines
}

func kills(n int) string { return many(n, "kill", "kills") }

// many is a number and what it counts.
func many(n int, one, more string) string { return Count(n) + " " + verb(n, one, more) }

// enumerated joins texts as a sentence does.
func enumerated(texts []string) string {
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// ofTrials warns of trials that may not have been able to see anything.
func (r *Run) ofTrials(list *warner) {
	var acknowledged, seen int
	for _, o := range r.Tallies {
		switch o.Metric {
		case labkit.Acknowledged.Name:
			acknowledged += o.Total
			if o.Hits < o.Trials {
				list.add(KindTrials, "Take more kills, or let the writers write for longer.",
					"%s was killed before its first write was acknowledged in %d of %d trials: these show little.", o.Arm, o.Trials-o.Hits, o.Trials)
			}
		case labkit.Lost.Name, labkit.Torn.Name:
			seen += o.Hits
		}
	}
	if acknowledged > 0 && seen == 0 {
		list.add(KindTrials, "Take more kills, with an arm that must lose something.",
			"No kill has lost or torn anything in any arm: nothing shows that these trials would have seen it.")
	}
}
