package show

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"golang.org/x/term"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

const (
	redraw = 200 * time.Millisecond // at most five updates a second: a front end draws no faster
	relog  = 10 * time.Second       // where lines stay, in a log
)

// Bar is the progress of one sweep, with the time that is left. It is drawn
// when Step is called and gone after End.
//
// (go-pretty's progress was not taken: it draws from a goroutine of its own, at
// its own pace and on terminals only, while this bar is also a cell's display.)
type Bar struct {
	title  string
	start  time.Duration
	clock  labkit.Clock
	last   time.Duration
	drawn  bool
	output output
}

// output is where a bar is drawn.
type output interface {
	draw(bar line)
	clear()
	every() time.Duration // the least time between two drawings
}

// line is what a bar shows.
type line struct {
	title, text string
	done, total int
}

// Progress begins a bar in the cell or, elsewhere, on standard error: a line
// that is drawn anew on a terminal, and now and then a plain line otherwise.
// Nothing is shown before the first Step.
func Progress(title string) *Bar {
	bar := &Bar{title: title, clock: labkit.Monotonic}
	fd := int(os.Stderr.Fd())
	switch {
	case gonbui.IsNotebook:
		bar.output = &cellOutput{id: "progress-" + gonbui.UniqueId()}
	case term.IsTerminal(fd):
		width, _, err := term.GetSize(fd)
		if err != nil || width < 20 {
			width = 80
		}
		bar.output = terminalOutput{os.Stderr, width}
	default:
		bar.output = logOutput{os.Stderr}
	}
	bar.start = bar.clock()
	return bar
}

// Step shows where the measurement is. It is what evidence.Measure takes as
// progress. Calls that come faster than they can be shown cost nothing; the
// first and the last turn are always shown.
func (b *Bar) Step(p labkit.Progress) {
	now := b.clock()
	if b.drawn && now-b.last < b.output.every() && p.Done < p.Total {
		return
	}
	b.last, b.drawn = now, true
	text := fmt.Sprintf("n = %s, %s, %s", evidence.Count(p.N), roundText(p), p.Arm)
	if left := p.TimeLeft(now - b.start); left > 0 {
		text += ", " + leftText(left)
	}
	b.output.draw(line{b.title, text, p.Done, p.Total})
}

// End takes the bar away. It may be called more than once, and without Step.
func (b *Bar) End() {
	if b.drawn {
		b.output.clear()
		b.drawn = false
	}
}

func roundText(p labkit.Progress) string {
	if p.Round == 0 {
		return "warm-up"
	}
	return fmt.Sprintf("round %d of %d", p.Round, p.Rounds)
}

// leftText rounds to what a guess is worth.
func leftText(left time.Duration) string {
	switch {
	case left < time.Second:
		return "less than 1 s left"
	case left < time.Minute:
		return fmt.Sprintf("about %d s left", int(left.Round(time.Second).Seconds()))
	}
	return fmt.Sprintf("about %d min left", int(left.Round(time.Minute).Minutes()))
}

// cellOutput draws into one display, which stays empty after clear.
type cellOutput struct{ id string }

func (o *cellOutput) draw(l line) {
	gonbui.UpdateHTML(o.id, fmt.Sprintf(`<div style="%smargin:4px 0"><progress value="%d" max="%d" style="width:220px;vertical-align:middle"></progress> <b>%s</b> %s</div>`,
		fontStyle, l.done, max(l.total, 1), escape(l.title), escape(l.text)))
}

func (o *cellOutput) clear() {
	gonbui.UpdateHTML(o.id, "")
	flush()
}

func (o *cellOutput) every() time.Duration { return redraw }

// terminalOutput draws one line of a terminal over and over.
type terminalOutput struct {
	w     io.Writer
	width int
}

func (o terminalOutput) draw(l line) {
	const cells = 20
	full := cells * min(max(l.done, 0), max(l.total, 1)) / max(l.total, 1)
	text := fmt.Sprintf("[%s%s] %s %s", strings.Repeat("=", full), strings.Repeat(" ", cells-full), plain(l.title), plain(l.text))
	if runes := []rune(text); len(runes) >= o.width { // a line that breaks could not be drawn over
		text = string(runes[:o.width-1])
	}
	fmt.Fprintf(o.w, "\r\x1b[K%s", text)
}

func (o terminalOutput) clear() { fmt.Fprint(o.w, "\r\x1b[K") }

func (o terminalOutput) every() time.Duration { return redraw }

// logOutput writes a line now and then.
type logOutput struct{ w io.Writer }

func (o logOutput) draw(l line) {
	fmt.Fprintf(o.w, "%s %s (%d of %d)\n", plain(l.title), plain(l.text), l.done, l.total)
}

func (o logOutput) clear() {}

func (o logOutput) every() time.Duration { return relog }
