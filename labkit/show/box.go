package show

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
)

// tone is what a box is about; it gives the colour of its edge.
type tone string

const (
	toneNote    tone = "#0969da"
	toneWaiting tone = "#8c959f"
	toneGood    tone = "#1a7f37"
	toneWarn    tone = "#bf8700"
	toneFail    tone = "#cf222e"
)

// box is a few lines that stand out.
type box struct {
	tone     tone
	title    string
	claims   Table    // shown in HTML, before all else, if it has rows
	table    Table    // likewise, before the lines
	lines    []string // a line may hold line breaks
	folded   bool     // below a table the lines are folded away until they are asked for
	leads    bool     // what stands before a line's first colon is set bold
	warnings []string
	small    string // below, smaller
	parts    []box  // below that, each under its title, without an edge of its own
}

// html returns the box as one element: a coloured edge and a translucent
// ground, text in the page's own colour.
func (x box) html() string {
	var b strings.Builder
	b.WriteString(`<div style="` + fontStyle + `box-sizing:border-box;max-width:860px;margin:8px 0;padding:8px 14px;border-left:4px solid ` + string(x.tone) + `;background:rgba(128,128,128,.1);border-radius:0 6px 6px 0;color:inherit">`)
	x.write(&b)
	b.WriteString(`</div>`)
	return b.String()
}

// write writes what stands in the box.
func (x box) write(b *strings.Builder) {
	if x.title != "" {
		b.WriteString(`<div style="font-weight:600;font-size:14px">` + escape(x.title) + `</div>`)
	}
	if len(x.claims.Rows) > 0 {
		b.WriteString(x.claims.html())
	}
	if len(x.table.Rows) > 0 {
		open := " open"
		if x.folded {
			open = ""
		}
		b.WriteString(x.table.html() + `<details` + open + ` style="font-size:12px;opacity:.9"><summary style="cursor:pointer">in sentences</summary>`)
	}
	for _, line := range x.lines {
		b.WriteString(`<div style="margin-top:3px;white-space:pre-wrap;overflow-wrap:anywhere">` + x.line(line) + `</div>`)
	}
	if len(x.table.Rows) > 0 {
		b.WriteString(`</details>`)
	}
	for _, line := range x.warnings {
		b.WriteString(`<div style="margin-top:6px">` + escape(line) + `</div>`)
	}
	if x.small != "" {
		b.WriteString(`<div style="margin-top:6px;font-size:12px;opacity:.75">` + escape(x.small) + `</div>`)
	}
	for _, part := range x.parts {
		b.WriteString(`<div style="margin-top:10px;padding-top:8px;border-top:1px solid rgba(128,128,128,.28)">`)
		part.write(b)
		b.WriteString(`</div>`)
	}
}

func (x box) line(line string) string {
	if lead, rest, ok := strings.Cut(line, ": "); x.leads && ok {
		return `<b style="font-weight:600">` + escape(lead) + `:</b> ` + escape(rest)
	}
	return escape(line)
}

func (x box) text(width int) string {
	var b strings.Builder
	indent := ""
	if x.title != "" {
		b.WriteString(plain(x.title) + "\n")
		indent = "  "
	}
	lines := slices.Concat(x.lines, x.warnings)
	if x.small != "" {
		lines = append(lines, x.small)
	}
	for _, line := range lines {
		for part := range strings.SplitSeq(wrap(plain(line), width-len(indent)), "\n") {
			b.WriteString(indent + part + "\n")
		}
	}
	for _, part := range x.parts {
		for line := range strings.Lines(part.text(width - len(indent))) {
			b.WriteString(indent + line)
		}
	}
	return b.String()
}

func (x box) show() { display(x) }

// Note displays one remark, formatted as by fmt.Sprintf.
func Note(format string, args ...any) {
	box{tone: toneNote, lines: []string{fmt.Sprintf(format, args...)}}.show()
}

// Fail displays the error and ends the program with exit code 1, without a
// stack trace. A nil error does nothing, so that it can stand after any call.
// In a cell the error also goes to standard error, on one line: that is what
// whoever runs notebooks names as the cell's error. In a terminal it goes there
// as it is. Below the error of a file that is not there, which is what a cell
// meets that was run before the one that makes it, stands what to do.
func Fail(err error) { fail("This cell stopped", err) }

// exit is replaced by tests.
var exit = os.Exit

func fail(title string, err error) {
	if err == nil {
		return
	}
	x := box{tone: toneFail, title: title, lines: []string{err.Error()}}
	if gonbui.IsNotebook && errors.Is(err, fs.ErrNotExist) { // what an earlier cell was to leave
		x.lines = append(x.lines, "If another cell makes it, run that one first.")
	}
	if gonbui.IsNotebook {
		x.show()
		fmt.Fprintln(os.Stderr, strings.Join(strings.Fields(plain(err.Error())), " "))
	} else {
		fmt.Fprint(os.Stderr, x.text(widthOf(os.Stderr)))
	}
	exit(1)
}
