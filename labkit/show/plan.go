package show

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Plan displays the values in force: one row for each that can be changed, with
// what it is, and the fingerprint that evidence of the plan carries. plan is a
// pointer to a struct as labkit.Params describes, so that a notebook's own
// struct works as labkit.Plan does. Nil, and what is no struct, show a note.
//
// In a copy of a notebook that still has the name of the original's runs a note
// says so, and what to do.
func Plan[T any](plan *T) { Show(PlanTable(plan)) }

// aboutRecords are the parameters that a plan of other things refuses.
var aboutRecords = []string{"records", "key", "skip-bad"}

// PlanTable returns what Plan displays.
func PlanTable[T any](plan *T) Table {
	t := Table{Title: "Parameters in force", Head: []string{"name", "value", "what it is"}}
	if plan == nil || reflect.TypeFor[T]().Kind() != reflect.Struct {
		t.Notes = []string{"There is no plan."}
		return t
	}
	copied, pieces := "", "records"
	if p, ok := any(plan).(interface{ Pieces() string }); ok {
		pieces = p.Pieces()
	}
	for _, p := range labkit.ListParams(plan) {
		if pieces != "records" && slices.Contains(aboutRecords, p.Name) {
			continue
		}
		t.Rows = append(t.Rows, []string{p.Name, p.Value, strings.ReplaceAll(p.Help, "records", pieces)})
		if p.Name == "name" {
			copied = copyNote(p.Value)
		}
	}
	if note := sourceNote(plan); note != "" {
		t.Notes = append(t.Notes, note)
	}
	if p, ok := any(plan).(interface{ Fingerprint() string }); ok {
		t.Notes = append(t.Notes, fmt.Sprintf("Plan %s: evidence that was measured with other values is refused.", p.Fingerprint()))
	}
	if copied != "" {
		t.Notes = append(t.Notes, copied)
	}
	return t
}

// sourceNote says how the sizes go with the user's own file, "" if the records
// are the lab's. It does not look at the file: evidence is verified without it.
func sourceNote(plan any) string {
	p, ok := plan.(interface{ Source() (path, digest string) })
	if !ok {
		return ""
	}
	path, digest := p.Source()
	if path == "" {
		return ""
	}
	return fmt.Sprintf("The records are those of %s (SHA-256 %.12s…). Default sizes for which it has too few are scaled down to it; sizes that are given are refused then.", path, digest)
}

// Load returns the evidence of the plan, as a cell needs it that draws what an
// earlier one has measured. Where there is none, or where it was measured by
// another plan, it displays what is missing and what to run and ends the
// program with exit code 1. A run that is incomplete is returned after a note
// that says which sizes are missing.
func Load(plan labkit.Plan) *evidence.Run {
	dir, err := evidence.Dir(plan)
	if err != nil {
		Fail(err)
		return nil
	}
	run, err := evidence.Load(dir, plan)
	switch {
	case errors.Is(err, evidence.ErrNone):
		fail("Nothing measured yet", err)
	case errors.Is(err, evidence.ErrOtherPlan):
		fail("The parameters have changed since the sweep", err)
	case err != nil:
		fail("The evidence cannot be read", err)
	case !run.Complete:
		box{tone: toneWarn, lines: []string{incomplete(run)}}.show()
	}
	return run
}
