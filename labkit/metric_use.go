package labkit

// What a program's use of a store is made of beside Write, Read and GetsOpen, and
// one use as a whole. Turns measure them where they are asked to.
var (
	// Open has no counterpart for a snapshot: it is loaded, not opened.
	Open = Metric{"open", "an existing store opened and closed, nothing read", "s", false, Main}
	// Cycle is set beside what its parts would add up to.
	Cycle = Metric{"cycle", "every record written, from no store to a closed one, then random keys fetched from it, open and close inside; for a blob: load all, then get", "s", false, Main}
)

// UseMetrics lists those two.
func UseMetrics() []Metric { return []Metric{Open, Cycle} }
