package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"shelflab/labkit"
)

// Processors is what the processors did while a group of metrics was measured
// at n. All times are sums over the processors that the process may use, by the
// system's count, which is in ticks: what is short is coarse.
type Processors struct {
	N     int          `json:"n"`               // records, as in the plan
	Group labkit.Group `json:"group,omitempty"` // of the metrics
	Time  float64      `json:"time"`            // seconds that passed, idle ones too: two for each second on two processors
	Own   float64      `json:"own"`             // seconds of processor time that the program that measured has taken, with all processes that it has started

	// Others is seconds of processor time that were taken by anything else: by
	// other programs, by the kernel where it works for no process by name (it
	// writes back what the run has written, too), and, on a virtual machine, by
	// its host for others (steal).
	Others float64 `json:"others"`
}

// Share is the share of the processors' time that others have taken, from 0 to 1.
func (p Processors) Share() float64 { return p.Others / p.Time }

const (
	// busyShare is the share of the processors above which others have disturbed
	// a measurement. The daemons and the kernel of an idle machine take one or
	// two hundredths; one program that computes takes half of two processors, and
	// still a ninth while eight processes of a run compete with it.
	busyShare = 0.10
	// tick is the time by which the system counts, in seconds.
	tick = 0.01
)

// Busy tells whether others have taken more than can be idle work, and more than
// chance may have counted as theirs: what a processor does is seen once a tick,
// so the share of t ticks has a standard deviation of at most 0.5/sqrt(t), and
// three of these are allowed for.
func (p Processors) Busy() bool {
	chance := 3 * 0.5 * math.Sqrt(tick/p.Time)
	return p.Share() > busyShare+float64(chance) // rounded, so that it is the same on every machine
}

// spent is what has been taken of the processors' time since some moment in the
// past, in seconds.
type spent struct{ all, busy, own float64 }

// since is what was taken from then to now. ok is false if no time has passed.
func (now spent) since(then spent) (p Processors, ok bool) {
	milli := func(x float64) float64 { return max(0, math.Round(1e3*x)/1e3) } // a tick is longer
	p.Time, p.Own = milli(now.all-then.all), milli(now.own-then.own)
	p.Others = min(milli(now.busy-then.busy-p.Own), p.Time)
	return p, p.Time > 0
}

// watched measures a group of metrics at n, and keeps what the processors did
// meanwhile, if the system tells and it has ended well. All processes that
// measure has started have ended when it returns.
func (rec *Recorder) watched(n int, group labkit.Group, measure func() error) error {
	run := *rec.run
	run.Processors = without(run.Processors, n, group) // of what is replaced now
	rec.run = &run
	then, told := spentSoFar()
	if err := measure(); err != nil {
		return err
	}
	now, still := spentSoFar()
	p, ok := now.since(then)
	if !told || !still || !ok {
		return nil
	}
	p.N, p.Group = n, group
	return rec.KeepProcessors(p)
}

// KeepProcessors replaces what the run has of the processors for the same group
// and n.
func (rec *Recorder) KeepProcessors(p Processors) error {
	run := *rec.run
	run.Processors = append(without(run.Processors, p.N, p.Group), p)
	slices.SortStableFunc(run.Processors, func(a, b Processors) int { return a.N - b.N })
	return rec.write(run)
}

// without is a copy of a list without a group of metrics at n.
func without(list []Processors, n int, group labkit.Group) []Processors {
	return slices.DeleteFunc(slices.Clone(list), func(p Processors) bool { return p.N == n && p.Group == group })
}

// processorFaults says which of them cannot be.
func (r *Run) processorFaults() []string {
	if len(r.Processors) == 0 {
		return nil
	}
	if r.Schema < 4 || len(r.Processors) > len(r.Plan.N)*len(groups) {
		return []string{fmt.Sprintf("%d times of processors: more than there are groups of metrics, or schema %d knows none", len(r.Processors), r.Schema)}
	}
	type at struct {
		n     int
		group labkit.Group
	}
	seen := map[at]bool{}
	var list []string
	for i, p := range r.Processors {
		here := at{p.N, p.Group}
		bad := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) || x < 0 }
		if seen[here] || !slices.Contains(r.Plan.N, p.N) || !slices.Contains(groups, p.Group) ||
			bad(p.Time) || p.Time == 0 || bad(p.Own) || bad(p.Others) || p.Others > p.Time {
			list = append(list, fmt.Sprintf("processors[%d] (n = %d): no such size or group, there twice, or not an amount", i, p.N))
		}
		seen[here] = true
	}
	return list
}

// Others says in a few words what share of the processors others took, at most;
// "" where the system does not tell.
func (r *Run) Others() string {
	if len(r.Processors) == 0 {
		return ""
	}
	return "others took at most " + wholePercent(mostTaken(r.Processors)) + " of the processors"
}

// mostTaken is the largest share that others took.
func mostTaken(list []Processors) (most float64) {
	for _, p := range list {
		most = max(most, p.Share())
	}
	return most
}

// wholePercent writes a share between 0 and 1.
func wholePercent(x float64) string { return Percent(math.Round(100*x) / 100) }

// ofProcessors warns of what others took while the run was measured.
func (r *Run) ofProcessors(list *warner) {
	var busy []Processors
	var ns []int
	for _, p := range r.Processors {
		if p.Busy() {
			busy, ns = append(busy, p), append(ns, p.N)
		}
	}
	if ns = slices.Compact(ns); len(ns) > 0 {
		list.add(KindBusy, quiet, "The machine was busy: others took %s of the processors while %s %s measured.",
			strings.TrimSpace(be(ns, "", "up to")+" "+wholePercent(mostTaken(busy))), sizes(ns), be(ns, "was", "were"))
	}
}
