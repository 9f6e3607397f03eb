package show

import (
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/text"
)

// textWidth is how wide sentences run in a terminal.
const textWidth = 100

// plain makes text from outside safe for a terminal: control characters other
// than a line break, which could move the cursor or hide text, become spaces.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
}

// wrap breaks text at spaces into lines of at most width cells.
func wrap(s string, width int) string {
	return text.WrapSoft(s, width)
}
