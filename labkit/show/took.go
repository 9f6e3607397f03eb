package show

import (
	"time"

	"shelflab/labkit/evidence"
)

// Took writes a measured time as tables do, with three digits: "1.97 ms".
func Took(d time.Duration) string { return evidence.Quantity(d.Seconds(), "s") }

// Bytes writes a size as tables do, with three digits: "115 kB".
func Bytes(n int) string { return evidence.Quantity(float64(n), "B") }
