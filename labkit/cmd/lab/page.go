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
		for _, file := range []string{evidence.SummaryName, evidence.BenchName} {
			data, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				return err
			}
			page.Attachments = append(page.Attachments, notebook.Attachment{Name: file, Data: data})
		}
	}
	var html bytes.Buffer
	if err := nb.HTML(&html, page); err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, name+".html"), html.Bytes(), 0o644)
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
