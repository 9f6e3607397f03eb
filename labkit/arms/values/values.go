// Package values makes what the arms of the three tricks keep, each with its
// checksum: a square array, a deep hierarchy of objects in objects, and a tree of
// small objects. What would not fit into memory is refused before it is made.
package values

import (
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/records"
)

// What an arm holds at most for each value or object, in bytes, with the garbage
// of a dump and a load that is not collected: rough, and rather too much.
const (
	perNumber = 150 // two arrays, and a text of it twice
	perPart   = 2000
	perNode   = 800
)

// Array is a square array of so many rows, see records.Array; n of it are its
// rows. An array that would not fit into memory is an error that wraps
// whole.ErrRoom, rows below 1 one that wraps labkit.ErrPlan.
func Array(seed uint64, rows int, content string) (v whole.Value[[][]float64], err error) {
	if err := room(rows, rows*rows, perNumber, "%d rows of as many values", "rows"); err != nil {
		return v, err
	}
	array, err := records.Array(seed, rows, content)
	return whole.Value[[][]float64]{V: array, N: rows, Sum: records.SumArray, Payload: 8 * int64(rows) * int64(rows)}, err
}

// Hierarchy is n parts in one, see records.Hierarchy. Errors are those of Array.
func Hierarchy(seed uint64, n int) (v whole.Value[records.Part], err error) {
	if err := room(n, n, perPart, "a hierarchy of %d objects", "objects"); err != nil {
		return v, err
	}
	return whole.Value[records.Part]{
		V: *records.Hierarchy(seed, n), N: n,
		Sum: func(p records.Part) uint64 { return records.SumPart(&p) },
	}, nil
}

// Tree is n small objects with pointers, see records.Tree. Errors are those of
// Array.
func Tree(seed uint64, n int) (v whole.Value[records.Node], err error) {
	if err := room(n, n, perNode, "a tree of %d objects", "objects"); err != nil {
		return v, err
	}
	return whole.Value[records.Node]{
		V: *records.Tree(seed, n), N: n,
		Sum: func(n records.Node) uint64 { return records.SumTree(&n) },
	}, nil
}

func room(n, pieces int, each int64, what, few string) error {
	if n < 1 || n > labkit.MaxRecords {
		return fmt.Errorf("%w: n = %d: give 1 to %d %s", labkit.ErrPlan, n, labkit.MaxRecords, few)
	}
	left, err := whole.RoomLeft()
	if err != nil {
		return err
	}
	return left.Fit(int64(pieces)*each, fmt.Sprintf(what, n), "fewer "+few)
}
