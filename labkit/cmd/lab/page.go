package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"

	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

//go:embed header.tmpl
var headerSource string

var headerTemplate = template.Must(template.New("header").Funcs(template.FuncMap{
	"quantity": evidence.Quantity,
	"float":    func(n int64) float64 { return float64(n) },
}).Parse(headerSource))

// writePage writes the executed notebook as one HTML page: the notebook, headed
// by what was measured where and how to repeat it, with the run's evidence
// attached. A nil run has a page without it.
func writePage(nb *notebook.Notebook, run *evidence.Run, dir, name, command string) error {
	page := notebook.Page{}
	if run != nil {
		for _, file := range []string{evidence.SummaryName, evidence.BenchName} {
			data, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				return err
			}
			page.Attachments = append(page.Attachments, notebook.Attachment{Name: file, Data: data})
		}
	}
	var header strings.Builder
	err := headerTemplate.Execute(&header, struct {
		Command string
		Run     *evidence.Run
	}{command, run})
	if err != nil {
		return err
	}
	page.Header = header.String()
	var html bytes.Buffer
	if err := nb.HTML(&html, page); err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, name+".html"), html.Bytes(), 0o644)
}
