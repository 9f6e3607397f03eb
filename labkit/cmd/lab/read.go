package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

// maxEvidence is the largest file that is read as evidence. A page with its
// charts is about a megabyte.
const maxEvidence = 64 << 20 // bytes

// readBounded reads a regular file that is not too large to be evidence: a pipe
// would never end, and somebody else's file must not fill the memory. One that
// was saved from a page is unpacked.
func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: it is no file", evidence.ErrFormat)
	case info.Size() > maxEvidence:
		return nil, fmt.Errorf("%w: it has %s, evidence has at most %s", evidence.ErrFormat,
			evidence.Quantity(float64(info.Size()), "B"), evidence.Quantity(maxEvidence, "B"))
	}
	text, err := os.ReadFile(path)
	if err != nil || !isPacked(text) {
		return text, err
	}
	if text, err = notebook.Gunzip(text, maxEvidence); err != nil {
		return nil, fmt.Errorf("%w: %v", evidence.ErrFormat, err)
	}
	return text, nil
}

// isPacked tells whether a file is compressed as a page's attachments are.
func isPacked(text []byte) bool { return bytes.HasPrefix(text, []byte("\x1f\x8b")) }

// readEvidence reads a run from what a user names: its folder, its summary.json,
// its page, or samples in Go's benchmark format. A file is what it holds,
// whatever it is called.
func readEvidence(path string) (*evidence.Run, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		dir := path
		path = filepath.Join(dir, evidence.SummaryName)
		switch file, err := os.Lstat(path); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: %w: there is no %s", dir, evidence.ErrNone, evidence.SummaryName)
		case err == nil && !file.Mode().IsRegular(): // a link of somebody else's may lead anywhere
			return nil, fmt.Errorf("%s: %w: it is no file", path, evidence.ErrFormat)
		}
	}
	text, err := readBounded(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var run *evidence.Run
	switch {
	case isPage(text):
		var files map[string][]byte
		if files, err = attached(text); err == nil {
			run, err = evidence.Parse(files[evidence.SummaryName])
		}
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")):
		run, err = evidence.Parse(text)
	default:
		run, err = evidence.ParseBench(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return run, nil
}

// isPage tells whether a file is HTML.
func isPage(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) }

// attached returns the files of evidence that a page carries, by name. They are
// looked up by the names that evidence has and written nowhere, so it does not
// matter what else a page names.
func attached(page []byte) (map[string][]byte, error) {
	list, err := notebook.ReadAttachments(bytes.NewReader(page))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", evidence.ErrFormat, err)
	}
	files := map[string][]byte{}
	for _, a := range list {
		if _, twice := files[a.Name]; twice {
			return nil, fmt.Errorf("%w: the file %q is attached twice", evidence.ErrAltered, a.Name)
		}
		files[a.Name] = a.Data
	}
	if files[evidence.SummaryName] == nil {
		return nil, fmt.Errorf("%w: the page carries no %s", evidence.ErrNone, evidence.SummaryName)
	}
	return files, nil
}
