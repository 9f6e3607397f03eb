package notebook

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// locator finds the line of a cell that a stack trace means. GoNB puts all
// cells into one program, and its own marks in a trace cannot be relied on: it
// looks for them in pieces of the output, as they come.
type locator struct {
	programs map[string][]string // lines of main.go and main_test.go
	cells    []*Cell             // executed so far; the last one is running
}

// locator reads the program of the cell that has just run.
func (s *Session) locator(cells []*Cell) locator {
	l := locator{programs: map[string][]string{}, cells: cells}
	files, _ := filepath.Glob(filepath.Join(s.proc.tmp, tmpName, "gonb_*", "main*.go"))
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			l.programs[filepath.Base(file)] = strings.Split(string(data), "\n")
		}
	}
	return l
}

// frame matches a line of a stack trace within the program.
var frame = regexp.MustCompile(`gonb_[^/]+/(main(?:_test)?\.go):(\d+)`)

// place names the first line of a cell in the trace; empty when there is none.
func (l locator) place(trace []string) string {
	for _, line := range trace {
		m := frame.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		if cell, at := l.find(l.programs[m[1]], n-1); at > 0 {
			if cell == len(l.cells) {
				return fmt.Sprintf("line %d", at)
			}
			return fmt.Sprintf("cell [%d] line %d", cell, at)
		}
	}
	return ""
}

// find looks for the program's line i in the cells, and returns the number of
// the cell and the line in it, both from 1. Cells stand in the program as they
// were written, so of equal lines the one with the most equal neighbours is it,
// and of these the one in the latest cell.
func (l locator) find(program []string, i int) (cell, line int) {
	best := 0
	for c := len(l.cells) - 1; c >= 0; c-- {
		source := strings.Split(l.cells[c].Source, "\n")
		for j := range source {
			if n := equalAround(program, i, source, j); n > best {
				best, cell, line = n, c+1, j+1
			}
		}
	}
	return cell, line
}

// equalAround counts the lines around a[i] and b[j], themselves included, that
// are the same without a gap. Empty lines say nothing.
func equalAround(a []string, i int, b []string, j int) int {
	same := func(i, j int) bool {
		return i >= 0 && j >= 0 && i < len(a) && j < len(b) && strings.TrimSpace(a[i]) == strings.TrimSpace(b[j])
	}
	if !same(i, j) || strings.TrimSpace(b[j]) == "" {
		return 0
	}
	n := 1
	for k := 1; same(i-k, j-k); k++ {
		n++
	}
	for k := 1; same(i+k, j+k); k++ {
		n++
	}
	return n
}
