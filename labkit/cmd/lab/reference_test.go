package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Every notebook has a committed reference run, and everything under
// data/reference follows from its samples.
func TestReferenceRuns(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	reference := filepath.Join(root, "data", "reference")
	notebooks, err := pick(root, nil)
	must(t, err)
	for _, path := range notebooks {
		name := runName(path)
		page := filepath.Join(reference, name, name+".html")
		if _, err := os.Stat(page); err != nil {
			t.Errorf("notebook %s has no reference run: %v: commit one made by lab run with the defaults", name, err)
		}
	}
	folders, err := os.ReadDir(reference)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		if _, err := verify(filepath.Join(reference, folder.Name())); err != nil {
			t.Errorf("%s: %v", folder.Name(), err)
		}
	}
}
