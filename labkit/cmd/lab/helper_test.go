package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/notebook"
)

// asLab is the variable under which the test binary is the lab command, so that
// tests can interrupt and kill it.
const asLab = "SHELFLAB_TEST_AS_LAB"

func TestMain(m *testing.M) {
	if _, child := labkit.ChildTurn(); child || os.Getenv(asLab) != "" {
		main()
	}
	os.Exit(m.Run())
}

// labProcess is the lab command in a process of its own.
func labProcess(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), asLab+"=1")
	return cmd
}

// notebookOf writes a notebook of Go cells behind the set-up and the parameter
// cell of notebook 01, and returns its path. It lies in a folder beside the
// real ones, since the set-up line looks for the module from there.
func notebookOf(t *testing.T, name string, cells ...string) string {
	t.Helper()
	first := read01(t)
	nb := notebook.New()
	for _, id := range []string{"setup", "parameters"} {
		nb.Cells = append(nb.Cells, cell(t, first, id))
	}
	for _, source := range cells {
		nb.Cells = append(nb.Cells, &notebook.Cell{Kind: notebook.Code, Source: source})
	}
	path := filepath.Join(t.TempDir(), name+".ipynb")
	if err := nb.Write(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func read01(t *testing.T) *notebook.Notebook {
	t.Helper()
	nb, err := notebook.Read(filepath.Join("..", "..", "..", "notebooks", "01_shelf_vs_blob.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// cell finds a cell by its id.
func cell(t *testing.T, nb *notebook.Notebook, id string) *notebook.Cell {
	t.Helper()
	for _, c := range nb.Cells {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no cell %q", id)
	return nil
}

// textOf joins what a cell printed and displayed, as text and as HTML.
func textOf(c *notebook.Cell) string {
	var b strings.Builder
	for _, o := range c.Outputs {
		b.WriteString(o.Text)
		for _, data := range o.Data {
			if text, ok := data.(string); ok {
				b.WriteString(text)
			}
		}
	}
	return b.String()
}
