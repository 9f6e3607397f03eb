package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"shelflab/labkit/evidence"
	"shelflab/labkit/show"
)

//go:embed header.tmpl
var headerSource string

var headerTemplate = template.Must(template.New("header").Parse(headerSource))

// What a page says of itself when not all is as it should be.
const (
	noteNone       = "Nothing was measured, so this page carries no evidence."
	noteFailed     = "The notebook stopped at a failing cell. What it had measured until then is shown."
	noteEarlier    = "The notebook stopped before it had measured anything. What lies in its folder was measured earlier and is not shown."
	noteUnreadable = "The evidence in the notebook's folder cannot be read, so this page carries none."
	noteUnfit      = "The evidence in the data folder is not what this notebook shows, so this page carries none."
	noteErrors     = "A cell of the notebook failed when it was run; its error stands below it."
	noteOrder      = "Not all cells were run once in their order, so an output may not follow from the cells above it."
)

var notes = []string{"", noteNone, noteFailed, noteEarlier, noteUnreadable, noteUnfit, noteErrors, noteOrder}

// header is the head of a page: the verdict at one look, how to repeat the run, its
// plan and its environment, and, folded, the verdict of each of its parts. A nil
// run has no verdict.
func header(run *evidence.Run, parts []*evidence.Run, command, note string) (string, error) {
	view := struct {
		Verdict, Parts        template.HTML
		Command, Note         string
		Run                   *evidence.Run
		Measured, Machine, Go string
	}{Command: command, Note: note, Run: run}
	if run != nil {
		view.Verdict, view.Parts = template.HTML(show.Head(run, parts...)), template.HTML(show.HeadParts(run, parts...))
		view.Measured = measured(run)
		view.Machine, view.Go = machine(run), toolchain(run.Environment)
	}
	var b strings.Builder
	err := headerTemplate.Execute(&b, view)
	return b.String(), err
}

// measured is the time from the first to the last sample.
func measured(run *evidence.Run) string {
	const day, minute = "2006-01-02", "15:04:05"
	from, to := run.Started.UTC(), run.Updated.UTC()
	end := minute
	if from.Format(day) != to.Format(day) {
		end = day + " " + minute
	}
	return fmt.Sprintf("%s to %s UTC", from.Format(day+" "+minute), to.Format(end))
}

// machine names the hardware and the system of a run, as far as it is known.
func machine(run *evidence.Run) string {
	e := run.Environment
	return known(
		e.CPU,
		unless(e.CPUs == 0, "%s cores", evidence.Count(e.CPUs)),
		unless(e.Memory == 0, "%s of memory", evidence.Quantity(float64(e.Memory), "B")),
		unless(e.Virtual != evidence.Yes, "%s", "a virtual machine"),
		strings.TrimSpace(e.OS+"/"+e.Arch+" "+e.Kernel),
		strings.TrimSpace(e.FileSystem+" "+unless(e.Device.Name == "", "on %s", strings.TrimSpace(e.Device.Name+" "+e.Device.Model))),
		fmt.Sprintf("load %s before", evidence.Factor(e.LoadBefore))+unless(e.LoadAfter == 0, " and %s after", evidence.Factor(e.LoadAfter)),
		run.Others(),
	)
}

// toolchain names the Go version, its settings and the commit of a run.
func toolchain(e evidence.Environment) string {
	const short = 12 // hexadecimal digits of a commit
	commit := e.Commit[:min(short, len(e.Commit))]
	if e.Dirty {
		commit += " with changes"
	}
	return known(
		e.Go,
		unless(e.GOMAXPROCS == 0, "GOMAXPROCS %s", evidence.Count(e.GOMAXPROCS)),
		unless(e.GOGC == "", "GOGC %s", e.GOGC),
		unless(e.GOMEMLIMIT == "", "GOMEMLIMIT %s", e.GOMEMLIMIT),
		unless(e.Commit == "", "commit %s", commit),
	)
}

func unless(unknown bool, format, value string) string {
	if unknown {
		return ""
	}
	return fmt.Sprintf(format, value)
}

// known joins what is not empty.
func known(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), ", ")
}
