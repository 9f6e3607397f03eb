package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"shelflab/labkit"
)

// Kind says what a warning is about.
type Kind string

// The kinds of warnings, in the order in which a run lists them: what must be
// known first at the head.
const (
	KindIncomplete Kind = "incomplete"
	KindFewRounds  Kind = "too few rounds"
	KindControl    Kind = "control shows a difference"
	KindDurability Kind = "unequal durability"
	KindEarlier    Kind = "another environment"
	KindTogether   Kind = "measured together"
	KindTrials     Kind = "trials show little"
	KindSpread     Kind = "spread too wide"
	KindFirst      Kind = "first round slow"
	KindDrift      Kind = "rounds drift"
	KindOrder      Kind = "order matters"
	KindShort      Kind = "too short for the clock"
	KindNoBytes    Kind = "no bytes on disk"
	KindBusy       Kind = "machine busy"
	KindTmpfs      Kind = "tmpfs"
	KindFull       Kind = "disk nearly full"
)

const (
	// wideSpread is the largest range of a series over its p50 that goes
	// without a warning.
	wideSpread = 1.0
	// Where it is not known what others took, the load must do. busyLoad is the
	// load a core above which a machine counts as busy before the run has begun,
	// and ownLoadCore the one after it: a run keeps all cores busy by itself, and a
	// few threads waiting for the disk. What ran just before the run, such as
	// compiling the cell, is in the load too.
	busyLoad    = 0.5
	ownLoadCore = 1.5
	// fullShare and fullBytes are how much must be free: file systems and flash
	// drives grow slow when they are nearly full.
	fullShare = 0.05
	fullBytes = 1e9
)

// warner collects warnings.
type warner []Warning

func (w *warner) add(kind Kind, remedy, format string, args ...any) {
	x := Warning{kind, fmt.Sprintf(format, args...), remedy}
	if !slices.Contains(*w, x) { // two comparisons may share their arms
		*w = append(*w, x)
	}
}

// Together warns that sizes were measured while another run was.
func Together(ns ...int) Warning {
	return Warning{KindTogether, fmt.Sprintf("Another run was measured in the same data folder at the same time as %s: each has taken the other's time.", sizes(ns)),
		"Let one end before the next begins, and run the sweep for them again."}
}

// warnings lists what weakens the run. Evidence of schema 1 has the warnings
// that were known then.
func (r *Run) warnings() []Warning {
	list := &warner{}
	r.ofPlan(list)
	if r.Schema > 1 {
		r.ofControl(list)
	}
	r.ofArms(list)
	if ns := r.Disturbed; len(ns) > 0 {
		w := Together(ns...)
		list.add(w.Kind, w.Remedy, "%s", w.Text)
	}
	r.ofTrials(list)
	r.spreads(list)
	if r.Schema > 1 {
		r.ofRounds(list)
		r.tooShort(list)
	}
	for _, s := range r.Series {
		if m, _ := r.Metric(s.Metric); s.Unit == "B" && m.Group == labkit.Main && slices.Contains(s.Samples, 0) {
			list.add(KindNoBytes, "Look at its store, and at the file system.", "%s at n = %s takes no bytes in a round (%s): it is left out of the ratios.", s.Arm, Count(s.N), s.Metric)
		}
	}
	r.ofMachine(list)
	if r.Schema == 1 {
		for i := range *list {
			(*list)[i].Kind = ""
		}
	}
	return append([]Warning{}, *list...)
}

func (r *Run) ofPlan(list *warner) {
	if missing := r.Missing(); len(missing) > 0 {
		list.add(KindIncomplete, "Run the sweep for them.", "The run is incomplete: %s %s not measured to the last round.", sizes(missing), be(missing, "is", "are"))
	}
	if sum, err := labkit.Summarize(make([]float64, r.Plan.Rounds)); err == nil && !sum.HasInterval() && len(r.Tallies) == 0 {
		list.add(KindFewRounds, "Take at least 5 rounds.", "%s %s only the %s level: no interval is shown and no winner named.",
			rounds(r.Plan.Rounds), verb(r.Plan.Rounds, "reaches", "reach"), Percent(sum.Level))
	}
}

// ofControl warns of noise at the verdict's n.
func (r *Run) ofControl(list *warner) {
	if c, ok := r.Control(r.Largest()); ok && c.Shows() {
		list.add(KindControl, fmt.Sprintf("Repeat on a quiet machine, with more rounds; until then believe no difference that is not far above %s times.", Factor(c.most())),
			"%s at n = %s differs from itself: %s.", c.A, Count(c.N), c.differ())
	}
}

func (r *Run) ofArms(list *warner) {
	for _, c := range r.Comparisons {
		if note := r.unequal(c.A, c.B); note != "" && c.Role != labkit.Price {
			list.add(KindDurability, "Compare arms of one class.", "%s: their ratios do not compare the same work.", note)
		}
	}
	for _, e := range r.Earlier {
		list.add(KindEarlier, "Run the whole sweep again.", "%s %s measured earlier and in another environment than the rest: it differs in %s.",
			sizes(e.N), be(e.N, "was", "were"), strings.Join(differences(e.Environment, r.Environment), ", "))
	}
}

func (r *Run) spreads(list *warner) {
	wide, timed, worst, where := 0, 0, 0.0, ""
	for _, s := range r.Summaries {
		if m, _ := r.Metric(s.Metric); s.P50 <= 0 || s.Unit == "B" || m.Group == labkit.Resources || m.Counted() {
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
	widest := fmt.Sprintf("%.1f", worst)
	if worst >= 1000 {
		widest = r.factor(math.Trunc(worst))
	}
	if wide > 0 {
		list.add(KindSpread, "Repeat on a quiet machine, or take more rounds.",
			"%d of %d timed series range over more than their p50; the widest over %s times its p50 (%s).", wide, timed, widest, where)
	}
}

func (r *Run) ofRounds(list *warner) {
	sweeps := r.sweeps()
	if ns, times := firstSlow(sweeps); len(ns) > 0 {
		list.add(KindFirst, "Take more rounds, so that one counts for less, or repeat: something is warm only after the first.",
			"The first round at %s is slower than all others, by up to %s times.", sizes(ns), r.factor(times))
	}
	if times, drifts := drift(sweeps); drifts {
		list.add(KindDrift, "Let the machine settle and cool, and repeat; ratios are paired inside a round and suffer least.",
			"The rounds drift: from the first to the last the arms grow %s, the last takes %s times what the first did.", slower(times), r.factor(times))
	}
	for _, e := range ofOrder(sweeps) {
		if !e.seen {
			continue
		}
		list.add(KindOrder, "Take more rounds, so that every arm has every place equally often, or look for what one arm leaves to the next.",
			"The %s arm of a round takes %s times what it takes elsewhere: it was slower than its round's p50 in %d of %d rounds.", e.where, r.factor(e.times), e.slow, e.turns)
	}
}

// tooShort names the arms that do nothing, or too little to be timed.
func (r *Run) tooShort(list *warner) {
	for _, arm := range r.Arms {
		short, least, clock, where := 0, 0.0, 0.0, ""
		for _, s := range r.Series {
			if s.Arm != arm.Name || !r.timed(s) {
				continue
			}
			p50, timer := labkit.P50(s.Samples), r.At(s.N).Timer
			if !timer.TooShort(p50, s.Batch) {
				continue
			}
			if short == 0 || p50 < least {
				least, clock, where = p50, timer.Uncertainty(), fmt.Sprintf("%s, n = %s", s.Metric, Count(s.N))
			}
			short++
		}
		if short > 0 {
			list.add(KindShort, "Look at what the arm does; if it is no mistake, give it more work.",
				"%s does nothing, or too little for the clock, in %d of its series: the shortest takes %s (%s), and reading the clock may take %s.",
				arm.Name, short, Quantity(least, "s"), where, Quantity(clock, "s"))
		}
	}
}

// quiet is the remedy for a machine that has other things to do.
const quiet = "Stop what else runs and repeat."

// ofMachine warns of what the machine and its disk were like.
func (r *Run) ofMachine(list *warner) {
	e := r.Environment
	switch cores := float64(e.CPUs); {
	case len(r.Processors) > 0:
		r.ofProcessors(list)
	case e.CPUs < 1:
	case e.LoadBefore > busyLoad*cores:
		list.add(KindBusy, quiet, "The machine was busy: load %.1f on %d cores before the run.", e.LoadBefore, e.CPUs)
	case e.LoadAfter > 1+ownLoadCore*cores: // the run's own load is in it
		list.add(KindBusy, quiet, "The machine was busy: load %.1f on %d cores at the end, more than the run makes by itself.", e.LoadAfter, e.CPUs)
	}
	if e.FileSystem == "tmpfs" {
		list.add(KindTmpfs, "Point --out at a folder on a disk.", "The data folder is a tmpfs: it lives in memory, so durability and disk times mean nothing.")
	}
	if free := float64(e.DiskFree); e.DiskSize > 0 && (free < fullShare*float64(e.DiskSize) || free < fullBytes) {
		list.add(KindFull, "Make room, or point --out at another disk.", "The disk is nearly full: %s of %s are free.", Quantity(free, "B"), Quantity(float64(e.DiskSize), "B"))
	}
}

// At returns the environment in which n was measured.
func (r *Run) At(n int) Environment {
	for _, e := range r.Earlier {
		if slices.Contains(e.N, n) {
			return e.Environment
		}
	}
	return r.Environment
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
