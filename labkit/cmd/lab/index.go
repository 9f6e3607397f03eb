package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

// indexName is the page in a folder of runs that lists them.
const indexName = "index.html"

//go:embed index.tmpl
var indexSource string

var indexTemplate = template.Must(template.New("index").Parse(indexSource))

func indexCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "index [DIR]",
		Short: "Write a page that lists all evidence in a folder",
		Long: `index writes DIR/index.html: every run in DIR with its plan, time, machine, state
and verdict, and a link to its page; a run that is a part of another one below it.
Every number is computed anew; evidence that
does not agree with its samples, or cannot be read, is listed as broken. Folders
without evidence are passed over. DIR is data in the repository unless it is
given. run and measure write the page too.`,
		Example: "  go tool lab index data/reference",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := ""
			if len(args) > 0 {
				dir = args[0]
			} else {
				root, err := evidence.RepositoryRoot()
				if err != nil {
					return usageError{err}
				}
				dir = filepath.Join(root, "data")
			}
			if err := writeIndex(dir); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), filepath.Join(dir, indexName))
			return nil
		},
	}
}

// writeIndex lists the runs of a folder on a page in it.
func writeIndex(dir string) error {
	list, err := listed(dir)
	if err != nil {
		return err
	}
	var body, page bytes.Buffer
	if err := indexTemplate.Execute(&body, list); err != nil {
		return err
	}
	if err := notebook.Document(&page, "Evidence", body.String()); err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, indexName), page.Bytes(), 0o644)
}

// listing is a run as the index shows it.
type listing struct {
	Name, Page                  string // Page is "" if there is none
	Plan, Measured, Machine, Go string
	Complete                    bool
	Warnings                    string // how many, "" if none
	Verdict                     []string
	Files                       []link
	Fault                       string    // why it is broken, "" if it is not
	Parts                       []listing // the runs that belong to it

	plan labkit.Plan
}

// link leads from the index to a file of a run.
type link struct{ Name, URL string }

// listed reads the runs in the folders of dir, by name. Links to elsewhere are
// not followed.
func listed(dir string) ([]listing, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []listing
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		summary := filepath.Join(dir, e.Name(), evidence.SummaryName)
		info, err := os.Lstat(summary)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		l := listing{Name: e.Name()}
		for _, name := range []string{e.Name() + ".html", evidence.SummaryName, evidence.BenchName, e.Name() + ".ipynb"} {
			if file, err := os.Lstat(filepath.Join(dir, e.Name(), name)); err == nil && file.Mode().IsRegular() {
				l.Files = append(l.Files, link{name, "./" + url.PathEscape(e.Name()) + "/" + url.PathEscape(name)})
			}
		}
		if len(l.Files) > 0 && l.Files[0].Name == e.Name()+".html" {
			l.Page = l.Files[0].URL
		}
		switch {
		case err != nil:
			l.Fault = "It cannot be read."
		case !info.Mode().IsRegular():
			l.Fault = evidence.SummaryName + " is no file."
		default:
			l.read(summary)
		}
		list = append(list, l)
	}
	return gathered(list), nil
}

// gathered puts the parts of runs below them: each below the one whose name says
// most of its own. What is broken stays where it is, since its plan is not known.
func gathered(list []listing) (wholes []listing) {
	parts := map[string][]listing{} // by the whole's name
	for _, l := range list {
		whole := ""
		for _, o := range list {
			if l.Fault == "" && o.Fault == "" && evidence.PartOf(l.plan, o.plan) && len(o.Name) > len(whole) {
				whole = o.Name
			}
		}
		if whole == "" {
			wholes = append(wholes, l)
			continue
		}
		parts[whole] = append(parts[whole], l)
	}
	var below func(l listing) listing
	below = func(l listing) listing {
		for _, part := range parts[l.Name] { // whose names are longer: this ends
			l.Parts = append(l.Parts, below(part))
		}
		return l
	}
	for i, l := range wholes {
		wholes[i] = below(l)
	}
	return wholes
}

// read fills in what the run says, or why it cannot be shown.
func (l *listing) read(summary string) {
	text, err := readBounded(summary)
	if err != nil {
		l.Fault = "It cannot be read." // the error names this machine's folders
		return
	}
	run, err := evidence.VerifySummary(text)
	if err != nil {
		l.Fault = strings.Join(strings.Fields(err.Error()), " ")
		return
	}
	l.plan = run.Plan
	l.Plan, l.Measured, l.Complete, l.Verdict = run.Plan.String(), measured(run), run.Complete, run.Verdict
	l.Machine, l.Go = machine(run), toolchain(run.Environment)
	switch n := len(run.Warnings); n {
	case 0:
	case 1:
		l.Warnings = "1 warning"
	default:
		l.Warnings = evidence.Count(n) + " warnings"
	}
}
