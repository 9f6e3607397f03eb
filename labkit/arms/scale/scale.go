// Package scale says how far notebook 05 goes, and whether the machine can: it links
// no store, so that every cell can hold the parameters.
package scale

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

// Options are what notebook 05 can be given beside a plan. They can be embedded into a
// notebook's struct of parameters.
type Options struct {
	// Minutes is how long the rounds of one size may take, as estimated, for it to be
	// measured.
	Minutes int `param:"minutes" help:"most minutes for the rounds of one size, as estimated"`

	// Parts are the sizes at which the operations are measured once more, with large
	// records and with writes that survive a power loss: other ones than those of the
	// sweep.
	Parts []int `param:"parts" help:"how many records the parts write, with long notes and synced"`

	// Cycles are the sizes at which whole cycles are measured, other ones than those of
	// the sweep; Fetched is how many keys they fetch, each a part of its own. Held are the
	// sizes of the cycles that are held out of the model.
	Cycles  []int `param:"cycles" help:"how many records the measured cycles write"`
	Held    []int `param:"held" help:"how many records the cycles write that are held out of the model"`
	Fetched []int `param:"fetched" help:"keys that the measured cycles fetch"`

	// Long is how many characters the notes of large records have, Larger how many of
	// these make stores that are larger than the limit, and Limit that limit on the memory
	// of the process that reads them, in MB.
	Long   int `param:"long" help:"characters in the notes of large records"`
	Larger int `param:"larger" help:"large records in a store that is larger than the limit"`
	Limit  int `param:"limit" help:"limit on the memory of the process that reads it, in MB"`
}

// Wants returns the sizes at which a cycle fetches no more keys than there are records;
// all of them where that leaves none.
func Wants(sizes []int, keys int) []int {
	left := slices.DeleteFunc(slices.Clone(sizes), func(n int) bool { return keys > n })
	if len(left) == 0 {
		return sizes
	}
	return left
}

// Validate returns nil or an error that wraps labkit.ErrPlan and says which field is
// wrong and what it may hold.
func (o Options) Validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", labkit.ErrPlan, fmt.Sprintf(format, args...))
	}
	var list []error
	for _, c := range []struct {
		name               string
		value, least, most int
		of                 string
	}{
		{"minutes", o.Minutes, 1, 24 * 60, "minutes"},
		{"long", o.Long, 0, 1_000_000, "characters"},
		{"larger", o.Larger, 1, labkit.MaxRecords, "records"},
		{"limit", o.Limit, leastLimit, 1 << 20, "MB: Go and a store take the least by themselves"},
	} {
		if c.value < c.least || c.value > c.most {
			list = append(list, bad("%s = %d: give %d to %d %s", c.name, c.value, c.least, c.most, c.of))
		}
	}
	for _, c := range []struct {
		name   string
		values []int
	}{{"parts", o.Parts}, {"cycles", o.Cycles}, {"held", o.Held}, {"fetched", o.Fetched}} {
		if len(c.values) == 0 || !ascending(c.values) {
			list = append(list, bad("%s = %v: list numbers from 1 on, ascending, each once", c.name, c.values))
		}
	}
	return errors.Join(list...)
}

// leastLimit is the least limit in MB under which a Go program reads any store.
const leastLimit = 48

func ascending(list []int) bool {
	return list[0] >= 1 && slices.IsSorted(list) && len(slices.Compact(slices.Clone(list))) == len(list) && list[len(list)-1] <= labkit.MaxRecords
}

// Fits says whether there is time, memory and disk for what a size will take, in
// seconds and bytes, as forecast: nil, or an error that names what there is, what it
// takes, and the remedy; for memory and disk it wraps whole.ErrRoom. dir is the run's
// folder.
func (o Options) Fits(dir string, seconds, peak, disk float64) error {
	const few = "a smaller n"
	var long error
	need, most := time.Duration(seconds*float64(time.Second)), time.Duration(o.Minutes)*time.Minute
	if need > most {
		long = fmt.Errorf("%w: the rounds take about %s, %s are allowed: give %s, or -p minutes=%d",
			ErrTime, need.Round(time.Second), most, few, int(math.Ceil(need.Minutes())))
	}
	memory, err := whole.RoomLeft()
	if err == nil {
		err = memory.Fit(int64(peak), "the processes of the rounds", few)
	}
	free, diskErr := whole.DiskLeft(dir)
	if diskErr == nil {
		diskErr = free.Fit(int64(disk), "the stores of a round", few)
	}
	return errors.Join(long, err, diskErr)
}

// ErrTime says that something would take longer than is allowed.
var ErrTime = errors.New("too long")
