// Package which lists the arms of which notebook 05 asks which store to take: ours,
// the plain gob, and the peers in Go that a program would take instead.
//
// Goal: one list for the sweep and for all its parts, whose plans say what differs:
// other sizes of records, whole cycles, another durability. Not a goal: to link one
// store; only the cells that measure take this package.
package which

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"shelflab/labkit"
	"shelflab/labkit/arms"
	"shelflab/labkit/arms/bolt"
	"shelflab/labkit/arms/files"
	"shelflab/labkit/arms/sqlite"
	"shelflab/labkit/records"
)

// What a part's plan may be given, by Plan.With.
const (
	Note    = "note"    // characters of each record's note, of the lab's own records
	Fetched = "fetched" // keys that a cycle fetches: the part measures labkit.Cycle alone
)

const (
	// filesUpTo is the largest n of one file a key, and where each put must survive a
	// power loss, filesSynced: a thousand times the device's answer.
	filesUpTo, filesSynced = 1000, 100
	// updatesUpTo is the largest n whose updates are measured: a snapshot is loaded and
	// saved for each, and all arms are read once more to see that nothing was lost.
	updatesUpTo = 30_000
)

// For returns the arms over n records of a plan: its own, or the first n of its file.
// Beside what every turn measures they measure labkit.Open and, up to n = 30,000,
// updates; a plan that was given Fetched measures labkit.Cycle instead. What is no
// number, or cannot be, is an error that wraps labkit.ErrPlan.
func For(plan labkit.Plan, n int) ([]labkit.Arm, error) {
	cycle, keys, err := given(plan, Fetched, 1)
	if err != nil {
		return nil, err
	}
	if cycle {
		plan.Keys = keys
	}
	made := func(n int) ([]labkit.Arm, error) {
		if plan.Records != "" {
			d, err := arms.Own(plan, n)
			if err != nil {
				return nil, err
			}
			return list(asking(d, cycle, n), plan.Durability), nil
		}
		d, err := ours(plan, n)
		if err != nil {
			return nil, err
		}
		return list(asking(d, cycle, n), plan.Durability), nil
	}
	return lazy(n, made)
}

// lazy returns the arms that made makes over n records, which it makes when the first
// of them takes its turn: the process that only starts others does not hold them.
func lazy(n int, made func(n int) ([]labkit.Arm, error)) ([]labkit.Arm, error) {
	arms, err := made(min(n, 1))
	if err != nil {
		return nil, err
	}
	all := sync.OnceValues(func() ([]labkit.Arm, error) { return made(n) })
	for i := range arms {
		arms[i].Measure = func(ctx context.Context, r *labkit.Round) error {
			full, err := all()
			if err != nil {
				return err
			}
			return full[i].Measure(ctx, r)
		}
	}
	return arms, nil
}

// given is a number that a plan was given, at least least; ok is false if it was not.
func given(plan labkit.Plan, name string, least int) (ok bool, x int, err error) {
	text, ok := plan.Given[name]
	if !ok {
		return false, 0, nil
	}
	if x, err = strconv.Atoi(text); err != nil || x < least || x > labkit.MaxRecords {
		return true, 0, fmt.Errorf("%w: %s = %q: give %d to %d", labkit.ErrPlan, name, text, least, labkit.MaxRecords)
	}
	return true, x, nil
}

// ours are the lab's own records, with notes of the length that the plan was given.
func ours(plan labkit.Plan, n int) (*arms.Data[records.Record], error) {
	set := records.Generate(plan.Seed, n)
	longer, length, err := given(plan, Note, 0)
	if err != nil {
		return nil, err
	}
	if longer {
		set = set.WithNotes(plan.Seed, length)
	}
	return arms.New(&arms.Data[records.Record]{
		Keys: set.Keys, Values: set.Values, Sum: records.Sum, Payload: records.Payload, Change: records.Rescore,
		Gets: plan.Keys, Seed: plan.Seed,
	})
}

func asking[V any](d *arms.Data[V], cycle bool, n int) *arms.Data[V] {
	if cycle {
		return d.Measuring(labkit.Cycle)
	}
	ask := append(labkit.Metrics(), labkit.Open)
	if n <= updatesUpTo && d.Change != nil {
		ask = append(ask, labkit.Update, labkit.UpdateOpen)
	}
	return d.Measuring(ask...)
}

// list is the arms, the control last.
func list[V any](d *arms.Data[V], class labkit.Durability) []labkit.Arm {
	folder := files.Arm(d, class)
	folder.UpTo, folder.Beyond = filesUpTo, "each record takes a file, and a block of the disk, of its own"
	if class == labkit.PowerLoss {
		folder.UpTo, folder.Beyond = filesSynced, "each record is a file of its own that waits for the device"
	}
	indexed := arms.Indexed(d, class)
	return []labkit.Arm{
		arms.Bulk(d, class), indexed, arms.Blob(d, class), arms.NaiveGob(d, class),
		bolt.Arm(d, class), sqlite.Arm(d, class), folder,
		labkit.AsControl(indexed),
	}
}

// Comparisons sets the arms against each other: ours against ours and the plain gob,
// the shelf and the indexed blob against the peers, each against itself at two sizes,
// and the control.
func Comparisons() []labkit.Comparison {
	write, read, gets, open, disk := labkit.Write.Name, labkit.Read.Name, labkit.Gets.Name, labkit.GetsOpen.Name, labkit.Disk.Name
	update := labkit.Update.Name
	var all []labkit.Comparison
	add := func(role labkit.Role, label, a, b string, metrics ...string) {
		all = append(all, labkit.Comparison{Role: role, Label: label, A: a, B: b, Metrics: metrics})
	}
	add(labkit.Headline, "ours", arms.BlobAll, arms.ShelfBulk, write, read, gets, update, disk)
	add(labkit.Headline, "the indexed blob", arms.BlobIndexed, arms.ShelfBulk, write, read, gets, open, update, disk)
	add(labkit.Headline, "the indexed blob", arms.BlobIndexed, arms.BlobAll, write, read, gets, update, disk)
	add(labkit.Headline, "the plain gob", arms.BlobAll, arms.PlainGob, write, read, gets, update, disk)
	for _, peer := range []string{bolt.Name, sqlite.Name, files.Name} {
		add(labkit.Headline, "the peers", arms.ShelfBulk, peer, write, read, gets, open, update, disk)
		add(labkit.Headline, "the peers", arms.BlobIndexed, peer, write, read, gets, open, update, disk)
	}
	for _, arm := range Names() {
		add(labkit.Flat, "", arm, arm, write, read)
	}
	return append(all, labkit.ControlOf(arms.BlobIndexed, write, read, gets))
}

// CycleComparisons sets whole cycles against each other.
func CycleComparisons() []labkit.Comparison {
	var all []labkit.Comparison
	for _, pair := range [][2]string{
		{arms.BlobAll, arms.ShelfBulk}, {arms.BlobIndexed, arms.ShelfBulk}, {arms.BlobIndexed, arms.BlobAll},
		{arms.BlobIndexed, bolt.Name}, {arms.BlobIndexed, sqlite.Name},
	} {
		all = append(all, labkit.Comparison{Role: labkit.Headline, Label: "a cycle", A: pair[0], B: pair[1], Metrics: []string{labkit.Cycle.Name}})
	}
	return append(all, labkit.ControlOf(arms.BlobIndexed, labkit.Cycle.Name))
}

// Names are the arms' names, without the control's.
func Names() []string {
	return []string{arms.ShelfBulk, arms.BlobIndexed, arms.BlobAll, arms.PlainGob, bolt.Name, sqlite.Name, files.Name}
}
