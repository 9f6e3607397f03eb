package arms

import "shelflab/labkit"

// powerLoss is what the name of an arm ends with where its finished writes survive
// a power loss, and those of its twin only a crash of the process.
const powerLoss = ", power loss"

// BothClasses returns the arms once for each durability class, for a run of its
// own: "blob" survives a crash of the process, "blob, power loss" a power loss.
func BothClasses[V any](d *Data[V]) []labkit.Arm {
	return Twins(d, Assign[V], Bulk[V], Blob[V], Indexed[V], NaiveShelf[V], NaiveGob[V])
}

// Twins returns arms over the records of d once for each durability class, as
// BothClasses does: those of one class, then those of the other.
func Twins[V any](d *Data[V], make ...func(*Data[V], labkit.Durability) labkit.Arm) []labkit.Arm {
	var list []labkit.Arm
	for _, class := range []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss} {
		for _, arm := range make {
			arm := arm(d, class)
			if class == labkit.PowerLoss {
				arm.Name = Twin(arm.Name)
			}
			list = append(list, arm)
		}
	}
	return list
}

// Twin is the name that Twins gives an arm whose writes survive a power loss.
func Twin(name string) string { return name + powerLoss }

// Prices sets each arm of BothClasses against its twin: how many times faster
// it writes for surviving less.
func Prices() []labkit.Comparison {
	return PricesOf([]string{ShelfAssign, ShelfBulk, BlobAll, BlobIndexed, PlainShelf, PlainGob}, labkit.Write)
}

// PricesOf sets arms of Twins, by their names, against their twins in metrics.
func PricesOf(names []string, metrics ...labkit.Metric) []labkit.Comparison {
	var of []string
	for _, m := range metrics {
		of = append(of, m.Name)
	}
	var list []labkit.Comparison
	for _, name := range names {
		list = append(list, labkit.Comparison{
			Role: labkit.Price, Label: "the price of surviving a power loss", A: name, B: Twin(name), Metrics: of,
		})
	}
	return list
}
