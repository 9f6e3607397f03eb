package show

import (
	"html"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"
)

// textWidth is how wide text runs that is not written to a terminal.
const textWidth = 100

// widthOf is how wide text should be that is written to w: a terminal's width,
// within reason, and textWidth for anything else.
func widthOf(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return textWidth
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return textWidth
	}
	return min(max(width, 60), 140)
}

// plain makes text from outside safe to print: control characters other than a
// line break, which could move a terminal's cursor, and those that turn the
// direction of what follows become spaces.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
}

// escape makes text from outside safe to stand in HTML, in an element or in an
// attribute.
func escape(s string) string { return html.EscapeString(plain(s)) }

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
				if text.StringWidthWithoutEscSequences(strings.ReplaceAll(longer, glue, " ")) > width {
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
