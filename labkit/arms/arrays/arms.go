package arrays

import (
	"shelflab/labkit"
	"shelflab/labkit/arms/values"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/records"
)

// arm is a form at work on an array.
func arm(name string, f Form, v whole.Value[[][]float64], class labkit.Durability) labkit.Arm {
	return labkit.Arm{Name: name, Kind: f.Kind, What: f.What, Durability: class, Measure: whole.Turn(v, whole.Durable(class, f.Dump), f.Load)}
}

// name is an arm's: a form at work on one of records.Contents.
func name(form, content string) string { return form + " (" + content + ")" }

// controlled is the arm of Protocol that is measured twice.
var controlled = name("gob rows", records.Random)

// Protocol returns the arms of the first trick: each form with a square array of
// so many rows, once of ones and once of random values; and a control. Every value that is
// loaded is compared, bit by bit. Seed and durability are the plan's; errors are
// those of values.Array.
func Protocol(plan labkit.Plan, rows int, forms ...Form) ([]labkit.Arm, error) {
	var arms []labkit.Arm
	for _, content := range records.Contents() {
		v, err := values.Array(plan.Seed, rows, content)
		if err != nil {
			return nil, err
		}
		for _, f := range forms {
			arms = append(arms, arm(name(f.Name, content), f, v, plan.Durability))
			if arms[len(arms)-1].Name == controlled {
				arms = append(arms, labkit.AsControl(arms[len(arms)-1]))
			}
		}
	}
	return arms, nil
}

// ProtocolComparisons sets binary against text, for ones and for random values;
// then, on random values, one binary form against the next; and forms against
// themselves, ones against random values: what flatters them. Of forms that are
// not there nothing is said.
func ProtocolComparisons(forms ...Form) []labkit.Comparison {
	dump, load, disk := labkit.Dump.Name, labkit.Load.Name, labkit.Disk.Name
	has := map[string]bool{}
	for _, f := range forms {
		has[f.Name] = true
	}
	var list []labkit.Comparison
	add := func(role labkit.Role, label, a, b, contentA, contentB string, metrics ...string) {
		if has[a] && has[b] {
			list = append(list, labkit.Comparison{Role: role, Label: label, A: name(a, contentA), B: name(b, contentB), Metrics: metrics})
		}
	}
	for _, content := range records.Contents() {
		add(labkit.Headline, "binary against text", "raw", "text", content, content, dump, load, disk)
		add(labkit.Headline, "gob against JSON", "gob rows", "JSON", content, content, dump, load, disk)
	}
	random := records.Random
	add(labkit.Part, "one slice instead of rows", "gob slice", "gob rows", random, random, dump, load)
	add(labkit.Part, "eight bytes a number", "encoding/binary", "gob slice", random, random, dump, load)
	add(labkit.Part, "gonum's way of it", "gonum", "encoding/binary", random, random, dump, load)
	add(labkit.Part, "no conversion at all", "raw", "encoding/binary", random, random, dump, load)
	for _, form := range []string{"text", "JSON", "gob rows", "raw"} {
		add(labkit.Part, "ones instead of random values", form, form, records.Ones, random, dump, load, disk)
	}
	if has["gob rows"] {
		list = append(list, labkit.ControlOf(controlled, dump, load))
	}
	return list
}

// The arms of Tricks.
const (
	Start     = "plain start"
	Trick1    = "binary"
	Trick2    = "fast engine"
	Trick3    = "GC off"
	Tricks12  = "fast binary"
	AllTricks = "all three"
)

// Tricks returns the arms of the closing table, on a square array of so many
// rows: the plain start, which is text, a number at a time through fmt, the
// garbage collector on; each trick alone; the first two, and all three together;
// and the first trick once more, as a control. Forms of one protocol write the
// same file, whatever their engine. Seed and durability are
// the plan's; errors are those of values.Array.
func Tricks(plan labkit.Plan, rows int, content string) ([]labkit.Arm, error) {
	v, err := values.Array(plan.Seed, rows, content)
	if err != nil {
		return nil, err
	}
	binary := arm(Trick1, SlowRaw(), v, plan.Durability)
	return []labkit.Arm{
		arm(Start, SlowText(), v, plan.Durability),
		binary,
		arm(Trick2, TextForm(), v, plan.Durability),
		arm(Trick3, withoutCollector(SlowText()), v, plan.Durability),
		arm(Tricks12, Raw(), v, plan.Durability),
		arm(AllTricks, withoutCollector(Raw()), v, plan.Durability),
		labkit.AsControl(binary),
	}, nil
}

// withoutCollector is a form whose garbage is not collected while it dumps and
// loads.
func withoutCollector(f Form) Form {
	dump, load := f.Dump, f.Load
	f.What += "; the garbage collector off"
	f.Dump = func(path string, array [][]float64) error {
		return labkit.WithGC(labkit.GCOff, 0, func() error { return dump(path, array) })
	}
	f.Load = func(path string) (array [][]float64, err error) {
		err = labkit.WithGC(labkit.GCOff, 0, func() (err error) {
			array, err = load(path)
			return err
		})
		return array, err
	}
	return f
}

// TricksComparisons sets each trick, and several together, against the plain
// start, and what the collector adds to the other two.
func TricksComparisons() []labkit.Comparison {
	metrics := []string{labkit.Dump.Name, labkit.Load.Name, labkit.Disk.Name, labkit.PeakMemory.Of(labkit.Load).Name}
	var list []labkit.Comparison
	for _, trick := range []struct{ label, arm string }{
		{"trick 1 alone", Trick1}, {"trick 2 alone", Trick2}, {"trick 3 alone", Trick3}, {"tricks 1 and 2", Tricks12}, {"all tricks", AllTricks},
	} {
		list = append(list, labkit.Comparison{Role: labkit.Headline, Label: trick.label, A: trick.arm, B: Start, Metrics: metrics})
	}
	return append(list,
		labkit.Comparison{Role: labkit.Part, Label: "the collector, on top of the other two", A: AllTricks, B: Tricks12, Metrics: metrics},
		labkit.ControlOf(Trick1, labkit.Dump.Name, labkit.Load.Name))
}

// Table says of each form what it carries and notices, as rows of text under a
// head, for a table in a cell.
func Table(forms ...Form) (head []string, rows [][]string) {
	head = []string{"form", "how it writes", "NaN and infinities", "a NaN's payload", "rows of unequal length", "an altered byte"}
	answer := func(is bool, no string) string {
		if is {
			return "yes"
		}
		return no
	}
	for _, f := range forms {
		rows = append(rows, []string{
			f.Name + "\n" + f.Kind, f.What, answer(f.Special, "refuses"), answer(f.Payload, "refuses"), answer(f.Ragged, "refuses"),
			map[bool]string{true: "notices", false: "may not notice"}[f.Checked],
		})
	}
	return head, rows
}
