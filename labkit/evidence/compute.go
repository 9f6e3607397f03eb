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
	r.Complete = len(r.Missing()) == 0
	r.Warnings = r.warnings()
	r.Verdict = r.verdict()
	return nil
}

// digest covers what is not computed, as JSON, in the order of Run.
func (r *Run) digest() (string, error) {
	source := Run{
		Schema: r.Schema, Plan: r.Plan, Started: r.Started, Updated: r.Updated,
		Environment: r.Environment, Earlier: r.Earlier,
		Arms: r.Arms, Metrics: r.Metrics, Comparisons: r.Comparisons, Series: r.Series,
		Unmeasured: r.Unmeasured,
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
// is false where one has none, or takes no space on disk.
func (r *Run) ratio(of map[place]labkit.Series, c Comparison, n int, metric string) (x Ratio, ok bool, err error) {
	m, known := r.Metric(metric)
	a, b := of[place{c.A, n, metric}].Values(m), of[place{c.B, n, metric}].Values(m)
	rounds := min(len(a), len(b))
	if !known || rounds == 0 {
		return x, false, nil
	}
	over, under := a[:rounds], b[:rounds]
	if !m.Higher { // better is less: how many times less than B
		over, under = under, over
	}
	if slices.Contains(over, 0) || slices.Contains(under, 0) { // warnings tell
		return x, false, nil
	}
	sum, err := labkit.PairedRatio(over, under)
	return Ratio{c.Role, c.Label, c.A, c.B, n, metric, sum}, err == nil, err
}

// Turned is the ratio of b to a for one of a to b. The median of the inverses is
// the inverse of the median only for an odd number of rounds, so it is taken of
// the samples; without them it is the inverse.
func (r *Run) Turned(x Ratio) Ratio {
	turned := Comparison{Role: x.Role, Label: x.Label, A: x.B, B: x.A}
	if y, ok, err := r.ratio(r.index(), turned, x.N, x.Metric); ok && err == nil {
		return y
	}
	s := x.Summary
	s.P50, s.Min, s.Max, s.Lo, s.Hi = 1/s.P50, 1/s.Max, 1/s.Min, 1/s.Hi, 1/s.Lo
	return Ratio{x.Role, x.Label, x.B, x.A, x.N, x.Metric, s}
}

// ByChance is how many of the ratios would be expected to differ if all arms
// were equal: each is judged by itself, at the level of its interval.
func ByChance(ratios []Ratio) (expected float64, judged int) {
	for _, x := range ratios {
		if x.HasInterval() && x.Metric != labkit.Disk.Name { // bytes hardly vary
			expected += 1 - x.Level
			judged++
		}
	}
	return expected, judged
}
