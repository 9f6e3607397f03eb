package dicts

import (
	"fmt"
	"slices"

	"shelflab/labkit"
	"shelflab/labkit/records"
)

// Comparisons says which arms of Arms are set against each other, for lists of
// dictionaries of so many items: whether loading is the slow side and what memory
// it takes, the fast engine against the slow one, what else a program could do,
// and how the main ones grow with the list.
func Comparisons(items int) []labkit.Comparison {
	dump, load, disk := labkit.Dump.Name, labkit.Load.Name, labkit.Disk.Name
	peak, live := labkit.PeakGrowth.Of(labkit.Load).Name, labkit.LiveHeap.Of(labkit.Load).Name
	var list []labkit.Comparison
	add := func(role labkit.Role, label, a, b string, metrics ...string) {
		list = append(list, labkit.Comparison{Role: role, Label: label, A: a, B: b, Metrics: metrics})
	}
	for _, arm := range []string{PlainGob, Blob, JSON, FastJSON, Text} {
		list = append(list, labkit.Comparison{Role: labkit.Headline, Label: "loading against dumping", A: arm, B: arm, Metrics: []string{load}, Against: dump})
	}
	for _, arm := range []string{PlainGob, JSON} {
		list = append(list, labkit.Comparison{Role: labkit.Headline, Label: "memory against the file", A: arm, B: arm, Metrics: []string{peak}, Against: disk})
	}
	add(labkit.Headline, "the engine", FastJSON, JSON, dump, load, peak)
	add(labkit.Headline, "the blob", Blob, PlainGob, dump, load, peak, disk)
	add(labkit.Headline, "streaming", Indexed, PlainGob, dump, load, peak)
	add(labkit.Headline, "the shelf", Blob, Shelf, dump, load, peak)
	add(labkit.Part, "the codec", BlobOneCore, PlainGob, dump, load)
	add(labkit.Part, "the cores", Blob, BlobOneCore, dump, load)
	add(labkit.Part, "interning, a dictionary at a time", Interned, PlainGob, load, peak, live)
	add(labkit.Part, "splitting lines", Text, PlainGob, dump, load, peak, disk)
	add(labkit.Part, "splitting lines instead of JSON", Text, JSON, dump, load)
	list = append(list, labkit.ControlOf(PlainGob, dump, load))
	grow := []string{PlainGob, Blob, JSON, Text}
	if items == Fields {
		add(labkit.Part, "structs instead of maps", Structs, PlainGob, dump, load, peak, live, disk)
		grow = slices.Insert(grow, 1, Structs)
	}
	for _, arm := range grow {
		add(labkit.Growth, "with the list", arm, arm, dump, load)
	}
	for _, arm := range []string{PlainGob, Blob} {
		add(labkit.Growth, "memory with the list", arm, arm, peak)
	}
	return list
}

// pick returns the arms of these names.
func pick(arms []labkit.Arm, names ...string) []labkit.Arm {
	return slices.DeleteFunc(arms, func(a labkit.Arm) bool { return !slices.Contains(names, a.Name) })
}

// InItems returns the arms that are measured over the items of a dictionary: n
// of a plan counts items then, and the list is as long at each. One is the control.
func InItems(list List, items int, class labkit.Durability) []labkit.Arm {
	list.N = items
	return pick(Arms(list, class), PlainGob, Blob, JSON, FastJSON, Text, PlainAgain)
}

// TextFile returns the arms that load the published text file: text lines, and
// what else the same dictionaries could be kept in; and the control.
func TextFile(list List, class labkit.Durability) []labkit.Arm {
	return pick(Arms(list, class), Text, PlainGob, Blob, PlainAgain)
}

// TextFileComparisons sets the arms of TextFile against each other.
func TextFileComparisons() []labkit.Comparison {
	metrics := []string{labkit.Dump.Name, labkit.Load.Name, labkit.Disk.Name}
	return []labkit.Comparison{
		{Role: labkit.Headline, Label: "splitting lines", A: Text, B: PlainGob, Metrics: metrics},
		{Role: labkit.Headline, Label: "splitting lines", A: Text, B: Blob, Metrics: metrics},
		labkit.ControlOf(PlainGob, labkit.Dump.Name, labkit.Load.Name),
	}
}

// ItemComparisons asks how each arm of InItems grows with the items, and whether
// loading is the slow side there too.
func ItemComparisons() []labkit.Comparison {
	dump, load := labkit.Dump.Name, labkit.Load.Name
	var list []labkit.Comparison
	for _, arm := range []string{PlainGob, Blob, JSON, FastJSON, Text} {
		list = append(list, labkit.Comparison{Role: labkit.Growth, Label: "with the items", A: arm, B: arm, Metrics: []string{dump, load}})
	}
	return append(list,
		labkit.Comparison{Role: labkit.Headline, Label: "loading against dumping", A: PlainGob, B: PlainGob, Metrics: []string{load}, Against: dump},
		labkit.ControlOf(PlainGob, dump, load))
}

var likeArms = []string{PlainGob, Interned, Blob, JSON, Text}

// sameAnd is the name of an arm at work on dictionaries that are the same, or
// not.
func sameAnd(arm string, unlike bool) string {
	if unlike {
		return arm + ", unlike"
	}
	return arm + ", same"
}

// Alike returns arms over n dictionaries that are all the same and, of the same
// lengths, over n that are all unlike: kind says what else they are like. The
// last one is the control. Errors are those of New.
func Alike(kind records.Dicts, seed uint64, n int, class labkit.Durability) ([]labkit.Arm, error) {
	var arms []labkit.Arm
	for _, unlike := range []bool{false, true} {
		kind.Unlike = unlike
		list, err := New(kind, seed, n, nil)
		if err != nil {
			return nil, err
		}
		for _, arm := range pick(Arms(list, class), likeArms...) {
			arm.Name = sameAnd(arm.Name, unlike)
			arms = append(arms, arm)
		}
	}
	return append(arms, labkit.AsControl(arms[0])), nil
}

// AlikeComparisons sets each arm of Alike against itself, the same dictionaries
// against unlike ones, and asks what interning strings saves on each.
func AlikeComparisons() []labkit.Comparison {
	dump, load, disk := labkit.Dump.Name, labkit.Load.Name, labkit.Disk.Name
	live := labkit.LiveHeap.Of(labkit.Load).Name
	var list []labkit.Comparison
	for _, arm := range likeArms {
		list = append(list, labkit.Comparison{
			Role: labkit.Headline, Label: "same against unlike", A: sameAnd(arm, false), B: sameAnd(arm, true), Metrics: []string{dump, load, live, disk},
		})
	}
	for _, unlike := range []bool{false, true} {
		kind := map[bool]string{false: "same", true: "unlike"}[unlike]
		list = append(list, labkit.Comparison{
			Role: labkit.Headline, Label: fmt.Sprintf("interning of %s strings", kind),
			A: sameAnd(Interned, unlike), B: sameAnd(PlainGob, unlike), Metrics: []string{load, live},
		})
	}
	return append(list, labkit.ControlOf(sameAnd(likeArms[0], false), dump, load))
}
