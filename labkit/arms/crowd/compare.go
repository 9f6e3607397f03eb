package crowd

import (
	"shelflab/labkit"
	"shelflab/labkit/arms/bolt"
	"shelflab/labkit/arms/hold"
	"shelflab/labkit/arms/live"
)

// Comparisons set the shelf against the other systems whose workers are kept apart,
// in metrics, and itself once more, as Control gives it.
func Comparisons(metrics ...string) []labkit.Comparison {
	var list []labkit.Comparison
	for _, other := range []string{bolt.Name, live.SQLiteName, live.WALName, hold.Name, live.LockedName, live.BlobName} {
		list = append(list, labkit.Comparison{Role: labkit.Headline, A: live.ShelfName, B: other, Metrics: metrics})
	}
	return append(list, labkit.ControlOf(live.ShelfName, metrics...))
}

// Control adds the first arm once more: what differs between the two is noise.
func Control(arms []labkit.Arm) []labkit.Arm { return append(arms, labkit.AsControl(arms[0])) }
