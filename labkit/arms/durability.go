package arms

import "shelflab/labkit"

// powerLoss is what the name of an arm ends with where its finished writes survive
// a power loss, and those of its twin only a crash of the process.
const powerLoss = ", power loss"

// BothClasses returns the arms once for each durability class, for a run of its
// own: "blob" survives a crash of the process, "blob, power loss" a power loss.
func BothClasses[V any](d *Data[V]) []labkit.Arm {
	var list []labkit.Arm
	for _, class := range []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss} {
		for _, arm := range []labkit.Arm{
			Assign(d, class), Bulk(d, class), Blob(d, class), Indexed(d, class),
			NaiveShelf(d, class), NaiveGob(d, class),
		} {
			if class == labkit.PowerLoss {
				arm.Name += powerLoss
			}
			list = append(list, arm)
		}
	}
	return list
}

// Prices sets each arm of BothClasses against its twin: how many times faster
// it writes for surviving less.
func Prices() []labkit.Comparison {
	var list []labkit.Comparison
	for _, name := range []string{ShelfAssign, ShelfBulk, BlobAll, BlobIndexed, PlainShelf, PlainGob} {
		list = append(list, labkit.Comparison{
			Role: labkit.Price, Label: "the price of surviving a power loss", A: name, B: name + powerLoss,
			Metrics: []string{labkit.Write.Name},
		})
	}
	return list
}
