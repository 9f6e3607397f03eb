package chart

import (
	"testing"

	"shelflab/labkit"
)

// The arms of other kinds are coloured by kind, too, but never so that one could
// be taken for a keyed store or a snapshot beside it.
func TestPalettes(t *testing.T) {
	arms := func(kinds ...string) (list []labkit.Arm) {
		for _, kind := range kinds {
			list = append(list, labkit.Arm{Name: kind, Kind: kind})
		}
		return list
	}
	first := func(list []labkit.Arm, kind string) any { return palettes(list)[kind][0] }
	own := arms("text", "binary", "text", "else")
	if first(own, "text") != keyedColors[0] || first(own, "binary") != snapshotColors[0] || first(own, "else") != otherColors[0] {
		t.Errorf("of other kinds alone: %v", palettes(own))
	}
	mixed := arms("text", "snapshot", "keyed store", "binary")
	if first(mixed, "snapshot") != snapshotColors[0] || first(mixed, "keyed store") != keyedColors[0] ||
		first(mixed, "text") != otherColors[0] || first(mixed, "binary") != otherColors[0] {
		t.Errorf("beside stores: %v", palettes(mixed))
	}
	for name, l := range looks(own) {
		if l.color == nil {
			t.Errorf("%s has no colour", name)
		}
	}
}
