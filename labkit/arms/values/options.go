package values

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/records"
)

// MaxLimit keeps a typing slip in a memory limit from being no limit at all, or
// one that is beyond an int64 of bytes.
const MaxLimit = 1 << 20 // MiB

// Options say what the three tricks are measured on. They can be embedded into a
// notebook's struct of parameters.
type Options struct {
	// Data is what the array holds, one of records.Contents.
	Data string `param:"data" help:"array content: ones, random"`

	// Parts is how many objects are in the hierarchy, see Hierarchy.
	Parts int `param:"parts" help:"objects in the hierarchy"`

	// Objects is how many small objects with pointers there are, see Tree.
	Objects int `param:"objects" help:"small objects with pointers"`

	// Limit is the program's memory limit where the collector is off, in MiB.
	Limit int `param:"limit" help:"memory limit without GC, in MiB"`
}

// Validate returns nil or an error that wraps labkit.ErrPlan and says which field
// is wrong and what it may hold. Whether so much fits into memory is told by who
// makes it.
func (o Options) Validate() error {
	if !slices.Contains(records.Contents(), o.Data) {
		return fmt.Errorf("%w: data = %q: give %s", labkit.ErrPlan, o.Data, strings.Join(records.Contents(), " or "))
	}
	for _, c := range []struct {
		name        string
		value, most int
		of          string
	}{
		{"parts", o.Parts, labkit.MaxRecords, "objects"},
		{"objects", o.Objects, labkit.MaxRecords, "objects"},
		{"limit", o.Limit, MaxLimit, "MiB"},
	} {
		if c.value < 1 || c.value > c.most {
			return fmt.Errorf("%w: %s = %d: give 1 to %d %s", labkit.ErrPlan, c.name, c.value, c.most, c.of)
		}
	}
	return nil
}
