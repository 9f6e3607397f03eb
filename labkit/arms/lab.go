// Package arms is where stores meet measuring: each arm keeps the same records
// in one way, and is timed by the core's rounds in the turn that package turn
// describes. The lab's own arms and their plain twins are here; each peer has a
// package of its own below, so that a program links only what it measures.
//
// Goals: equal work on both sides, and code that reads like the program whose
// time it tells. Not a goal: to wrap the stores; a program uses shelf and blob
// themselves.
package arms

import (
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/arms/outline"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/records"
)

// Data is what the arms keep: see turn.Data.
type Data[V any] = turn.Data[V]

// New checks and prepares d: see turn.New.
func New[V any](d *Data[V]) (*Data[V], error) { return turn.New(d) }

// Records makes the lab's own records for a plan's sweep at n.
func Records(plan labkit.Plan, n int) (*Data[records.Record], error) { return turn.Records(plan, n) }

// The names of the lab's arms.
const (
	ShelfAssign = outline.ShelfAssign
	ShelfBulk   = outline.ShelfBulk
	BlobAll     = outline.BlobAll
	BlobAgain   = "blob, again"
	BlobOneCore = outline.BlobOneCore
	BlobIndexed = outline.BlobIndexed
	PlainShelf  = outline.PlainShelf
	PlainGob    = outline.PlainGob
)

// Lab returns the arms of the localhost lab over the records of d: ours, and
// the plain pair that most Go programs would write, which is the twin of the
// published one; and the control. All write with the same durability. What each of
// them is called and is, package outline says.
func Lab[V any](d *Data[V], class labkit.Durability) []labkit.Arm {
	return []labkit.Arm{
		Assign(d, class), Bulk(d, class),
		Blob(d, class), OneCore(d, class), Indexed(d, class),
		NaiveShelf(d, class), NaiveGob(d, class),
		Again(d, class),
	}
}

// Comparisons says which arms of Lab are set against each other: the snapshot
// against the keyed store, for ours and for the plain pair, the steps that lead
// from the plain pair to ours, and the control, an arm against itself.
func Comparisons() []labkit.Comparison {
	write, read, gets, disk := labkit.Write.Name, labkit.Read.Name, labkit.Gets.Name, labkit.Disk.Name
	coldRead, coldGets := labkit.ReadCold.Name, labkit.GetsCold.Name
	head := func(label, a, b string, metrics ...string) labkit.Comparison {
		return labkit.Comparison{Role: labkit.Headline, Label: label, A: a, B: b, Metrics: metrics}
	}
	part := func(label, a, b string, metrics ...string) labkit.Comparison {
		return labkit.Comparison{Role: labkit.Part, Label: label, A: a, B: b, Metrics: metrics}
	}
	return []labkit.Comparison{
		head("ours", BlobAll, ShelfBulk, write, read, gets, disk, coldRead, coldGets),
		head("ours, a key at a time", BlobAll, ShelfAssign, write),
		head("the indexed blob", BlobIndexed, ShelfBulk, write, read, gets, disk, coldRead, coldGets),
		head("the indexed blob", BlobIndexed, BlobAll, write, read, gets, disk, coldRead, coldGets),
		head("the plain pair", PlainGob, PlainShelf, write, read, gets, disk, coldRead, coldGets),
		part("the store", BlobOneCore, ShelfBulk, write, read, gets),
		part("writing in bulk", ShelfBulk, ShelfAssign, write),
		part("the shelf's codec, options and read-only opening", ShelfAssign, PlainShelf, write, read, gets),
		part("the blob's codec", BlobOneCore, PlainGob, write, read, gets),
		part("the blob's cores", BlobAll, BlobOneCore, write, read, gets),
		// Not disk: bytes do not vary, so they tell nothing of the noise.
		labkit.ControlOf(BlobAll, write, read, gets),
	}
}

// Named returns those of the arms whose names stand in a list with semicolons
// between, such as "blob; shelf, bulk", in the order of the arms. An empty list
// is all of them; a name that no arm has counts for nothing.
func Named(arms []labkit.Arm, names string) []labkit.Arm {
	if strings.TrimSpace(names) == "" {
		return arms
	}
	var wanted []string
	for name := range strings.SplitSeq(names, ";") {
		wanted = append(wanted, strings.TrimSpace(name))
	}
	return slices.DeleteFunc(slices.Clone(arms), func(a labkit.Arm) bool { return !slices.Contains(wanted, a.Name) })
}

// Names lists the names of arms.
func Names(arms []labkit.Arm) []string {
	names := make([]string, len(arms))
	for i, arm := range arms {
		names[i] = arm.Name
	}
	return names
}
