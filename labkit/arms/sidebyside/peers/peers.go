// Package peers lists the keyed stores that other Go programs use beside our shelf
// and indexed blob, and beside Python's default shelve, on the same records.
package peers

import (
	"slices"

	"shelflab/labkit"
	"shelflab/labkit/arms"
	"shelflab/labkit/arms/bolt"
	"shelflab/labkit/arms/files"
	"shelflab/labkit/arms/hold"
	"shelflab/labkit/arms/python"
	"shelflab/labkit/arms/sqlite"
)

// Arms returns the arms over the records of d, with one more of the shelf, the
// control. Python's is Unmeasured where the Python at hand lacks it.
func Arms[V any](d *arms.Data[V], class labkit.Durability) []labkit.Arm {
	shelve := slices.DeleteFunc(python.Arms(d, class), func(a labkit.Arm) bool { return a.Name != python.Default() })
	return append([]labkit.Arm{
		arms.Bulk(d, class), arms.Indexed(d, class), bolt.Arm(d, class), sqlite.Arm(d, class), hold.Arm(d, class), files.Arm(d, class),
		labkit.AsControl(arms.Bulk(d, class)),
	}, shelve...)
}

// For returns Arms over the records that a plan names: see arms.For.
func For(plan labkit.Plan, n int) ([]labkit.Arm, error) { return arms.For(plan, n, Arms, Arms) }

// Comparisons sets our shelf against each peer, our indexed blob and bbolt against
// the store that is the nearest to it, and one arm against itself.
func Comparisons() []labkit.Comparison {
	write, read, gets, open, disk := labkit.Write.Name, labkit.Read.Name, labkit.Gets.Name, labkit.GetsOpen.Name, labkit.Disk.Name
	var list []labkit.Comparison
	add := func(label, a, b string) {
		list = append(list, labkit.Comparison{Role: labkit.Headline, Label: label, A: a, B: b, Metrics: []string{write, read, gets, open, disk}})
	}
	for _, peer := range []string{bolt.Name, sqlite.Name, hold.Name, files.Name} {
		add("our shelf and a peer", arms.ShelfBulk, peer)
	}
	add("our indexed blob and a peer", arms.BlobIndexed, bolt.Name)
	add("a Go peer and Python's shelve", bolt.Name, python.Default())
	return append(list, labkit.ControlOf(arms.ShelfBulk, write, read, gets))
}
