package patterns

import (
	"shelflab/labkit"
	"shelflab/labkit/arms"
	"shelflab/labkit/arms/bolt"
	"shelflab/labkit/arms/sqlite"
	"shelflab/labkit/arms/turn"
)

// Change returns what one record is changed in: see labkit.Update and UpdateOpen.
// The stores are written in their fastest way, which is not what is asked.
func Change[V any](d *turn.Data[V], class labkit.Durability) []labkit.Arm {
	d = d.Measuring(labkit.Update, labkit.UpdateOpen)
	return []labkit.Arm{
		rename(arms.Bulk(d, class), Shelf, "labkit/shelf, Update"),
		rename(bolt.Arm(d, class), bolt.Name, "bbolt, primed gob; read, changed and written in one transaction"),
		rename(sqlite.Arm(d, class), sqlite.Name, "SQLite, primed gob; read, changed and written in one transaction"),
		rename(arms.Indexed(d, class), arms.BlobIndexed, "labkit/blob, All of the old one into Pack of the new one"),
		rename(arms.Blob(d, class), arms.BlobAll, "labkit/blob, Load, change, Save of one map, all cores"),
		rename(arms.NaiveGob(d, class), arms.PlainGob, "gob.Decode of the map, change, gob.Encode, written in place"),
		arms.Again(d, class),
	}
}

// Shelf is the name of the shelf among the arms of Change.
const Shelf = "shelf"

// ChangeComparisons ask from which n on a store is the cheaper place to change
// one record in, how the ways grow with n, and what the machine's noise is.
func ChangeComparisons() []labkit.Comparison {
	update := []string{labkit.Update.Name, labkit.UpdateOpen.Name}
	var list []labkit.Comparison
	for _, store := range []string{Shelf, bolt.Name, sqlite.Name} {
		for _, snapshot := range []string{arms.BlobAll, arms.BlobIndexed} {
			list = append(list, labkit.Comparison{Role: labkit.Crosses, Label: "one changed field", A: snapshot, B: store, Metrics: update})
		}
	}
	list = append(list, labkit.Comparison{Role: labkit.Part, Label: "the blob's codec and its rename", A: arms.BlobAll, B: arms.PlainGob, Metrics: update})
	for _, name := range []string{Shelf, bolt.Name, sqlite.Name, arms.BlobIndexed, arms.BlobAll, arms.PlainGob} {
		list = append(list, labkit.Comparison{Role: labkit.Growth, A: name, B: name, Metrics: update})
	}
	return append(list, labkit.ControlOf(arms.BlobAll, update...))
}
