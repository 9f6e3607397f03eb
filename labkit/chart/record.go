package chart

import (
	"slices"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// PerRecord draws what one record costs over n, in seconds, of a metric that is of
// all n records: write, put, read or scan. It is Scale turned over, and a flat line is
// an arm whose records cost the same however many there are. Errors are those of
// Scale; any other metric has no samples.
func PerRecord(run *evidence.Run, m labkit.Metric) (Chart, error) {
	return finish(perRecordPage(run, m))
}

func perRecordPage(run *evidence.Run, m labkit.Metric) (page, error) {
	if err := check(run); err != nil {
		return page{}, err
	}
	each := labkit.Metric{Name: m.Name + " per record", Unit: "s"}
	of := *run
	of.Summaries = nil
	for _, s := range run.Series {
		if s.Metric != m.Name || !m.Rate() {
			continue
		}
		costs := slices.Clone(s.Samples)
		for i := range costs {
			costs[i] /= float64(s.Work)
		}
		if sum, err := labkit.Summarize(costs); err == nil { // otherwise it is no measurement
			of.Summaries = append(of.Summaries, evidence.Summary{Arm: s.Arm, N: s.N, Metric: each.Name, Unit: each.Unit, Summary: sum})
		}
	}
	return scalePage(&of, each)
}
