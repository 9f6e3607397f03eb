package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/renameio/v2"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

// writePage writes the executed notebook as one HTML page: the notebook, headed
// by its verdict, where it was measured and how to repeat it, with the evidence
// attached. started is when the notebook was, and failed whether it stopped at
// a cell. A notebook that has left no evidence has a page that says so.
func writePage(nb *notebook.Notebook, dir, name, command string, started time.Time, failed bool) error {
	run, note, err := ofNotebook(dir, started, failed)
	if err != nil {
		return err
	}
	var parts []*evidence.Run
	if run != nil {
		parts = evidence.Parts(filepath.Dir(dir), run.Plan)
	}
	if failed { // what an earlier run has left is not this one's
		parts = slices.DeleteFunc(parts, func(part *evidence.Run) bool { return earlier(part, started) })
	}
	page, err := htmlOf(nb, run, parts, dir, command, note)
	if err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, name+".html"), page, 0o644)
}

// htmlOf is a notebook's page, headed by its run and with its evidence and that
// of its parts attached; a nil run has neither.
func htmlOf(nb *notebook.Notebook, run *evidence.Run, parts []*evidence.Run, dir, command, note string) ([]byte, error) {
	var page notebook.Page
	var err error
	if page.Header, err = header(run, parts, command, note); err != nil {
		return nil, err
	}
	if run != nil {
		if page.Attachments, err = carried(dir, run, parts); err != nil {
			return nil, err
		}
	}
	var html bytes.Buffer
	err = nb.HTML(&html, page)
	return html.Bytes(), err
}

// partEnding ends the names under which a page carries the summaries of its run's
// parts: "durability-summary.json".
const partEnding = "-" + evidence.SummaryName

// partFile is the name under which a page carries the summary of a part.
func partFile(part, whole labkit.Plan) string { return evidence.Suffix(part, whole) + partEnding }

// carried lists the files of evidence that a run's page has with it: its own, and
// the summary of each of its parts.
func carried(dir string, run *evidence.Run, parts []*evidence.Run) ([]notebook.Attachment, error) {
	var list []notebook.Attachment
	add := func(name, path string) error {
		data, err := os.ReadFile(path)
		list = append(list, notebook.Attachment{Name: name, Data: data})
		return err
	}
	err := errors.Join(
		add(evidence.SummaryName, filepath.Join(dir, evidence.SummaryName)),
		add(evidence.BenchName, filepath.Join(dir, evidence.BenchName)))
	for _, part := range parts {
		path := filepath.Join(filepath.Dir(dir), part.Plan.Name, evidence.SummaryName)
		err = errors.Join(err, add(partFile(part.Plan, run.Plan), path))
	}
	return list, err
}

// earlier tells whether a run was measured before a time; evidence tells time to
// the second.
func earlier(run *evidence.Run, than time.Time) bool {
	return run.Updated.Before(than.Truncate(time.Second))
}

// ofNotebook returns the run that a notebook's page shows, nil for none, and
// what must be said of it. A notebook that stopped before it had measured is
// not headed by what an earlier one left, which may be of another plan.
func ofNotebook(dir string, started time.Time, failed bool) (run *evidence.Run, note string, err error) {
	run, err = evidence.Read(filepath.Join(dir, evidence.SummaryName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noteNone, nil
	case errors.Is(err, evidence.ErrFormat):
		return nil, noteUnreadable, nil
	case err != nil:
		return nil, "", err
	case failed && earlier(run, started):
		return nil, noteEarlier, nil
	case failed:
		return run, noteFailed, nil
	}
	return run, "", nil
}
