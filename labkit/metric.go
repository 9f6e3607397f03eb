package labkit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Metric says what a series of samples measures. Samples are kept in base
// units; a rate is worked out when it is summarised.
type Metric struct {
	Name   string `json:"name"`            // as tables show it: "gets open"
	What   string `json:"what"`            // what is timed, and whether open and close are inside
	Unit   string `json:"unit"`            // of the summary: "records/s", "s" or "B"; of a resource also "B/B", see Amount; of a count what is counted
	Higher bool   `json:"higher"`          // more is better
	Group  Group  `json:"group,omitempty"` // how it is measured: "" in the main rounds, "cold", "resources", "trials"
}

// Group says which tables a metric belongs to, and how it is measured.
type Group string

const (
	Main      Group = ""          // in rounds, by the clock, page cache warm
	Cold      Group = "cold"      // in rounds of its own, by the clock, page cache cold
	Resources Group = "resources" // in rounds of its own, each turn in a process of its own
	Trials    Group = "trials"    // each round a trial, without a warm-up, that counts what has happened
)

// The lab's metrics. Raw samples of all but Disk are seconds.
var (
	Write = Metric{"write", "every record written, from no store to a closed one", "records/s", true, Main}
	Put   = Metric{"put", "every record written, creating and closing the store outside", "records/s", true, Main}
	Read  = Metric{"read", "every record read and visited, open and close inside", "records/s", true, Main}
	Scan  = Metric{"scan", "every record read and visited, open and close outside", "records/s", true, Main}
	Gets  = Metric{"gets", "random keyed gets, open and close inside; for a blob: load all, then get", "s", false, Main}
	// GetsOpen has no counterpart for a plain snapshot: nothing stays open.
	GetsOpen = Metric{"gets open", "random keyed gets on a store that is open", "s", false, Main}
	// Update and UpdateOpen are measured where they are asked for: an arm has to
	// write again.
	Update     = Metric{"update", "one record changed by its key and kept, open and close inside; for a snapshot: load all, change, save all", "s", false, Main}
	UpdateOpen = Metric{"update open", "one record changed by its key and kept, in a store that is open; for a snapshot: all in memory, change, save all", "s", false, Main}
	// Replace is measured where whatever is kept is written anew over the old.
	Replace = Metric{"replace", "everything that is kept replaced by as many new records, open and close inside", "s", false, Main}
	// Dump and Load are of one value that is kept and read as a whole.
	Dump = Metric{"dump", "the whole value written, from no file to a closed one", "s", false, Main}
	Load = Metric{"load", "the whole value read back into memory, open and close inside", "s", false, Main}
	Disk = Metric{"disk", "bytes allocated on disk, in whole blocks of the file system, after close", "B", false, Main}
)

// Metrics lists what is measured of records that are kept one by one, of the
// group Main, in the order in which tables show it.
func Metrics() []Metric { return append(slices.Clone(keptOneByOne), Disk) }

var keptOneByOne = []Metric{Write, Put, Read, Scan, Gets, GetsOpen}

// WholeMetrics lists what is measured of one value that is kept as a whole,
// beside Disk.
func WholeMetrics() []Metric { return []Metric{Dump, Load} }

// ChangeMetrics lists what is measured of records that are changed: one, or all.
func ChangeMetrics() []Metric { return []Metric{Update, UpdateOpen, Replace} }

// AllMetrics lists the metrics of every group.
func AllMetrics() []Metric {
	return slices.Concat(keptOneByOne, UseMetrics(), ChangeMetrics(), WholeMetrics(), []Metric{Disk}, ColdMetrics(), ResourceMetrics(), TrialMetrics(), WorkerMetrics())
}

// Rate tells whether the metric is work per second, worked out from samples in
// seconds.
func (m Metric) Rate() bool { return strings.HasSuffix(m.Unit, "/s") }

// Amount tells whether the metric is an amount for each piece of work, worked
// out from samples of the amount: "allocs/record", or "B/B" for the bytes
// written for each byte of the records.
func (m Metric) Amount() bool { return strings.Contains(m.Unit, "/") && !m.Rate() }

// Counted tells whether the metric counts what has happened.
func (m Metric) Counted() bool { return slices.Contains(counted, m.Unit) }

// RawUnit is the unit of the raw samples: "s" or "B", or what an amount counts.
func (m Metric) RawUnit() string {
	if m.Rate() {
		return "s"
	}
	raw, _, _ := strings.Cut(m.Unit, "/")
	return raw
}

// Series holds the raw samples of one arm's metric at one n, in the order of
// the rounds.
type Series struct {
	Arm     string    `json:"arm"`     // its name
	N       int       `json:"n"`       // records in the store
	Metric  string    `json:"metric"`  // Metric.Name
	Unit    string    `json:"unit"`    // of the samples: Metric.RawUnit
	Work    int       `json:"work"`    // records, gets or operations in one sample, or what was looked at for a count, or bytes of the records where the unit is "B/B"; 0 where the sample is a size
	Samples []float64 `json:"samples"` // one a round, in order

	// Payload is how many bytes the n records themselves are, keys and fields, as
	// Round.Payload says; 0 where the arm does not tell. Evidence before schema 4
	// does not either.
	Payload int64 `json:"payload,omitempty"`
	// Batch is how many calls of the operation one sample is the mean of, because
	// one alone is too short for the clock or no two are alike; 0 where it is one.
	Batch int `json:"batch,omitempty"`
	// Apart says that each sample was taken in a process of its own; evidence of
	// schemas 1 and 2 does not tell.
	Apart bool `json:"apart,omitempty"`
	// Turns are the arm's places in the rounds: 1 where it was measured first.
	// Evidence of schema 1 does not tell them.
	Turns Turns `json:"turns,omitempty"`
}

// Turns are the places that an arm has taken in each round, from 1. JSON holds
// them as one text, "3 1 2 2 1": there are as many as samples.
type Turns []int

// MarshalText writes the places with blanks between them.
func (t Turns) MarshalText() ([]byte, error) {
	var text []byte
	for i, place := range t {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(place), 10)
	}
	return text, nil
}

// UnmarshalText reads what MarshalText writes. Anything but whole numbers
// between blanks is an error.
func (t *Turns) UnmarshalText(text []byte) error {
	places := Turns{}
	for field := range strings.FieldsSeq(string(text)) {
		place, err := strconv.Atoi(field)
		if err != nil {
			return fmt.Errorf("turns %q: %w", text, err)
		}
		places = append(places, place)
	}
	*t = places
	return nil
}

// Values returns the samples in the metric's unit: records a second for a rate,
// what falls to a piece of work for an amount, the samples themselves (copied)
// otherwise.
func (s Series) Values(m Metric) []float64 {
	values := make([]float64, len(s.Samples))
	for i, x := range s.Samples {
		switch {
		case m.Rate():
			x = float64(s.Work) / x
		case m.Amount():
			x /= float64(s.Work)
		}
		values[i] = x
	}
	return values
}
