// Package outline says which arms the lab has, and what each is, without the
// stores that they measure.
//
// Goal: a cell that draws or names the arms links no store. Package arms takes
// what it says of an arm from here, so that nothing is said twice. Not a goal: to
// measure, which these arms cannot.
package outline

import (
	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
)

// The names of the lab's arms.
const (
	ShelfAssign = "shelf, assign"
	ShelfBulk   = "shelf, bulk"
	BlobAll     = "blob"
	BlobOneCore = "blob, one core"
	BlobIndexed = "indexed blob"
	PlainShelf  = "plain shelf"
	PlainGob    = "plain gob"
)

// list is what Lab returns, without a durability and the control.
var list = []labkit.Arm{
	{Name: ShelfAssign, Kind: turn.KindKeyed, Pair: turn.PairOurs, What: "labkit/shelf, Put for each key; read back through a read-only opening"},
	{Name: ShelfBulk, Kind: turn.KindKeyed, Pair: turn.PairOurs, What: "labkit/shelf, one PutAll; read back through a read-only opening"},
	{Name: BlobAll, Kind: turn.KindSnapshot, Pair: turn.PairOurs, What: "labkit/blob, Save and Load of one map, all cores"},
	{Name: BlobOneCore, Kind: turn.KindSnapshot, Pair: turn.PairOurs, What: "labkit/blob, Save and Load of one map, one core"},
	{Name: BlobIndexed, Kind: turn.KindSnapshot, Pair: turn.PairOurs, What: "labkit/blob, Pack of the records in key order, Open to read"},
	{Name: PlainShelf, Kind: turn.KindKeyed, Pair: turn.PairPlain, What: "Badger with its default options, a fresh gob and one transaction a key; read back as it is opened by default, for writing too"},
	{Name: PlainGob, Kind: turn.KindSnapshot, Pair: turn.PairPlain, What: "one gob.Encode of the map into a file, written in place"},
}

// Lab returns the arms of arms.Lab, in its order, the control last. They have no
// Measure: to measure one is a panic.
func Lab(class labkit.Durability) []labkit.Arm {
	arms := make([]labkit.Arm, len(list))
	for i, arm := range list {
		arms[i] = Arm(arm.Name, class)
	}
	return append(arms, labkit.AsControl(Arm(BlobAll, class)))
}

// Arm returns one of the arms by its name, without a Measure. A name that none of
// them has is a panic.
func Arm(name string, class labkit.Durability) labkit.Arm {
	for _, arm := range list {
		if arm.Name == name {
			arm.Durability = class
			return arm
		}
	}
	panic("outline: no arm is named " + name)
}
