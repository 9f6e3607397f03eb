// Package sidebyside lists the arms of two languages on the same records: Go's,
// ours and the plain pair, and Python's shelve and pickle, of which the published
// lab made its claims. Package peers below it has the other Go stores.
//
// Goal: Go's figures and Python's in one run, and the published claims put to both.
// Not a goal: to link every store there is.
package sidebyside

import (
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/arms"
	"shelflab/labkit/arms/python"
)

// Arms returns the lab's arms, its control among them, and Python's, over the
// records of d. An arm that the Python at hand lacks is Unmeasured.
func Arms[V any](d *arms.Data[V], class labkit.Durability) []labkit.Arm {
	return append(arms.Lab(d, class), python.Arms(d, class)...)
}

// For returns Arms over the records that a plan names: see arms.For.
func For(plan labkit.Plan, n int) ([]labkit.Arm, error) { return arms.For(plan, n, Arms, Arms) }

// The published claims, of a snapshot and a keyed store.
const (
	Written = "A snapshot is written faster"
	Loaded  = "A snapshot is read faster"
	Opened  = "A keyed store, opened for them, answers random gets sooner"
	Open    = "A keyed store that is open answers random gets sooner"
	Smaller = "A snapshot takes less space"
)

// Comparisons puts the published claims to each pair of a snapshot and a keyed
// store: Python's, of which they were made, with each of its dbms, then Go's. Ours
// are set against Python's default shelve and its pickle, and the steps from
// Python's to ours one at a time; and it is asked from which n on opening a store
// for some keys is faster than loading a snapshot. Which shelve is the default, the Python at hand
// says.
func Comparisons() []labkit.Comparison {
	var list []labkit.Comparison
	for _, shelve := range []string{python.ShelveSQLite, python.ShelveGNU, python.ShelveDumb} {
		_, dbm, _ := strings.Cut(shelve, ", ")
		list = append(list, claims(labkit.Claim, "Python with "+dbm, python.Pickle, shelve)...)
	}
	list = append(list, claims(labkit.CarryOver, "the plain Go pair", arms.PlainGob, arms.PlainShelf)...)
	list = append(list, claims(labkit.CarryOver, "our pair key by key", arms.BlobAll, arms.ShelfAssign)...)
	list = append(list, claims(labkit.CarryOver, "our pair in bulk", arms.BlobAll, arms.ShelfBulk)...)

	write, read := labkit.Write.Name, labkit.Read.Name
	gets, open, disk := labkit.Gets.Name, labkit.GetsOpen.Name, labkit.Disk.Name
	add := func(role labkit.Role, label, a, b string, metrics ...string) {
		list = append(list, labkit.Comparison{Role: role, Label: label, A: a, B: b, Metrics: metrics})
	}
	shelve := python.Default()
	add(labkit.Headline, "our shelf and Python's", arms.ShelfAssign, shelve, write, read, gets, open, disk)
	add(labkit.Headline, "our blob and Python's", arms.BlobAll, python.Pickle, write, read, gets, disk)
	add(labkit.Headline, "our indexed blob and Python's", arms.BlobIndexed, python.Pickle, write, read, gets, disk)
	add(labkit.Part, "the language and its stores", arms.PlainShelf, shelve, write, read, gets, disk)
	add(labkit.Part, "the language and its libraries", arms.PlainGob, python.Pickle, write, read, gets, disk)
	add(labkit.Part, "our shelf's codec and options", arms.ShelfAssign, arms.PlainShelf, write, read, gets, disk)
	add(labkit.Part, "our blob's codec", arms.BlobOneCore, arms.PlainGob, write, read, gets, disk)
	add(labkit.Part, "our blob's cores", arms.BlobAll, arms.BlobOneCore, write, read, gets)
	for _, pair := range [][2]string{ // a store, and the snapshot that is loaded instead
		{shelve, python.Pickle}, {arms.PlainShelf, arms.PlainGob}, {arms.ShelfAssign, arms.BlobAll}, {arms.BlobIndexed, arms.BlobAll},
	} {
		add(labkit.Crosses, "to open or to load", pair[0], pair[1], gets)
	}
	return append(list, labkit.ControlOf(arms.BlobAll, write, read, gets))
}

// MemoryComparisons sets the memory of ours and of the plain pair against that of
// Python's arms, and ours against the plain pair: what a write and a full read add at their peaks, and the whole
// peak of a full read, interpreter or program and records included. What gets add
// is left out: a Python keeps memory after the full read before them, and they use
// it again.
func MemoryComparisons() []labkit.Comparison {
	added := func(of labkit.Metric) string { return labkit.PeakGrowth.Of(of).Name }
	var list []labkit.Comparison
	for _, c := range []struct{ label, a, b string }{
		{"our shelf and Python's", arms.ShelfAssign, python.Default()},
		{"our blob and Python's", arms.BlobAll, python.Pickle},
		{"our indexed blob and Python's", arms.BlobIndexed, python.Pickle},
		{"the plain shelf and Python's", arms.PlainShelf, python.Default()},
		{"the plain gob and Python's", arms.PlainGob, python.Pickle},
		{"our shelf and the plain one", arms.ShelfAssign, arms.PlainShelf},
		{"our blob and the plain gob", arms.BlobAll, arms.PlainGob},
	} {
		list = append(list, labkit.Comparison{Role: labkit.Headline, Label: c.label, A: c.a, B: c.b, Metrics: []string{
			added(labkit.Write), added(labkit.Read), labkit.PeakMemory.Of(labkit.Read).Name,
		}})
	}
	return list
}

// claims are the published ones, of a pair.
func claims(role labkit.Role, label, snapshot, store string) []labkit.Comparison {
	of := func(claim, a, b, metric, against string) labkit.Comparison {
		return labkit.Comparison{Role: role, Label: label, A: a, B: b, Metrics: []string{metric}, Against: against, Claim: claim}
	}
	gets := labkit.Gets.Name
	return []labkit.Comparison{
		of(Written, snapshot, store, labkit.Write.Name, ""),
		of(Loaded, snapshot, store, labkit.Read.Name, ""),
		of(Opened, store, snapshot, gets, ""),
		of(Open, store, snapshot, labkit.GetsOpen.Name, gets),
		of(Smaller, snapshot, store, labkit.Disk.Name, ""),
	}
}
