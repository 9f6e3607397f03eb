package notebook

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// failureMessage says in plain text why the number-th cell failed, from the
// outputs that GoNB leaves. It reports the compiler's messages in the error's
// traceback, an entry a message; of a program that dies it reports only the
// exit status there, and the reason is at the end of what it printed.
func failureMessage(number int, outputs []*Output, l locator) string {
	var stdout, stderr strings.Builder
	failure := &Output{}
	for _, o := range outputs {
		switch {
		case o.Type == Stream && o.Name == "stderr":
			stderr.WriteString(o.Text)
		case o.Type == Stream:
			stdout.WriteString(o.Text)
		case o.Type == Error:
			failure = o
		}
	}
	status := strings.TrimSpace(stripANSI(failure.EValue))
	if !exitStatus.MatchString(status) {
		return compilerMessage(number, failure)
	}
	why := lastWordsOf(stripANSI(stderr.String()), l)
	if why == "" {
		why = lastWordsOf(stripANSI(stdout.String()), l) // where a failed test reports
	}
	if why == "" {
		return status
	}
	return why + " (" + status + ")"
}

var (
	exitStatus = regexp.MustCompile(`^(exit status \d+|signal: .+)$`)
	// How GoNB names a line of a cell in a traceback.
	tracebackPlace = regexp.MustCompile(`^Cell(?:\[(\d+)\]:)? Line (\d+)$`)
	// A compiler's position in the file that GoNB makes of the cells: of no use
	// to the reader, who has the cell's line.
	filePosition = regexp.MustCompile(`^\S*main(_test)?\.go:\d+(:\d+)?: `)
)

// compilerMessage reads a traceback of GoNB: for each message the place in the
// cell, lines of context, and the message itself at the end.
func compilerMessage(number int, o *Output) string {
	if len(o.Traceback) == 1 && o.Traceback[0] == o.EValue { // no compiler's
		return strings.TrimSpace(stripANSI(o.EValue))
	}
	var messages []string
	for _, entry := range o.Traceback {
		lines := strings.Split(strings.TrimSpace(stripANSI(entry)), "\n")
		text := filePosition.ReplaceAllString(strings.TrimSpace(lines[len(lines)-1]), "")
		if text == "" || strings.HasPrefix(text, "# ") || exitStatus.MatchString(text) {
			continue
		}
		if m := tracebackPlace.FindStringSubmatch(lines[0]); m != nil {
			where := "line " + m[2]
			if m[1] != "" && m[1] != strconv.Itoa(number) {
				where = fmt.Sprintf("cell [%s] line %s", m[1], m[2])
			}
			text = where + ": " + text
		}
		messages = append(messages, text)
	}
	if len(messages) == 0 {
		return strings.TrimSpace(stripANSI(o.EValue))
	}
	return strings.Join(messages, "\n")
}

// lastWordsOf finds why a program died: the panic or fatal error with the first
// line of a cell in its trace, else the last lines that it printed.
func lastWordsOf(printed string, l locator) string {
	lines := strings.Split(strings.TrimSpace(printed), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if !strings.HasPrefix(lines[i], "panic: ") && !strings.HasPrefix(lines[i], "fatal error: ") {
			continue
		}
		if where := l.place(lines[i:]); where != "" {
			return where + ": " + lines[i]
		}
		return lines[i]
	}
	const most = 5
	var tail []string
	for i := len(lines) - 1; i >= 0 && len(tail) < most; i-- {
		line := strings.TrimSpace(lines[i])
		if line != "" && line != "^C" && !exitStatus.MatchString(line) {
			tail = append([]string{line}, tail...)
		}
	}
	return strings.Join(tail, "\n")
}
