package evidence

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"shelflab/labkit"
)

// DurabilityPlan is the plan of the run that sets the two durability classes
// side by side: a part of the plan's run, so that no table of that compares arms
// that do unequal work. It is the plan at its smallest n; its Durability says
// nothing of its arms.
func DurabilityPlan(plan labkit.Plan) labkit.Plan {
	return plan.Part("durability", plan.Counts, plan.N[:min(1, len(plan.N))]...)
}

// PartOf tells whether a plan is that of a part of the run of another, as
// Plan.Part and With make it: its name begins with the other's; rounds (but
// for one InRounds of its own), keys and seed are the same, and so are the notebook's own parameters but for those that
// the part has values of its own for.
func PartOf(part, whole labkit.Plan) bool {
	own := maps.Clone(whole.Own)
	maps.DeleteFunc(own, func(name, _ string) bool { _, given := part.Given[name]; return given })
	return whole.Name != "" && strings.HasPrefix(part.Name, labkit.PartPrefix(whole.Name)) &&
		(part.Rounds == whole.Rounds || part.OwnRounds()) && part.Keys == whole.Keys && part.Seed == whole.Seed && maps.Equal(part.Own, own)
}

// Suffix is what a part's name adds to that of the whole.
func Suffix(part, whole labkit.Plan) string {
	return strings.TrimPrefix(part.Name, labkit.PartPrefix(whole.Name))
}

// Parts reads the runs that are parts of the plan's, by name, from the folders
// beside its own in out. What follows from their samples is computed anew. A
// folder that holds no evidence, cannot be read, or is of other parameters is no
// part; one below another name than its plan's neither.
func Parts(out string, plan labkit.Plan) []*Run {
	entries, err := os.ReadDir(out)
	if err != nil {
		return nil
	}
	var list []*Run
	for _, e := range entries { // by name
		if !strings.HasPrefix(e.Name(), labkit.PartPrefix(plan.Name)) {
			continue
		}
		dir := filepath.Join(out, e.Name())
		run, err := Read(filepath.Join(dir, SummaryName))
		if err != nil || run.Plan.Name != e.Name() || !PartOf(run.Plan, plan) {
			continue
		}
		if run, err = Load(dir, run.Plan); err == nil {
			list = append(list, run)
		}
	}
	return slices.Clip(list)
}

// LastStep is how a metric of an arm grows between the two largest sizes at which
// it was measured. ok is false where there are fewer than two, and where it takes
// nothing in a round of either, so that there is no exponent.
func (r *Run) LastStep(arm, metric string) (g Growth, ok bool) {
	ns, samples := r.growing(r.index(), arm, metric)
	last := len(ns) - 2
	if last < 0 {
		return Growth{}, false
	}
	sum, err := labkit.LogSlope(ns[last:], samples[last:])
	return Growth{arm, metric, ns[last], ns[last+1], sum}, err == nil
}

// Fills says at which n a metric of an arm would reach so many bytes, or
// whatever its unit is, on the straight line through its p50 at the two largest
// sizes at which it was measured: an extrapolation, which shows no cliff. n is
// below the sizes measured where they exceed it, and not below 0. ok is false
// where there are fewer than two sizes, where the metric does not grow, and where
// bytes is not positive and finite.
func (r *Run) Fills(arm, metric string, bytes float64) (n float64, ok bool) {
	var two []Summary
	for _, size := range slices.Backward(r.Measured()) {
		if s, ok := r.Summary(arm, size, metric); ok && len(two) < 2 {
			two = append(two, s)
		}
	}
	if len(two) < 2 || !(bytes > 0) || bytes > maxBytes {
		return 0, false
	}
	larger, smaller := two[0], two[1]
	each := (larger.P50 - smaller.P50) / float64(larger.N-smaller.N)
	if !(each > 0) {
		return 0, false
	}
	return max(0, float64(larger.N)+(bytes-larger.P50)/each), true
}

// maxBytes is more than any machine has.
const maxBytes = 1e24
