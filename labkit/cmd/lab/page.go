package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"

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
	page := notebook.Page{}
	if page.Header, err = header(run, command, note); err != nil {
		return err
	}
	if run != nil {
		if page.Attachments, err = carried(dir, run); err != nil {
			return err
		}
	}
	var html bytes.Buffer
	if err := nb.HTML(&html, page); err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, name+".html"), html.Bytes(), 0o644)
}

// durabilityName is the name under which a page carries the summary of the run
// that sets the classes of durability side by side.
const durabilityName = "durability-summary.json"

// carried lists the files of evidence that a run's page has with it: its own,
// and the summary of its twin about durability, if that was measured.
func carried(dir string, run *evidence.Run) ([]notebook.Attachment, error) {
	twin := evidence.DurabilityPlan(run.Plan)
	var list []notebook.Attachment
	for _, file := range []struct {
		name, path string
		must       bool
	}{
		{evidence.SummaryName, filepath.Join(dir, evidence.SummaryName), true},
		{evidence.BenchName, filepath.Join(dir, evidence.BenchName), true},
		{durabilityName, filepath.Join(filepath.Dir(dir), twin.Name, evidence.SummaryName), false},
	} {
		if !file.must {
			if other, err := evidence.Read(file.path); err != nil || other.Plan.Fingerprint() != twin.Fingerprint() {
				continue
			}
		}
		data, err := os.ReadFile(file.path)
		if err != nil {
			return nil, err
		}
		list = append(list, notebook.Attachment{Name: file.name, Data: data})
	}
	return list, nil
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
	case failed && run.Updated.Before(started.Truncate(time.Second)): // evidence tells time to the second
		return nil, noteEarlier, nil
	case failed:
		return run, noteFailed, nil
	}
	return run, "", nil
}
