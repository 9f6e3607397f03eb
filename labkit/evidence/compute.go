package evidence

import (
	"fmt"
	"slices"

	"shelflab/labkit"
)

// compute fills everything that follows from the samples.
func (r *Run) compute() error {
	r.Fingerprint = r.Plan.Fingerprint()
	r.Summaries = []Summary{}
	for _, s := range r.Series {
		m, ok := r.Metric(s.Metric)
		if !ok {
			return fmt.Errorf("%w: a series of an unknown metric %q", ErrFormat, s.Metric)
		}
		sum, err := labkit.Summarize(s.Values(m))
		if err != nil {
			return fmt.Errorf("%s, n = %d, %s: %w", s.Arm, s.N, s.Metric, err)
		}
		r.Summaries = append(r.Summaries, Summary{s.Arm, s.N, s.Metric, m.Unit, sum})
	}
	r.Ratios = []Ratio{}
	for _, n := range r.Measured() {
		for _, c := range r.Comparisons {
			if err := r.compare(c, n); err != nil {
				return err
			}
		}
	}
	r.Complete = len(r.Missing()) == 0
	r.Warnings = r.warnings()
	r.Verdict = r.verdict()
	return nil
}

// compare adds the ratios of one comparison at one n, over the rounds that
// both arms have. A metric that an arm does not have is left out.
func (r *Run) compare(c Comparison, n int) error {
	for _, name := range c.Metrics {
		m, ok := r.Metric(name)
		a, b := r.values(c.A, n, m), r.values(c.B, n, m)
		rounds := min(len(a), len(b))
		if !ok || rounds == 0 {
			continue
		}
		over, under := a[:rounds], b[:rounds]
		if !m.Higher { // better is less: how many times less than B
			over, under = under, over
		}
		sum, err := labkit.PairedRatio(over, under)
		if err != nil {
			return fmt.Errorf("%s against %s, n = %d, %s: %w", c.A, c.B, n, name, err)
		}
		r.Ratios = append(r.Ratios, Ratio{c.Role, c.Label, c.A, c.B, n, name, sum})
	}
	return nil
}

func (r *Run) values(arm string, n int, m labkit.Metric) []float64 {
	at := slices.IndexFunc(r.Series, func(s labkit.Series) bool {
		return s.Arm == arm && s.N == n && s.Metric == m.Name
	})
	if at < 0 {
		return nil
	}
	return r.Series[at].Values(m)
}

// wideSpread is the largest range of a series over its p50 that goes without a
// warning.
const wideSpread = 1.0

// busyLoad is the load a core above which a machine counts as busy before the
// run has begun.
const busyLoad = 0.5

func (r *Run) warnings() []Warning {
	list := []Warning{}
	add := func(remedy, format string, args ...any) {
		list = append(list, Warning{fmt.Sprintf(format, args...), remedy})
	}
	if missing := r.Missing(); len(missing) > 0 {
		add("Run the sweep for them.", "The run is incomplete: %s not measured to the last round.", sizes(missing))
	}
	if r.Plan.Rounds < labkit.RoundsWanted {
		sum, _ := labkit.Summarize(make([]float64, r.Plan.Rounds))
		if !sum.HasInterval() {
			add("Take at least 5 rounds.", "%d rounds reach only the %s level: no interval is shown and no winner named.", r.Plan.Rounds, Percent(sum.Level))
		}
	}
	wide, worst, where := 0, 0.0, ""
	for _, s := range r.Summaries {
		if s.P50 <= 0 || s.Unit == "B" {
			continue
		}
		if spread := (s.Max - s.Min) / s.P50; spread > wideSpread {
			wide++
			if spread > worst {
				worst, where = spread, fmt.Sprintf("%s, n = %s, %s", s.Arm, Count(s.N), s.Metric)
			}
		}
	}
	if wide > 0 {
		add("Repeat on a quiet machine, or take more rounds.",
			"%d of %d series spread over more than their p50; the widest over %.1f times (%s).", wide, len(r.Summaries), worst, where)
	}
	if e := r.Environment; e.CPUs > 0 && e.LoadBefore > busyLoad*float64(e.CPUs) {
		add("Stop what else runs and repeat.", "The machine was busy: load %.1f on %d cores before the run.", e.LoadBefore, e.CPUs)
	}
	if r.Environment.FileSystem == "tmpfs" {
		add("Point --out at a folder on a disk.", "The data folder is a tmpfs: it lives in memory, so durability and disk times mean nothing.")
	}
	for _, c := range r.Comparisons {
		a, b := r.arm(c.A), r.arm(c.B)
		if a.Durability != b.Durability {
			add("Compare arms of one class.", "%s survives a %s, %s a %s: their ratios do not compare the same work.", a.Name, a.Durability, b.Name, b.Durability)
		}
	}
	return list
}

func (r *Run) arm(name string) labkit.Arm {
	for _, a := range r.Arms {
		if a.Name == name {
			return a
		}
	}
	return labkit.Arm{Name: name}
}
