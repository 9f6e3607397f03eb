package main

import (
	"regexp"

	"shelflab/labkit/notebook"
)

var importLine = regexp.MustCompile(`(?m)^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./\-]+)"\s*$`)

// imports lists the packages that a notebook's cells import. A line that only
// looks like an import inside a text would name a package that does not exist,
// so only paths of this module and of its dependencies count: those with a dot
// or this module's name at the front.
func imports(nb *notebook.Notebook) []string {
	var paths []string
	for _, c := range nb.Cells {
		if c.Kind != notebook.Code {
			continue
		}
		for _, m := range importLine.FindAllStringSubmatch(c.Source, -1) {
			if modulePath.MatchString(m[1]) {
				paths = append(paths, m[1])
			}
		}
	}
	return paths
}

var modulePath = regexp.MustCompile(`^(shelflab/|[\w\-]+\.[\w.\-]+/)`)
