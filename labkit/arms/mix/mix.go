// Package mix says what several workers on one store do, and how often a writer is
// killed. It links no store, so that a notebook can have it among its parameters.
package mix

import (
	"fmt"
	"slices"

	"shelflab/labkit"
)

// Options say what the workers do. They can be embedded into a notebook's struct
// of parameters.
type Options struct {
	// Kills is how many writers are killed, see arms/kill: rounds of that part.
	Kills int `param:"kills" help:"kill -9 trials of each arm"`

	// Goroutines and Processes are the sizes of their parts, ascending.
	Goroutines []int `param:"goroutines" help:"how many goroutines use a store at once"`
	Processes  []int `param:"processes" help:"how many processes use a store at once"`

	// Items is how many records of live.TextSize bytes the store holds.
	Items int `param:"items" help:"records in a store that is used at once"`

	// Operations is how many operations one sample of the throughput takes, of all
	// goroutines together.
	Operations int `param:"operations" help:"operations in one sample of the throughput"`

	// Updates is the share of updates among them; all others are gets.
	Updates int `param:"updates" help:"updates in 100 operations; the others are gets"`

	// Rate is how many operations a second are offered where the latency is
	// measured, the same for all arms; 0 takes half of what the arms typically do
	// with the fewest goroutines.
	Rate int `param:"rate" help:"operations a second that are offered, or 0 for half of what an arm typically does"`

	// Millis is for how long they are offered in one sample, in milliseconds.
	Millis int `param:"millis" help:"for how long operations are offered in one sample, in milliseconds"`
}

// Limits of what a plan may ask for.
const (
	maxWorkers    = 256
	maxItems      = 100_000
	maxOperations = 1_000_000
	maxMillis     = 60_000
)

// Validate returns nil or an error that wraps labkit.ErrPlan and says which
// parameter is wrong and what it may hold.
func (o Options) Validate() error {
	for _, c := range []struct {
		name              string
		value, least, top int
	}{
		{"kills", o.Kills, 1, labkit.MaxRounds}, {"items", o.Items, 1, maxItems}, {"operations", o.Operations, 1, maxOperations},
		{"updates", o.Updates, 0, 100}, {"rate", o.Rate, 0, maxOperations}, {"millis", o.Millis, 1, maxMillis},
	} {
		if c.value < c.least || c.value > c.top {
			return fmt.Errorf("%w: %s = %d: give %d to %d", labkit.ErrPlan, c.name, c.value, c.least, c.top)
		}
	}
	for name, list := range map[string][]int{"goroutines": o.Goroutines, "processes": o.Processes} {
		if len(list) == 0 || list[0] < 1 || !slices.IsSorted(list) || slices.Max(list) > maxWorkers {
			return fmt.Errorf("%w: %s = %v: give numbers from 1 to %d, ascending", labkit.ErrPlan, name, list, maxWorkers)
		}
	}
	return nil
}
