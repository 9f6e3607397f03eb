package cost

import (
	"fmt"
	"math"

	"shelflab/labkit"
)

// Operation is something that an arm does, or takes.
type Operation string

const (
	Write  Operation = "write"  // all records, from no store to a closed one
	Load   Operation = "load"   // all records read, open and close inside
	Open   Operation = "open"   // a store that is there opened and closed, nothing read
	Get    Operation = "get"    // one random key of an open store
	Update Operation = "update" // one record changed and kept, in a store that is open, or in memory
	Change Operation = "change" // the same, open and close inside
	Disk   Operation = "disk"   // bytes on disk, after close
)

// Operations lists them in the order of tables.
func Operations() []Operation { return []Operation{Write, Load, Open, Get, Update, Change, Disk} }

// ID names an arm as it was measured: under one name it may write with either
// durability.
type ID struct {
	Name  string
	Class labkit.Durability
}

// String is the name, with the durability where that is not the default.
func (id ID) String() string {
	if id.Class == labkit.ProcessCrash {
		return id.Name
	}
	return fmt.Sprintf("%s (%s)", id.Name, id.Class)
}

// Arm is what is known of one arm: a fit for each operation that was measured at
// enough sizes.
type Arm struct {
	ID
	Fits map[Operation]Fit
	// Without says why an operation that was measured has no fit.
	Without map[Operation]error
	// Off is by which factor a measured cycle was outside of what the operations
	// add up to, at least 1: it widens what is said of cycles. What an operation
	// costs by itself need not be what it costs after the others.
	Off float64
}

// Keyed tells whether the arm fetches a key at a time, though that may not have been
// fitted; one that does not loads everything, and then has it in memory.
func (a Arm) Keyed() bool { return a.Fits[Get].Points > 0 || a.Without[Get] != nil }

// InCycle tells whether an operation is part of the arm's cycles.
func (a Arm) InCycle(of Operation) bool {
	switch of {
	case Write:
		return true
	case Open, Get:
		return a.Keyed()
	case Load:
		return !a.Keyed()
	}
	return false
}

// term is an operation of the arm in a bill. ErrLacks if it was not fitted.
func (a Arm) term(of Operation, times float64) (Term, error) {
	f, ok := a.Fits[of]
	if !ok {
		why := error(ErrLacks)
		if cause := a.Without[of]; cause != nil {
			why = fmt.Errorf("%w: %w", ErrLacks, cause)
		}
		return Term{}, fmt.Errorf("%s, %s: %w", a.ID, of, why)
	}
	return Term{Operation: of, Times: times, fit: f}, nil
}

// bill adds up those operations that are done at all.
func (a Arm) bill(s Size, list ...Term) (Bill, error) {
	var terms []Term
	for _, t := range list {
		if t.Times == 0 {
			continue
		}
		term, err := a.term(t.Operation, t.Times)
		if err != nil {
			return Bill{}, err
		}
		terms = append(terms, term)
	}
	if len(terms) == 0 {
		return Bill{}, fmt.Errorf("%w: nothing is to be done", ErrSize)
	}
	return sum(terms, s)
}

// Cycle is what it costs to write all records and then to fetch k keys from
// fresh: a keyed arm opens the store and gets them one by one, another loads it
// all. k below 0 or above labkit.MaxRecords, or a size that no store holds, is
// ErrSize; an arm that was not measured in what it takes is ErrLacks. Keys may be
// fetched more than once, so k may be above n.
func (a Arm) Cycle(s Size, k int) (Bill, error) {
	if k < 0 || k > labkit.MaxRecords {
		return Bill{}, fmt.Errorf("%w: %d keys: give 0 to %d", ErrSize, k, labkit.MaxRecords)
	}
	b, err := a.cycle(s, k)
	if err != nil {
		return b, err
	}
	off := max(a.Off, 1)
	b.Lo, b.Hi = b.Lo/off, b.Hi*off
	return b, nil
}

// cycle is Cycle as the operations add up.
func (a Arm) cycle(s Size, k int) (Bill, error) {
	write := Term{Operation: Write, Times: 1}
	switch {
	case k == 0:
		return a.bill(s, write)
	case a.Keyed():
		return a.bill(s, write, Term{Operation: Open, Times: 1}, Term{Operation: Get, Times: float64(k)})
	}
	return a.bill(s, write, Term{Operation: Load, Times: 1})
}

// Day is what a program does to a store in a day.
type Day struct {
	N      int     // records
	Record float64 // payload of one, in bytes
	Writes float64 // full writes
	Opens  float64 // how often a program starts and opens the store
	Gets   float64 // random keys fetched, from a store that is open
	// Updates are single records changed and kept.
	Updates float64
	// Durability is what a finished write must survive; arms of the other class
	// are not considered.
	Durability labkit.Durability
}

func (d Day) valid() error {
	for _, x := range []float64{d.Writes, d.Opens, d.Gets, d.Updates} {
		if !(x >= 0) || x > maxDay {
			return fmt.Errorf("%w: %v times a day: give 0 to %g", ErrSize, x, float64(maxDay))
		}
	}
	if d.Writes+d.Opens+d.Gets+d.Updates == 0 {
		return fmt.Errorf("%w: nothing is done in a day", ErrSize)
	}
	if math.IsNaN(d.Record) {
		return fmt.Errorf("%w: records of %v bytes", ErrSize, d.Record)
	}
	return Of(d.N, d.Record).valid()
}

// maxDay is more than any program does.
const maxDay = 1e15

// Day is what a day costs the arm. One that fetches a key at a time opens its
// store, and another loads it all, as often as the program starts, and once at
// least if anything is fetched or updated; what was loaded is then had from memory
// for nothing. Where updates were measured only with open and close inside, they
// are taken so. A day of less than nothing, or of nothing at all, is ErrSize; an arm
// that was not measured in what the day takes is ErrLacks.
func (a Arm) Day(d Day) (Bill, error) {
	if err := d.valid(); err != nil {
		return Bill{}, err
	}
	opens, gets, start, update := d.Opens, d.Gets, Open, Update
	if gets > 0 || d.Updates > 0 {
		opens = max(1, opens)
	}
	if !a.Keyed() {
		start, gets = Load, 0
	}
	if a.Fits[Update].Points == 0 && a.Fits[Change].Points > 0 {
		update = Change
	}
	return a.bill(Of(d.N, d.Record), Term{Operation: Write, Times: d.Writes}, Term{Operation: start, Times: opens},
		Term{Operation: Get, Times: gets}, Term{Operation: update, Times: d.Updates})
}
