package evidence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"shelflab/labkit"
)

// Observation is what a cell has found out in another way than by samples: what a
// store says to a second process, what is left of the machine's memory. It is raw,
// as samples are: nothing else follows from it than the table that shows it.
type Observation struct {
	Title string     `json:"title"`           // of the table, another one for each
	Head  []string   `json:"head"`            // its headings; in texts, what follows a line break is secondary
	Rows  [][]string `json:"rows"`            // texts, one a heading
	Notes []string   `json:"notes,omitempty"` // below the table
}

// Observe keeps an observation with what the plan's run in dir has measured, in the
// place of an earlier one with its title. A plan of which nothing was measured yet is
// ErrNone, a folder into which another process measures ErrBusy; other errors are
// those of Load. The observation is copied; after an error the run is what it was.
func Observe(dir string, plan labkit.Plan, o Observation) error {
	if _, err := os.Stat(filepath.Join(dir, SummaryName)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w for %s: run the sweep first", ErrNone, plan) // nor a folder to lock
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	run, err := Load(dir, plan)
	if err != nil {
		return err
	}
	kept := Observation{o.Title, list(o.Head), make([][]string, len(o.Rows)), slices.Clone(o.Notes)}
	for i, row := range o.Rows {
		kept.Rows[i] = list(row)
	}
	on := *run
	on.Observed = slices.Clone(run.Observed)
	if at := slices.IndexFunc(on.Observed, func(x Observation) bool { return x.Title == o.Title }); at >= 0 {
		on.Observed[at] = kept
	} else {
		on.Observed = append(on.Observed, kept)
	}
	rec := &Recorder{Dir: dir, run: run, mu: lock}
	return rec.write(on)
}

// observedFaults says which observations cannot be.
func (r *Run) observedFaults() (list []string) {
	const most = 100 // of them, of headings, and of notes
	if len(r.Observed) > most || len(r.Observed) > 0 && r.Schema < 4 {
		return []string{fmt.Sprintf("%d observations: more than a run can have, or schema %d knows none", len(r.Observed), r.Schema)}
	}
	seen := map[string]bool{}
	for i, o := range r.Observed {
		long := func(row []string) bool { return len(row) > len(o.Head) }
		if o.Title == "" || seen[o.Title] || len(o.Head) == 0 || len(o.Head) > most || len(o.Rows) > most*most || len(o.Notes) > most || slices.ContainsFunc(o.Rows, long) {
			list = append(list, fmt.Sprintf("observed[%d] %q: it has no title or no headings, is there twice, or is more than a table", i, o.Title))
		}
		seen[o.Title] = true
	}
	return list
}
