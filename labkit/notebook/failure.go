package notebook

import (
	"regexp"
	"strings"
)

// failureMessage says in plain text why a cell failed, from the outputs that
// GoNB leaves. It reports the compiler's messages in the error's traceback, a
// line a message; a program that dies reports only its exit status there, and
// the reason is at the end of what it wrote to stderr.
func failureMessage(outputs []*Output) string {
	var stderr strings.Builder
	var last *Output
	for _, o := range outputs {
		switch {
		case o.Type == Stream && o.Name == "stderr":
			stderr.WriteString(o.Text)
		case o.Type == Error:
			last = o
		}
	}
	status := strings.TrimSpace(stripANSI(last.EValue))
	if !exitStatus.MatchString(status) {
		return compilerMessage(last)
	}
	if why := lastWordsOf(stripANSI(stderr.String())); why != "" {
		return why + " (" + status + ")"
	}
	return status
}

var (
	exitStatus = regexp.MustCompile(`^(exit status \d+|signal: .+)$`)
	cellMark   = regexp.MustCompile(`\[\[ (Cell (?:\[\d+\] )?Line \d+) \]\]`)
	// A compiler's position in the file that GoNB makes of the cells: of no use
	// to the reader, who has the cell's line.
	filePosition = regexp.MustCompile(`^\S*main(_test)?\.go:\d+(:\d+)?: `)
)

// compilerMessage reads a traceback of GoNB: for each message the place in the
// cell, lines of context, and the message itself at the end.
func compilerMessage(o *Output) string {
	var messages []string
	for _, entry := range o.Traceback {
		lines := strings.Split(strings.TrimSpace(stripANSI(entry)), "\n")
		text := filePosition.ReplaceAllString(strings.TrimSpace(lines[len(lines)-1]), "")
		if text == "" || strings.HasPrefix(text, "# ") || exitStatus.MatchString(text) {
			continue
		}
		if len(lines) > 1 && strings.HasPrefix(lines[0], "Cell") {
			text = lines[0] + ": " + text
		}
		messages = append(messages, text)
	}
	if len(messages) == 0 {
		return strings.TrimSpace(stripANSI(o.EValue))
	}
	return strings.Join(messages, "\n")
}

// lastWordsOf finds why a program died: the panic or fatal error with the first
// line of a cell that its trace names, else the last lines that it printed.
func lastWordsOf(stderr string) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if !strings.HasPrefix(lines[i], "panic: ") && !strings.HasPrefix(lines[i], "fatal error: ") {
			continue
		}
		text := lines[i]
		for _, l := range lines[i:] {
			if m := cellMark.FindStringSubmatch(l); m != nil {
				return text + ", at " + m[1]
			}
		}
		return text
	}
	var tail []string
	for i := len(lines) - 1; i >= 0 && len(tail) < 5; i-- {
		l := strings.TrimSpace(lines[i])
		if l != "" && l != "^C" && !exitStatus.MatchString(l) {
			tail = append([]string{l}, tail...)
		}
	}
	return strings.Join(tail, "\n")
}
