package notebook

import (
	"regexp"
	"strings"
)

// ansiPattern matches the control sequences of ECMA-48 that programs colour
// their text with (CSI), titles and links (OSC), and two-byte escapes.
var ansiPattern = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[@-Z\\\\^_])")

// stripANSI removes terminal control sequences.
func stripANSI(s string) string {
	if !strings.Contains(s, "\x1b") {
		return s
	}
	return ansiPattern.ReplaceAllString(s, "")
}

// settle gives what a terminal shows in the end: a carriage return goes back to
// the start of the line, as progress bars do, and what follows replaces it.
func settle(s string) string {
	if !strings.ContainsAny(s, "\r\b") {
		return s
	}
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, line := range lines {
		if strings.ContainsAny(line, "\r\b") {
			lines[i] = settleLine(line)
		}
	}
	return strings.Join(lines, "\n")
}

func settleLine(line string) string {
	var shown []rune
	at := 0
	for _, r := range line {
		switch r {
		case '\r':
			at = 0
		case '\b':
			at = max(0, at-1)
		default:
			if at < len(shown) {
				shown[at] = r
			} else {
				shown = append(shown, r)
			}
			at++
		}
	}
	return string(shown)
}
