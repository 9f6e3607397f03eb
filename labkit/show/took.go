package show

import (
	"time"

	"shelflab/labkit/evidence"
)

// Took writes a measured time as tables do, with three digits: "1.97 ms".
func Took(d time.Duration) string { return evidence.Quantity(d.Seconds(), "s") }
