package labkit

// What a trial counts in which a process is killed while it writes.
var (
	Acknowledged = Metric{"acknowledged", "writes that were acknowledged before the kill", "writes", true, Trials}
	Lost         = Metric{"lost", "acknowledged writes that are not there after the kill", "writes", false, Trials}
	Torn         = Metric{"torn", "values that are neither the old nor a new one after the kill, or cannot be read; all of a store that cannot be opened", "values", false, Trials}
	Partial      = Metric{"partial", "values of a write that was not acknowledged which are there without the rest of it", "values", false, Trials}
)

// TrialMetrics lists the metrics of MeasureTrials.
func TrialMetrics() []Metric { return []Metric{Acknowledged, Lost, Torn, Partial} }

// What is measured of several workers on one store: goroutines or processes.
//
// The latency is that of an open loop: operations begin at times that were fixed
// beforehand, whether those before them are done or not, and each is counted from
// the time at which it should have begun. So what waits behind a slow one is
// slow, too, as it is for whoever has asked for it. A closed loop would not ask
// while it waits, and would leave out just the worst (what Gil Tene has called
// coordinated omission).
var (
	Throughput = Metric{"throughput", "operations of all workers together, each worker beginning its next when the last is done", "ops/s", true, Main}
	Latency50  = Metric{"latency p50", "median of the operations' times, each from the moment at which it should have begun", "s", false, Main}
	Latency99  = Metric{"latency p99", "what 99 of 100 operations take at most, each from the moment at which it should have begun", "s", false, Main}
	Behind     = Metric{"behind", "from the moment at which the last operation should have begun until all were done", "s", false, Main}

	LostUpdates = Metric{"lost updates", "updates that were made and are not in the records afterwards", "updates", false, Main}
	TornReads   = Metric{"torn reads", "reads that gave what nobody has written, or an error", "reads", false, Main}
)

// WorkerMetrics lists the metrics of several workers on one store.
func WorkerMetrics() []Metric {
	return []Metric{Throughput, Latency50, Latency99, Behind, LostUpdates, TornReads}
}

// counted are the units of metrics that count.
var counted = []string{"writes", "values", "updates", "reads"}
