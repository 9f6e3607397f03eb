package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"shelflab/labkit"
)

// unlike lists what sets two runs apart as a whole. A bench.txt tells little of
// its plan and machine, which is said too.
func unlike(old, new *Run) []Warning {
	list := []Warning{}
	add := func(remedy, format string, args ...any) {
		list = append(list, Warning{Text: fmt.Sprintf(format, args...), Remedy: remedy})
	}
	for _, side := range []struct {
		name string
		run  *Run
	}{{"old", old}, {"new", new}} {
		switch {
		case side.run.Schema == 0:
			add("Compare summary.json where it is at hand.", "The %s side is in Go's benchmark format, which does not tell its plan, nor all of its environment.", side.name)
		case !side.run.Complete:
			add("Run its sweep again.", "The %s run is incomplete.", side.name)
		}
		if len(side.run.Earlier) > 0 {
			add("Run its whole sweep again.", "The %s run was measured in more than one environment.", side.name)
		}
	}
	if old.Schema == 0 || new.Schema == 0 {
		return list
	}
	if list := planDifferences(old.Plan, new.Plan); len(list) > 0 {
		add("Compare runs of one plan.", "The plans differ in %s.", strings.Join(list, ", "))
	}
	if list := differences(old.Environment, new.Environment); len(list) > 0 {
		add("What changed may come from there, and not from the code.", "The environments differ in %s.", strings.Join(list, ", "))
	}
	if old.Environment.Dirty || new.Environment.Dirty {
		add("Commit, then measure.", "A commit does not tell what was measured: there were uncommitted changes.")
	}
	for _, m := range new.Metrics {
		if was, ok := old.Metric(m.Name); ok && was.What != m.What {
			add("Read what each run measured.", "%s was %q and is %q.", m.Name, was.What, m.What)
		}
	}
	return list
}

// planDifferences names the values in which two plans differ. Sizes are left
// out: a size that only one run has is listed with its series.
func planDifferences(a, b labkit.Plan) []string {
	var list []string
	b.N = a.N
	x, y := labkit.ListParams(&a), labkit.ListParams(&b)
	for i := range x {
		if !reflect.DeepEqual(x[i].Value, y[i].Value) {
			list = append(list, fmt.Sprintf("%s (%s and %s)", x[i].Name, x[i].Value, y[i].Value))
		}
	}
	before, after := a.Values(), b.Values()
	names := slices.Concat(slices.Collect(maps.Keys(before)), slices.Collect(maps.Keys(after)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if x, y := before[name], after[name]; x != y {
			list = append(list, fmt.Sprintf("%s (%s and %s)", name, cmp.Or(x, "none"), cmp.Or(y, "none")))
		}
	}
	return list
}

// classes says that an arm was not measured in one class of durability, "" if
// it was, or if a run does not tell.
func classes(old, new *Run, before, after string) string {
	x, ok1 := old.arm(before)
	y, ok2 := new.arm(after)
	if !ok1 || !ok2 || x.Durability == y.Durability {
		return ""
	}
	return fmt.Sprintf("durability was %s and is %s", x.Durability, y.Durability)
}
