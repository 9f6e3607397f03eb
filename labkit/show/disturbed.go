package show

import (
	"slices"

	"shelflab/labkit/evidence"
)

// warnDisturbed displays, below what was measured at n, that another run has
// disturbed it.
func warnDisturbed(run *evidence.Run, n int) {
	if !slices.Contains(run.Disturbed, n) {
		return
	}
	for _, w := range run.Warnings {
		if w.Kind == evidence.KindTogether {
			box{tone: toneWarn, lines: []string{"⚠ " + w.Text + " " + w.Remedy}}.show()
		}
	}
}
