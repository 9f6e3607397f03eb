package show

import (
	"github.com/janpfeifer/gonb/gonbui"

	"shelflab/labkit/evidence"
)

// Live is where Explore's drawing goes: each chart, table and verdict takes the
// place of what stood there after the last drawing.
type Live struct {
	// Dir is the folder of the run that is drawn; charts are saved there, so that
	// they become evidence with it.
	Dir string

	id    string // of the displays; "" displays each anew
	place int    // of the next one
	most  int    // places that were filled before
}

// Chart displays a chart as the function Chart does.
func (l *Live) Chart(title, alt string, svg, png []byte) {
	id := l.next()
	if id == "" {
		Chart(title, alt, svg, png)
		return
	}
	sendChart(id, title, alt, svg, png)
}

// Show displays a table.
func (l *Live) Show(t Table) { l.show(t) }

// Verdict displays what the run says so far.
func (l *Live) Verdict(run *evidence.Run) { l.show(verdictOf(run)) }

func (l *Live) show(c content) {
	id := l.next()
	if id == "" {
		display(c)
		return
	}
	send(id, bundle(c))
}

// next names the display of the next content.
func (l *Live) next() string {
	if l.id == "" {
		return ""
	}
	l.place++
	return l.name(l.place)
}

func (l *Live) name(place int) string { return l.id + "-" + string(rune('a'+place%26)) }

// begin starts a new drawing; end takes away what it did not fill.
func (l *Live) begin() { l.place = 0 }

func (l *Live) end() {
	if l.id == "" {
		return
	}
	for i := l.place + 1; i <= l.most; i++ {
		gonbui.UpdateHTML(l.name(i), "")
	}
	l.most = max(l.most, l.place)
	flush()
}
