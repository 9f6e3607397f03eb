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

// wrap breaks text at spaces into lines of at most width cells where its words
// allow. A number stays with its percent sign. Line breaks stay.
func wrap(s string, width int) string {
	var out []string
	for paragraph := range strings.SplitSeq(s, "\n") {
		line := ""
		for word := range strings.FieldsSeq(strings.ReplaceAll(paragraph, " %", glue+"%")) {
			longer := word
			if line != "" {
				longer = line + " " + word
				if text.StringWidthWithoutEscSequences(longer) > width {
					out = append(out, line)
					longer = word
				}
			}
			line = longer
		}
		out = append(out, line)
	}
	return strings.ReplaceAll(strings.Join(out, "\n"), glue, " ")
}

// glue stands for a space where no line may break; plain leaves none in a text.
const glue = "\x1f"
