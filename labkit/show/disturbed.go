package show

import (
	"slices"

	"shelflab/labkit/evidence"
)

// warnDisturbed displays, below what was measured at n, that another run has
// disturbed it.
func warnDisturbed(run *evidence.Run, n int) {
	if slices.Contains(run.Disturbed, n) {
		box{tone: toneWarn, lines: []string{DisturbedText(n)}}.show()
	}
}

// DisturbedText is what a sweep displays below a size at which another run has
// disturbed it.
func DisturbedText(n int) string {
	w := evidence.Together(n)
	return "⚠ " + w.Text + " " + w.Remedy
}
