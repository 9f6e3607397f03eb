package show

import (
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/records/rows"
)

// Records displays what was understood of a file of the user's own records: a row
// for each field, and the lines that were left out.
func Records(f *rows.File) { Show(RecordsTable(f)) }

// OwnRecords displays that the records are the lab's, where the plan names no file.
func OwnRecords(plan labkit.Plan) { Note("%s", OwnRecordsText(plan)) }

// OwnRecordsText is what OwnRecords displays.
func OwnRecordsText(plan labkit.Plan) string {
	return fmt.Sprintf("The sweep keeps the lab's own records, made from seed %d.", plan.Seed)
}

// RecordsTable returns what Records displays. A nil file gives a table that says
// so.
func RecordsTable(f *rows.File) Table {
	if f == nil {
		return Table{Title: "Your records", Notes: []string{"There is no file."}}
	}
	t := Table{
		Title: fmt.Sprintf("Your records: %s of %s", evidence.Count(len(f.Keys)), clip(f.Path, 80)),
		Head:  []string{"field", "kept as", "have it", "null", "example"},
		Notes: []string{fmt.Sprintf("Read as %s, SHA-256 %.12s…. %s", f.Format, f.SHA256, keyNote(f))},
	}
	mixed := false
	for _, field := range f.Fields {
		kept := field.Kind.String()
		if field.Mixed != "" {
			kept, mixed = kept+"\nfound: "+field.Mixed, true
		}
		t.Rows = append(t.Rows, []string{
			clip(field.Name, 60), kept, evidence.Count(field.Has), evidence.Count(field.Null), clip(field.Example, 40),
		})
	}
	if mixed {
		t.Notes = append(t.Notes, "A field in which several kinds were found is kept as the kind that holds them all: whole numbers and numbers as numbers, anything else as text, as it was written.")
	}
	if f.Count > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("⚠ %s left out, the first of them:", badLines(f.Count)))
		for _, bad := range f.Bad {
			t.Notes = append(t.Notes, bad.String())
		}
	}
	return t
}

func keyNote(f *rows.File) string {
	if len(f.Keys) == 0 {
		return "No record could be taken."
	}
	return fmt.Sprintf("Keys such as %q.", clip(f.Keys[0], 40))
}

func badLines(count int) string {
	if count == 1 {
		return "1 bad line was"
	}
	return evidence.Count(count) + " bad lines were"
}

// clip shortens text to so many characters, on one line.
func clip(text string, most int) string {
	runes := []rune(text)
	for i, r := range runes {
		if r == '\n' {
			runes[i] = ' '
		}
	}
	if len(runes) > most {
		runes = append(runes[:most-1], '…')
	}
	return string(runes)
}
