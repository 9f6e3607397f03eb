// Package python is Python's own shelve and pickle as peers, on byte for byte the
// same data: a Python runs as a child process, is given the records as a file of
// JSON Lines, carries out each operation of a turn and tells how long it took by
// its own clock. What is timed is the store's work: the start of the interpreter
// and reading the records come before. What it reads it sums up as JSON, outside
// of the time, and Go compares that with the records.
//
// It needs a python3 on the PATH, or in SHELFLAB_PYTHON. Arms that the Python at
// hand has no module for are Unmeasured.
package python

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/arms/whole"
)

// The names of the arms, short enough for the labels of a chart.
const (
	ShelveSQLite = "shelve, dbm.sqlite3" // the default from Python 3.13 on
	ShelveGNU    = "shelve, dbm.gnu"
	ShelveDumb   = "shelve, dbm.dumb" // what every Python has
	Pickle       = "Python pickle"
)

// how says how an arm of Python keeps the records.
type how struct {
	name, module, keeps string
	what                string
	where               string // which Python has it, where not every one does
}

var kept = []how{
	{ShelveSQLite, "dbm.sqlite3", "sqlite3", "shelve over dbm.sqlite3, an assignment for each key", ", from 3.13 on"},
	{ShelveGNU, "dbm.gnu", "gnu", "shelve over dbm.gnu, an assignment for each key", ", such as Debian's with the package python3-gdbm"},
	{ShelveDumb, "dbm.dumb", "dumb", "shelve over dbm.dumb, an assignment for each key", ""},
	{Pickle, "pickle", "pickle", "one pickle.dump of a dict of all records at the highest protocol", ""},
}

// Arms returns Python's arms over the records of d, which need a form in JSON: a
// struct becomes a dict. It starts the Python at hand once to ask what it has; an
// arm that it has not, or that cannot write with class, says so in Unmeasured.
// dbm.sqlite3 always survives a power loss, dbm.gnu is made to by a sync after each
// assignment, and dbm.dumb never does.
func Arms[V any](d *turn.Data[V], class labkit.Durability) []labkit.Arm {
	list := Outline(class)
	at, err := look()
	if err != nil {
		return list
	}
	from := &source[V]{Data: d}
	for i, k := range kept {
		list[i].Measure = pythonTurn(from, at.path, order{Keeps: k.keeps, Sync: list[i].Durability == labkit.PowerLoss}, k.keeps != "pickle")
	}
	return list
}

// Outline returns Python's arms without a Measure, for what draws or names them.
func Outline(class labkit.Durability) []labkit.Arm {
	at, err := look()
	list := make([]labkit.Arm, len(kept))
	for i, k := range kept {
		list[i] = labkit.Arm{Name: k.name, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class, What: "Python's " + k.what}
		arm := &list[i]
		if k.keeps == "pickle" {
			arm.Kind = turn.KindSnapshot
		}
		if err != nil {
			arm.Unmeasured = err.Error()
			continue
		}
		arm.What = "Python " + at.Version + ", " + k.what
		if k.module == at.Default {
			arm.What += "; what shelve takes by itself there"
		}
		arm.Durability, arm.Unmeasured = at.offers(k, class)
	}
	return list
}

// Default is the name of the arm whose store a program in Python gets that opens
// a shelve and does not choose. Where the Python at hand takes one that the lab
// has no arm for, it is the first of the arms of shelve that it has; without a
// Python, the one that is the default from Python 3.13 on.
func Default() string {
	at, err := look()
	if err != nil {
		return ShelveSQLite
	}
	first := ""
	for _, k := range kept {
		if k.module == at.Default {
			return k.name
		}
		if _, lacks := at.Lacks[k.module]; !lacks && first == "" && k.keeps != "pickle" {
			first = k.name
		}
	}
	return cmp.Or(first, ShelveSQLite)
}

// offers returns the class that an arm writes with where class is asked for, or
// why it cannot be measured.
func (at *interpreter) offers(k how, class labkit.Durability) (_ labkit.Durability, unmeasured string) {
	why, lacks := at.Lacks[k.module]
	switch {
	case lacks:
		return class, fmt.Sprintf("Python %s has no %s (%s); set %s to one that has it%s", at.Version, k.module, why, Variable, k.where)
	case k.keeps == "sqlite3" && at.Syncs:
		return labkit.PowerLoss, "" // it cannot do without
	case class == labkit.ProcessCrash:
		return class, ""
	case k.keeps == "sqlite3":
		return class, "the SQLite of this Python does not sync what dbm.sqlite3 commits, so nothing of it survives a power loss for sure"
	case k.keeps == "dumb":
		return class, "dbm.dumb never syncs, so nothing of it survives a power loss for sure"
	}
	return class, ""
}

// pythonTurn is one turn, in a Python of its own.
func pythonTurn[V any](from *source[V], path string, what order, keyed bool) func(context.Context, *labkit.Round) error {
	return func(ctx context.Context, r *labkit.Round) error {
		r.Payload = from.Bytes()
		what.Folder = r.Path
		if err := os.Mkdir(r.Path, 0o755); err != nil {
			return err
		}
		if what.Sync {
			if err := whole.SyncFolder(filepath.Dir(r.Path)); err != nil {
				return err
			}
		}
		records, err := from.open(filepath.Dir(r.Path))
		if err != nil {
			return err
		}
		return with(ctx, path, what, records, len(from.Keys), func(c *child) error {
			return operations(ctx, r, c, from, keyed)
		})
	}
}

func operations[V any](ctx context.Context, r *labkit.Round, c *child, from *source[V], keyed bool) error {
	n, keys, before := len(from.Keys), from.Picked(r.Number), from.Picked(r.Number-1)
	ofKeys, err := from.sumOf(keys)
	if err != nil {
		return err
	}
	var got answer
	told := func(what ask, lap *labkit.Metric) func() (labkit.Told, error) {
		return func() (labkit.Told, error) {
			var err error
			if got, err = c.do(what); err == nil && lap != nil && keyed {
				err = r.LapTold(*lap, n, got.Lap)
			}
			return got.Told, err
		}
	}
	if err := r.TimeTold(labkit.Write, n, told(ask{Do: "write"}, &labkit.Put)); err != nil {
		return err
	}
	if err := turn.Size(r); err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	if err := r.TimeTold(labkit.Read, n, told(ask{Do: "read"}, &labkit.Scan)); err != nil {
		return err
	}
	if err := r.Check("full read", uint64(got.Sum), from.sum); err != nil {
		return err
	}
	if err := r.TimeTold(labkit.Gets, len(keys), told(ask{Do: "gets", Keys: keys}, nil)); err != nil {
		return err
	}
	if err := r.Check("gets", uint64(got.Sum), ofKeys); err != nil || !keyed {
		return err
	}
	err = r.RepeatTold(labkit.GetsOpen, len(keys), func(calls int) (labkit.Told, error) {
		return told(ask{Do: "gets open", Keys: keys, Before: before, Calls: calls}, nil)()
	})
	if err != nil {
		return err
	}
	return r.Check("gets, store open", uint64(got.Sum), ofKeys)
}
