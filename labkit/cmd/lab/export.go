package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

func exportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "export NOTEBOOK",
		Short: "Turn a notebook as it was saved into a page of evidence",
		Long: `export writes the page of a notebook that was run and saved in JupyterLab, with
the outputs that it has: nothing is run again. It is the page that lab run writes:
the verdict at its head, the evidence of the run attached, no script, no network.
A NOTEBOOK is a name or number in the notebooks folder, or a path.

The evidence is looked for in the data folder, by the plan that the notebook's
outputs name. It is attached only if it gives every table, chart and verdict that
they show. The page, a copy of the notebook and a manifest then go into the run's
folder. With --out the page alone is written, to FILE, without evidence if there
is none that fits, and says so. JupyterLab's own export to HTML, in a JupyterLab
that lab open has started, gives the same page as --out.`,
		Example: "  go tool lab export 01\n  go tool lab export 01 --out page.html",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, typed []string) error {
			root, paths, err := named(typed)
			if err != nil {
				return err
			}
			return export(cmd, root, paths[0], out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write the page alone, to this `file`")
	return cmd
}

// export writes the page of a saved notebook.
func export(cmd *cobra.Command, root, path, out string) error {
	nb, err := notebook.Read(path)
	if err != nil {
		return usageError{err}
	}
	if out == "" && !slices.ContainsFunc(nb.Cells, func(c *notebook.Cell) bool { return len(c.Outputs) > 0 }) {
		return fmt.Errorf("%s has no outputs: run its cells in JupyterLab and save it, or use go tool lab run", path)
	}
	data := filepath.Join(root, "data")
	if set := os.Getenv(evidence.OutVariable); set != "" {
		data = set
	}
	dir, err := measuredBy(nb, data, runName(path))
	if err != nil {
		return err
	}
	page, unfit, err := savedPage(nb, dir, path)
	if err != nil {
		return err
	}
	if out != "" {
		if unfit != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "without evidence: %s\n", unfit)
		}
		if err := renameio.WriteFile(out, page, 0o644); err != nil {
			return fmt.Errorf("--out: %w: give a file that can be written", err)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "Page:     %s\n", out)
		return nil
	}
	if unfit != "" {
		return fmt.Errorf("%s: run the notebook again and save it, or give --out FILE for a page without evidence", unfit)
	}
	j := job{path: path, name: runName(path)}
	write := func() error { return renameio.WriteFile(filepath.Join(dir, j.name+".html"), page, 0o644) }
	if err := j.save(nb, dir, write); err != nil {
		return err
	}
	return j.report(cmd, dir)
}

// measuredBy finds the folder of the run whose plan the notebook's outputs name,
// "" for none. The one that is called after the notebook comes first.
func measuredBy(nb *notebook.Notebook, data, name string) (string, error) {
	entries, err := os.ReadDir(data)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	names := []string{name}
	for _, e := range entries {
		if e.IsDir() && e.Name() != name {
			names = append(names, e.Name())
		}
	}
	text := strings.ToLower(shownText(nb))
	for _, name := range names {
		dir := filepath.Join(data, name)
		run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
		if err != nil {
			continue // no run, or one that cannot be shown
		}
		if strings.Contains(text, "plan "+run.Plan.Fingerprint()) {
			return dir, nil
		}
	}
	return "", nil
}

// shownText is what the notebook's outputs say.
func shownText(nb *notebook.Notebook) string {
	var b strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			b.WriteString(o.Text)
			for _, data := range o.Data {
				if s, ok := data.(string); ok {
					b.WriteString(s)
				}
			}
		}
	}
	return b.String()
}

// planShown matches how an output names its plan.
var planShown = regexp.MustCompile(`\b[Pp]lan [0-9a-f]{8}`)

// savedPage makes the page of a notebook as it was saved, with the evidence in
// dir if that gives what the page shows. Otherwise unfit says why it does not.
func savedPage(nb *notebook.Notebook, dir, path string) (page []byte, unfit string, err error) {
	note := savedNote(nb)
	if dir == "" && !planShown.MatchString(shownText(nb)) {
		page, err = htmlOf(nb, nil, nil, "", command(path, nil), noteNone)
		return page, "the notebook shows no plan", err
	}
	if dir == "" {
		page, err = htmlOf(nb, nil, nil, "", command(path, nil), noteUnfit)
		return page, "no run in the data folder has the plan that the notebook shows", err
	}
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	if err != nil {
		return nil, "", err
	}
	if page, err = htmlOf(nb, run, evidence.Parts(filepath.Dir(dir), run.Plan), dir, command(path, run), note); err != nil {
		return nil, "", err
	}
	faults, _, err := verifyPage(page)
	if err != nil {
		faults = []string{err.Error()}
	}
	if len(faults) == 0 {
		return page, "", nil
	}
	page, err = htmlOf(nb, nil, nil, "", command(path, run), noteUnfit)
	return page, fmt.Sprintf("the evidence in %s is not what the notebook shows (%s)", dir, faults[0]), err
}

// command is what repeats a run: the notebook with the plan's values. It names a
// notebook outside the notebooks folder by its path.
func command(path string, run *evidence.Run) string {
	name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
	if filepath.Base(filepath.Dir(path)) != "notebooks" {
		name = path
	}
	values := map[string]string{}
	if run != nil {
		for _, p := range labkit.ListParams(&run.Plan) {
			values[p.Name] = p.Value
		}
		for own, value := range run.Plan.Own {
			values[own] = value
		}
		if values["name"] == runName(path) { // as lab run calls it by itself
			delete(values, "name")
		}
	}
	return reproduce(name, values)
}

// savedNote says what a reader must know of how a notebook was run by hand.
func savedNote(nb *notebook.Notebook) string {
	last, ordered := 0, true
	for _, c := range nb.Cells {
		if c.Kind != notebook.Code || strings.TrimSpace(c.Source) == "" {
			continue
		}
		if slices.ContainsFunc(c.Outputs, func(o *notebook.Output) bool { return o.Type == notebook.Error }) {
			return noteErrors
		}
		ordered = ordered && c.ExecutionCount > last
		last = c.ExecutionCount
	}
	if !ordered {
		return noteOrder
	}
	return ""
}
