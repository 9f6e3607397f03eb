package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

func runCommand() *cobra.Command {
	var pairs []string
	var out string
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "run [NOTEBOOK...]",
		Short: "Run notebooks without Jupyter and leave their evidence",
		Long: `run executes notebooks cell by cell in a GoNB kernel that it builds from go.mod,
and leaves in DIR/<notebook>: the executed notebook, one HTML page that needs no
network, the evidence (summary.json, bench.txt, charts), a manifest, and the
stores for a look; DIR/index.html lists all runs in DIR. A NOTEBOOK is a name or number in the notebooks folder, or a
path; none means all of them. Nothing outside the user's cache folder and DIR is
touched.

A cell that fails stops its notebook. What came before it is saved, the cell and
its error are named, and the exit code is 1.`,
		Example: "  go tool lab run\n  go tool lab run 01 -p n=300,900 -p rounds=3 --out /tmp/lab\n" +
			"  go tool lab run 01 -p records=my.jsonl -p key=id",
		RunE: func(cmd *cobra.Command, typed []string) error {
			values, err := params(pairs)
			if err != nil {
				return err
			}
			return runNotebooks(cmd, typed, values, out, limit)
		},
	}
	cmd.Flags().StringArrayVarP(&pairs, "param", "p", nil, "change a parameter of the notebook, as `name=value`; may be repeated")
	cmd.Flags().StringVar(&out, "out", "", "`folder` for what the run leaves (default: data in the repository)")
	cmd.Flags().DurationVar(&limit, "cell-limit", 0, "longest `time` that one cell may take, such as 5m (default: none)")
	return cmd
}

// fromNotebook gives the path of the user's own records, which was typed in this
// folder, from a notebook's: that is where it runs. It is not made absolute, since
// the plan keeps it: evidence is handed on, and names no home of a user.
func fromNotebook(path, dir string) (string, error) {
	if path = strings.TrimSpace(path); path == "" || filepath.IsAbs(path) {
		return path, nil
	}
	here, err1 := filepath.Abs(path)
	there, err2 := filepath.EvalSymlinks(dir) // a way up from a link ends elsewhere
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(here))
	if err != nil {
		return "", err
	}
	return filepath.Rel(there, filepath.Join(folder, filepath.Base(here)))
}

// job is one notebook to run.
type job struct {
	path   string
	name   string // of the run, and so of its folder
	nb     *notebook.Notebook
	given  map[string]string // parameters, as typed
	values map[string]string // what the parameter cell gets
}

// runNotebooks checks everything that can be checked, then builds the kernel,
// then runs the notebooks. All run, even if one fails; their errors are joined.
func runNotebooks(cmd *cobra.Command, typed []string, values map[string]string, out string, limit time.Duration) error {
	root, paths, err := named(typed)
	if err != nil {
		return err
	}
	var jobs []job
	var packages []string
	for _, path := range paths {
		nb, err := notebook.Read(path)
		if err != nil {
			return usageError{err}
		}
		j := job{path: path, name: runName(path), nb: nb, given: values}
		if j.values, err = checkParams(nb, j.name, values); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		if name := j.values["name"]; name != "" {
			j.name = name
		}
		if typed := values["records"]; typed != "" {
			j.values = maps.Clone(j.values)
			if j.values["records"], err = fromNotebook(typed, filepath.Dir(path)); err != nil {
				return err
			}
		}
		jobs = append(jobs, j)
		packages = append(packages, nb.Imports()...)
	}
	if values["name"] != "" && len(jobs) > 1 {
		return usageError{fmt.Errorf("-p name=%s would put %d notebooks into one folder: give one notebook", values["name"], len(jobs))}
	}
	if out, err = outFolder(out); err != nil {
		return err
	}
	cache, err := cacheFolder()
	if err != nil {
		return err
	}

	status := newStatus(cmd.ErrOrStderr())
	slices.Sort(packages)
	kernel, err := notebook.Setup(cmd.Context(), root, cache, slices.Compact(packages), status.show)
	status.clear()
	if err != nil {
		return leaving(err, "no notebook was started; the next run sets up what is missing")
	}
	var errs []error
	for _, j := range jobs {
		err := j.run(cmd, kernel, out, limit, status)
		if isInterrupt(err) {
			return errors.Join(err, writeIndex(out))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", j.name, err))
		}
	}
	return errors.Join(append(errs, writeIndex(out))...)
}

// run executes one notebook and saves what it leaves, whether it fails or not.
func (j job) run(cmd *cobra.Command, kernel *notebook.Kernel, out string, limit time.Duration, status *status) error {
	dir := filepath.Join(out, j.name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	params, err := json.Marshal(j.values)
	if err != nil {
		return err
	}
	started := time.Now()
	done, runErr := notebook.Run(cmd.Context(), kernel, j.nb, notebook.Options{
		Dir:       filepath.Dir(j.path),
		Env:       []string{evidence.OutVariable + "=" + out, labkit.ParamsVariable + "=" + string(params)},
		CellLimit: limit,
		OnCell: func(i, n int, title string) {
			status.show(fmt.Sprintf("%s: cell %d of %d: %s", j.name, i, n, title))
		},
	})
	status.clear()
	if done == nil {
		return runErr
	}
	page := func() error {
		return writePage(done, dir, j.name, reproduce(strings.TrimSuffix(filepath.Base(j.path), ".ipynb"), j.given), started, runErr != nil)
	}
	if err := j.save(done, dir, page); err != nil {
		return errors.Join(runErr, err)
	}
	if isInterrupt(runErr) {
		return leaving(runErr, "%s", j.left(dir))
	}
	if runErr != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "what came before the failing cell: %s\n", filepath.Join(dir, j.name+".html"))
		return runErr
	}
	return j.report(cmd, dir)
}

// left says what an interrupted run leaves in its folder. It may have ended
// before it measured: the evidence there is then an earlier run's.
func (j job) left(dir string) string {
	left := "what its cells showed is in " + filepath.Join(dir, j.name+".html")
	if run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName)); err == nil && !run.Complete {
		left += "; what was measured is kept and marked incomplete"
	}
	return left
}

// save writes the executed notebook, its page and, when both are there, the
// manifest, and that of each part of its run.
func (j job) save(done *notebook.Notebook, dir string, page func() error) error {
	if err := done.Write(filepath.Join(dir, j.name+".ipynb")); err != nil {
		return err
	}
	if err := page(); err != nil {
		return err
	}
	err := evidence.WriteManifest(dir)
	if errors.Is(err, evidence.ErrNone) { // a notebook that has measured nothing
		return nil
	}
	if err != nil {
		return err
	}
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	if errors.Is(err, evidence.ErrFormat) { // the page says so
		return nil
	} else if err != nil {
		return err
	}
	for _, part := range evidence.Parts(filepath.Dir(dir), run.Plan) {
		err = errors.Join(err, evidence.WriteManifest(filepath.Join(filepath.Dir(dir), part.Plan.Name)))
	}
	return err
}

// report prints the verdict and where everything is.
func (j job) report(cmd *cobra.Command, dir string) error {
	w := cmd.OutOrStdout()
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	switch {
	case errors.Is(err, os.ErrNotExist): // a notebook that measures nothing
	case err != nil:
		return err
	default:
		for _, run := range slices.Concat([]*evidence.Run{run}, evidence.Parts(filepath.Dir(dir), run.Plan)) {
			fmt.Fprintf(w, "%s\n", run.Plan)
			for _, line := range run.Verdict {
				fmt.Fprintf(w, "  %s\n", line)
			}
		}
	}
	fmt.Fprintf(w, "Page:     %s\nEvidence: %s\n", filepath.Join(dir, j.name+".html"), dir)
	return nil
}

// reproduce is the command that repeats a run, for a shell.
func reproduce(name string, values map[string]string) string {
	var b strings.Builder
	b.WriteString("go tool lab run " + quoted(name))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		b.WriteString(" -p " + quoted(key+"="+values[key]))
	}
	return b.String()
}

// quoted is a word of a shell command.
func quoted(word string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.,=/+:", r)
	}
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
