package evidence

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
)

const (
	// wideSpread is the largest range of a series over its p50 that goes
	// without a warning.
	wideSpread = 1.0
	// busyLoad is the load a core above which a machine counts as busy before
	// the run has begun.
	busyLoad = 0.5
)

// warnings lists what weakens the run, whatever must be known first at the
// head.
func (r *Run) warnings() []Warning {
	list := []Warning{}
	add := func(remedy, format string, args ...any) {
		w := Warning{fmt.Sprintf(format, args...), remedy}
		if !slices.Contains(list, w) { // two comparisons may share their arms
			list = append(list, w)
		}
	}
	if missing := r.Missing(); len(missing) > 0 {
		add("Run the sweep for them.", "The run is incomplete: %s %s not measured to the last round.", sizes(missing), be(missing, "is", "are"))
	}
	if sum, err := labkit.Summarize(make([]float64, r.Plan.Rounds)); err == nil && !sum.HasInterval() {
		reach := "reach"
		if r.Plan.Rounds == 1 {
			reach = "reaches"
		}
		add("Take at least 5 rounds.", "%s %s only the %s level: no interval is shown and no winner named.", rounds(r.Plan.Rounds), reach, Percent(sum.Level))
	}
	for _, c := range r.Comparisons {
		if note := r.unequal(c.A, c.B); note != "" {
			add("Compare arms of one class.", "%s: their ratios do not compare the same work.", note)
		}
	}
	for _, e := range r.Earlier {
		add("Run the whole sweep again.", "%s %s measured earlier and in another environment than the rest: it differs in %s.",
			sizes(e.N), be(e.N, "was", "were"), strings.Join(differences(e.Environment, r.Environment), ", "))
	}
	r.spreads(add)
	for _, s := range r.Series {
		if s.Unit == "B" && slices.Contains(s.Samples, 0) {
			add("Look at its store, and at the file system.", "%s at n = %s takes no bytes in a round (%s): it is left out of the ratios.", s.Arm, Count(s.N), s.Metric)
		}
	}
	if e := r.Environment; e.CPUs > 0 && e.LoadBefore > busyLoad*float64(e.CPUs) {
		add("Stop what else runs and repeat.", "The machine was busy: load %.1f on %d cores before the run.", e.LoadBefore, e.CPUs)
	}
	if r.Environment.FileSystem == "tmpfs" {
		add("Point --out at a folder on a disk.", "The data folder is a tmpfs: it lives in memory, so durability and disk times mean nothing.")
	}
	return list
}

func (r *Run) spreads(add func(remedy, format string, args ...any)) {
	wide, timed, worst, where := 0, 0, 0.0, ""
	for _, s := range r.Summaries {
		if s.P50 <= 0 || s.Unit == "B" {
			continue
		}
		timed++
		spread := (s.Max - s.Min) / s.P50
		if spread > wideSpread {
			wide++
		}
		if spread > worst {
			worst, where = spread, fmt.Sprintf("%s, n = %s, %s", s.Arm, Count(s.N), s.Metric)
		}
	}
	if wide > 0 {
		add("Repeat on a quiet machine, or take more rounds.",
			"%d of %d timed series range over more than their p50; the widest over %.1f times its p50 (%s).", wide, timed, worst, where)
	}
}

// unequal says which classes of durability two arms have, "" if they have one.
func (r *Run) unequal(a, b string) string {
	x, ok1 := r.arm(a)
	y, ok2 := r.arm(b)
	if !ok1 || !ok2 || x.Durability == y.Durability {
		return ""
	}
	if x.Durability != labkit.PowerLoss {
		x, y = y, x
	}
	return fmt.Sprintf("%s survives a power loss, %s only a process crash", x.Name, y.Name)
}

func (r *Run) arm(name string) (labkit.Arm, bool) {
	at := slices.IndexFunc(r.Arms, func(a labkit.Arm) bool { return a.Name == name })
	if at < 0 {
		return labkit.Arm{}, false
	}
	return r.Arms[at], true
}

func rounds(n int) string {
	if n == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", n)
}

// sizes lists sizes: "n = 500, 2,000 and 8,000". The last two are joined by a
// word, since numbers hold commas themselves.
func sizes(ns []int) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = Count(n)
	}
	last := len(texts) - 1
	if last < 1 {
		return "n = " + strings.Join(texts, "")
	}
	return "n = " + strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// be is one verb for one size and another for more.
func be(ns []int, one, more string) string {
	if len(ns) == 1 {
		return one
	}
	return more
}
