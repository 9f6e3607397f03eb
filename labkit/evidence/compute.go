package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"shelflab/labkit"
)

// compute fills everything that follows from the samples. The run has no
// faults.
func (r *Run) compute() error {
	r.Fingerprint = r.Plan.Fingerprint()
	var err error
	if r.Digest, err = r.digest(); err != nil {
		return err
	}
	r.Summaries = []Summary{}
	for _, s := range r.Series {
		m, _ := r.Metric(s.Metric)
		sum, err := labkit.Summarize(s.Values(m))
		if err != nil {
			return fmt.Errorf("%s, n = %d, %s: %w", s.Arm, s.N, s.Metric, err)
		}
		r.Summaries = append(r.Summaries, Summary{s.Arm, s.N, s.Metric, m.Unit, sum})
	}
	r.Ratios = []Ratio{}
	of := r.index()
	for _, n := range r.Measured() {
		for _, c := range r.Comparisons {
			if c.Role == Growing || c.Role == labkit.Flat { // over the sizes, not at one
				continue
			}
			for _, name := range c.Metrics {
				x, ok, err := r.ratio(of, c, n, name)
				if err != nil {
					return fmt.Errorf("%s against %s, n = %d, %s: %w", c.A, c.B, n, name, err)
				}
				if ok {
					r.Ratios = append(r.Ratios, x)
				}
			}
		}
	}
	if r.Growths, err = r.growths(of); err != nil {
		return err
	}
	if r.Flats, err = r.flats(of); err != nil {
		return err
	}
	if r.Tallies, err = r.tallies(); err != nil {
		return err
	}
	r.Complete = len(r.Missing()) == 0
	r.Warnings = r.warnings()
	r.Verdict = r.verdict()
	return nil
}

// digest covers what is not computed, as JSON, in the order of Run.
func (r *Run) digest() (string, error) {
	source := Run{
		Schema: r.Schema, Plan: r.Plan, Started: r.Started, Updated: r.Updated, Begun: r.Begun,
		Environment: r.Environment, Earlier: r.Earlier,
		Arms: r.Arms, Metrics: r.Metrics, Comparisons: r.Comparisons, Series: r.Series,
		Unmeasured: r.Unmeasured, Disturbed: r.Disturbed, Costs: r.Costs, Processors: r.Processors, Observed: r.Observed,
	}
	text, err := json.Marshal(source)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// place says where a series belongs.
type place struct {
	arm    string
	n      int
	metric string
}

func (r *Run) index() map[place]labkit.Series {
	of := make(map[place]labkit.Series, len(r.Series))
	for _, s := range r.Series {
		of[place{s.Arm, s.N, s.Metric}] = s
	}
	return of
}

// ratio compares two arms in a metric at n, over the rounds that both have. ok
// is false where one has none, or has a round of zero, such as no space on disk.
func (r *Run) ratio(of map[place]labkit.Series, c Comparison, n int, metric string) (x Ratio, ok bool, err error) {
	over, under := r.paired(of, c, n, metric)
	if len(over) == 0 || slices.Contains(over, 0) || slices.Contains(under, 0) || len(r.notKeepingUp(c, n, metric)) > 0 { // the verdict tells, or warnings
		return x, false, nil
	}
	sum, err := labkit.PairedRatio(over, under)
	return Ratio{c.Role, c.Label, c.A, c.B, n, metric, c.Against, sum}, err == nil, err
}

// paired returns what a ratio is taken of, by round: how many times better A is
// than B, or how many times as much it takes as B of another metric.
func (r *Run) paired(of map[place]labkit.Series, c Comparison, n int, metric string) (over, under []float64) {
	m, known := r.Metric(metric)
	a := of[place{c.A, n, metric}]
	if c.Against != "" {
		over, under = a.Samples, of[place{c.B, n, c.Against}].Samples
	} else {
		over, under = a.Values(m), of[place{c.B, n, metric}].Values(m)
	}
	rounds := min(len(over), len(under))
	if !known {
		rounds = 0
	}
	over, under = over[:rounds], under[:rounds]
	if !m.Higher && c.Against == "" { // better is less: how many times less than B
		over, under = under, over
	}
	return over, under
}

// growths are those that the comparisons ask for, of what was measured at two
// sizes or more. A metric that took nothing in a round has none.
func (r *Run) growths(of map[place]labkit.Series) ([]Growth, error) {
	var list []Growth
	for _, c := range r.Comparisons {
		if c.Role != Growing {
			continue
		}
		for _, metric := range c.Metrics {
			ns, samples := r.growing(of, c.A, metric)
			if len(ns) < 2 || len(zeros(ns, samples)) > 0 { // the verdict tells
				continue
			}
			spans := [][2]int{{0, len(ns)}}
			for i := range len(ns) - 1 {
				if len(ns) > 2 {
					spans = append(spans, [2]int{i, i + 2})
				}
			}
			for _, s := range spans {
				sum, err := labkit.LogSlope(ns[s[0]:s[1]], samples[s[0]:s[1]])
				if err != nil {
					return nil, fmt.Errorf("%s, growth of %s: %w", c.A, metric, err)
				}
				list = append(list, Growth{c.A, metric, ns[s[0]], ns[s[1]-1], sum})
			}
		}
	}
	return list, nil
}

// growing returns the sizes at which an arm's metric was measured, and the
// samples at each, of the rounds that all of them have.
func (r *Run) growing(of map[place]labkit.Series, arm, metric string) (ns []int, samples [][]float64) {
	rounds := r.Plan.Rounds
	for _, n := range r.Measured() {
		if s, ok := of[place{arm, n, metric}]; ok {
			ns, samples, rounds = append(ns, n), append(samples, s.Samples), min(rounds, len(s.Samples))
		}
	}
	for i := range samples {
		samples[i] = samples[i][:rounds]
	}
	return ns, samples
}

// zeros are the sizes at which something takes nothing in a round.
func zeros(ns []int, samples [][]float64) (list []int) {
	for i, n := range ns {
		if slices.Contains(samples[i], 0) {
			list = append(list, n)
		}
	}
	return list
}

// Turned is the ratio of b to a for one of a to b. The median of the inverses is
// the inverse of the median only for an odd number of rounds, so it is taken of
// the samples; without them it is the inverse.
func (r *Run) Turned(x Ratio) Ratio {
	turned := Comparison{Role: x.Role, Label: x.Label, A: x.B, B: x.A} // never Against another metric
	if y, ok, err := r.ratio(r.index(), turned, x.N, x.Metric); ok && err == nil {
		return y
	}
	s := x.Summary
	s.P50, s.Min, s.Max, s.Lo, s.Hi = 1/s.P50, 1/s.Max, 1/s.Min, 1/s.Hi, 1/s.Lo
	return Ratio{x.Role, x.Label, x.B, x.A, x.N, x.Metric, "", s}
}

// ByChance is how many of the ratios would be expected to differ if all arms
// were equal: each is judged by itself, at the level of its interval.
func ByChance(ratios []Ratio) (expected float64, judged int) {
	for _, x := range ratios {
		if x.HasInterval() && x.Metric != labkit.Disk.Name && x.Against == "" { // bytes hardly vary, unlike metrics have no reason to be equal
			expected += 1 - x.Level
			judged++
		}
	}
	return expected, judged
}
