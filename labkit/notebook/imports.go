package notebook

import (
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Imports returns the import paths that the code cells name, sorted, each once.
// A cell that does not parse gives what can be made out; its own execution will
// say what is wrong with it.
func (nb *Notebook) Imports() []string {
	var paths []string
	for _, c := range nb.Cells {
		if c.Kind != Code || strings.HasPrefix(c.Source, "%%bash") || strings.HasPrefix(c.Source, "%%sh") {
			continue
		}
		var src strings.Builder
		src.WriteString("package p\n")
		for line := range strings.Lines(c.Source) {
			if isMagic(line) {
				line = "\n"
			}
			src.WriteString(line)
		}
		file, _ := parser.ParseFile(token.NewFileSet(), "", src.String(), parser.ImportsOnly)
		if file == nil {
			continue
		}
		for _, imp := range file.Imports {
			if path, err := strconv.Unquote(imp.Path.Value); err == nil && path != "C" {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// isMagic says that GoNB takes the line as a command of its own or of the
// shell; it does so wherever the line stands.
func isMagic(line string) bool {
	return strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!")
}
