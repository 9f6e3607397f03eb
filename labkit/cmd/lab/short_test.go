package main

import (
	"testing"

	"shelflab/labkit/show"
)

// A short note of a table is looked for with its table, but what a cell says in
// words of its own is no note that was changed.
func TestShortNotes(t *testing.T) {
	table := show.Table{Title: "What write takes besides time", Head: []string{"arm"}, Rows: [][]string{{"blob"}}, Notes: []string{"Not measured at n = 40."}}
	var e expected
	e.addTable("the table of resources", table)
	for _, text := range []string{table.HTML(), "Incomplete: n = 480 not measured to the last round."} {
		if lines, _ := e.unlikePieces(fragment(text)); len(lines) > 0 {
			t.Errorf("%s: %q", text, lines)
		}
	}
	edited := table
	edited.Notes = []string{"Not measured at n = 90."}
	if lines, _ := e.unlikePieces(fragment(edited.HTML())); len(lines) == 0 {
		t.Error("the note of a table was changed")
	}
}
