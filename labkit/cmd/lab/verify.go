package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"shelflab/labkit/chart"
	"shelflab/labkit/evidence"
)

func verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check that evidence follows from its samples",
		Long: `verify takes the folder of a run, its summary.json, or its HTML page, which
carries the samples. It computes every summary, ratio, warning and verdict anew
from the raw samples and compares them, names the places that differ, and ends
with exit code 1 if there are any.

  summary.json  every number and sentence in it, its digest, and the bench.txt
                beside it; summary.json.gz, as saved from a page, by itself
  a page        the same of the files that it carries, the summaries of the
                parts of its run among them; then what it shows: the
                head with verdict, plan, machine and command, and, in the outputs
                of its cells, every table, verdict box and chart that the lab
                draws from the evidence; and its folder, if it lies in its run's
  a folder      all of that, and the SHA-256 of every file in the manifest

It finds any edit that is not consistent all the way down to the samples, or to what
cells have found out beside them and kept. What it cannot find:

  - samples, a date or a machine that somebody made up, with everything else
    computed from them by the lab itself
  - in a page, a change of prose, code or style
  - a change of what does not follow from the evidence: text that a cell prints
    (records that it reads back, times by hand), remarks in the notebook's own
    words, pictures, and drawings that are not of the evidence, such as a processor
    profile. The cells in which such a thing stands are listed, so that the list is
    longer by a table of the lab's that was rewritten until it resembles none
  - within what is checked, what was put in: the notebook's name in the command, and
    where the user's records are; published figures, their title and sources; the
    day that the calculator is given; what a notebook says of a parameter or a
    setting of its own, though not the value; why a size did not fit, and which
    sizes were still missing when a remark said so
  - a table, box or chart that was taken out of a cell's output

For a page in a folder the manifest finds all but the first as well, unless it was
computed anew.

A page or a summary from a lab whose wording or drawing has changed since does not
agree with this one: check it with the commit that it names.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			var errs []error
			for _, path := range paths {
				own, err := verify(path)
				if err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", path, err))
					continue
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: agrees with its samples\n", path)
				if len(own) > 0 {
					fmt.Fprintf(cmd.OutOrStdout(), "  not compared, since the notebook's own stands there: %s\n", strings.Join(own, ", "))
				}
			}
			return errors.Join(errs...)
		},
	}
}

// verify checks a folder, a page, or a summary, and returns the cells of which there
// is something that could not be compared.
func verify(path string) (own []string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return verifyFolder(path)
	}
	text, err := readBounded(path)
	if err != nil {
		return nil, err
	}
	switch {
	case isPage(text):
	case filepath.Ext(path) == ".gz": // saved from a page
		_, err := evidence.VerifySummary(text)
		return nil, err
	default:
		return nil, evidence.Verify(path)
	}
	lines, own, err := verifyPage(text)
	if err := altered(lines, err); err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	for _, name := range []string{evidence.SummaryName, evidence.ManifestName} {
		if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			return own, nil // the page was sent by itself
		}
	}
	return verifyFolder(dir)
}

// verifyFolder checks a run's folder: its evidence and manifest, then what its
// pages and its charts show. It returns what verify does.
func verifyFolder(dir string) (own []string, err error) {
	if err := evidence.Verify(dir); err != nil {
		return nil, err
	}
	// From here on every name is one of the manifest's, and a regular file.
	run, err := readEvidence(dir)
	if err != nil {
		return nil, err
	}
	summary, err := readBounded(filepath.Join(dir, evidence.SummaryName))
	if err != nil {
		return nil, err
	}
	pages, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*.html"))
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, path := range pages {
		name := filepath.Base(path)
		if strings.HasPrefix(name, ".") {
			continue
		}
		text, err := readBounded(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files, err := attached(text)
		if errors.Is(err, evidence.ErrNone) { // of a notebook that failed before it had measured
			found, err := verifyWithout(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for _, line := range found {
				lines = append(lines, name+": "+line)
			}
			continue
		}
		if err == nil && !bytes.Equal(files[evidence.SummaryName], summary) {
			lines = append(lines, fmt.Sprintf("%s: it carries another %s than lies beside it", name, evidence.SummaryName))
			continue
		}
		found, mine, err := verifyPage(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		own = append(own, mine...)
		for _, line := range found {
			lines = append(lines, name+": "+line)
		}
	}
	found, err := verifyChartFiles(dir, run)
	return own, altered(append(lines, found...), err)
}

// verifyChartFiles compares the charts of a folder with what its run draws.
// Charts of other names are a notebook's own.
func verifyChartFiles(dir string, run *evidence.Run) (lines []string, err error) {
	charts, err := chartsOf(run)
	if err != nil {
		return nil, err
	}
	check := func(c chart.Chart, err error) error {
		if err != nil {
			return err
		}
		name := filepath.Join(evidence.ChartsName, c.Name+".svg")
		text, err := readBounded(filepath.Join(dir, name))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if place := differentDrawing(elements(string(text), "svg"), elements(string(c.SVG), "svg")); place != "" {
			lines = append(lines, name+": "+place)
		}
		return nil
	}
	seen := map[string]bool{}
	wanted := func(name string) bool { // each name once, and only what is there
		_, err := os.Lstat(filepath.Join(dir, evidence.ChartsName, name+".svg"))
		again := seen[name]
		seen[name] = true
		return err == nil && !again
	}
	for _, c := range charts {
		if wanted(c.Name) {
			err = errors.Join(err, check(c, nil))
		}
	}
	for _, s := range chart.Every(run) {
		if wanted(s.Name) {
			err = errors.Join(err, check(s.Draw()))
		}
	}
	return lines, err
}

// chartsOf lists the charts that a run is known by; what else can be drawn of it is
// looked for by its title.
func chartsOf(run *evidence.Run) ([]chart.Chart, error) {
	charts, err := chart.All(run)
	if errors.Is(err, evidence.ErrNone) { // nothing was measured, so nothing is drawn
		return nil, nil
	}
	return charts, err
}

// altered makes one error of the places that differ.
func altered(lines []string, err error) error {
	if err != nil || len(lines) == 0 {
		return err
	}
	const most = 10
	more := ""
	if left := len(lines) - most; left > 0 {
		lines, more = lines[:most], fmt.Sprintf("\n  and %d more", left)
	}
	return fmt.Errorf("%w:\n  %s%s", evidence.ErrAltered, strings.Join(lines, "\n  "), more)
}

// escapeGlob makes a folder's name stand for itself in a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}
