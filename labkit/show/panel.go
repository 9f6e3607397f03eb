package show

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/comms"
	"github.com/janpfeifer/gonb/gonbui/dom"
)

// event is what the page says of the panel.
type event struct {
	// Seq counts up in the page: what arrives is not always in order.
	Seq int `json:"seq"`
	// What is "beat" for a sign of life, "leaving" where the page may be gone in a
	// moment, "set" for a control, or a button: "stop", "again", "save", "close".
	What   string `json:"what"`
	Hidden bool   `json:"hidden"` // nobody sees the page: browsers let it sleep
	// Values are those of all controls, by parameter.
	Values map[string]string `json:"values"`
}

// panel is the controls in the page, as one display, and the way back.
//
// GoNB's own widgets were not taken, but its channel is: their Done waits for
// ever where no page answers, Value is written without a lock while it is read,
// events arrive in any order, there are no checkboxes and no labels, and closing
// one of their channels while an event is under way leaves a lock behind.
type panel struct {
	id       string // of the page's elements, of the display and of the channel
	controls []Control
	events   chan event
}

//go:embed panel.js
var panelScript string

// openPanel puts the controls before the reader and begins to listen.
func openPanel(controls []Control, values map[string]string) *panel {
	p := &panel{id: "panel-" + gonbui.UniqueId(), controls: controls, events: make(chan event, 100)}
	// There is no unsubscribing: see above.
	comms.Subscribe(p.address(), func(_ string, text string) {
		var e event
		if json.Unmarshal([]byte(text), &e) != nil {
			return
		}
		select {
		case p.events <- e:
		default: // the page sends faster than this reads: a later one has the values, too
		}
	})
	send(p.id, bundle(raw{p.html(values), p.text(values)}))
	dom.TransientJavascript(strings.NewReplacer("{{id}}", p.id, "{{address}}", p.address()).Replace(panelScript))
	return p
}

func (p *panel) address() string { return "/shelflab/" + p.id }

const buttonStyle = "font:inherit;padding:2px 10px;margin-right:8px"

func (p *panel) html(values map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div id="%s" style="%sbox-sizing:border-box;max-width:860px;margin:8px 0;padding:10px 14px;border:1px solid rgba(128,128,128,.4);border-radius:6px;color:inherit"><div style="display:grid;grid-template-columns:max-content 1fr;gap:6px 12px;align-items:center">`, p.id, fontStyle)
	for _, c := range p.controls {
		b.WriteString(c.html(p.id, values[c.Param]))
	}
	b.WriteString(`</div><div style="margin-top:10px">`)
	for _, button := range []struct{ what, label string }{
		{"stop", "Stop measuring"}, {"again", "Measure again"}, {"save", "Save as evidence"}, {"close", "Close the panel"},
	} {
		fmt.Fprintf(&b, `<button type="button" data-what="%s" style="%s">%s</button>`, button.what, buttonStyle, button.label)
	}
	b.WriteString(`</div></div>`)
	return b.String()
}

func (p *panel) text(values map[string]string) string {
	var b strings.Builder
	for _, c := range p.controls {
		fmt.Fprintf(&b, "%s: %s\n", c.Label, values[c.Param])
	}
	return b.String()
}

// close leaves the values behind, as text, and lets the page know.
func (p *panel) close(values map[string]string, why string) {
	comms.Send(p.address(), "closed")
	send(p.id, bundle(settings(p.controls, values, why)))
	flush()
}

// settings is what the panel is where nobody can move it.
func settings(controls []Control, values map[string]string, why string) box {
	x := box{tone: toneNote, title: "Settings", leads: true, small: why}
	for _, c := range controls {
		value := values[c.Param]
		if value == "" && c.Kind == "checks" {
			value = "all"
		}
		x.lines = append(x.lines, c.Label+": "+value)
	}
	return x
}

// MeasuredOnce are the reasons that stand below the settings of an exploration whose
// controls cannot be moved: then they are those of the plan.
func MeasuredOnce() []string { return []string{whyNoPage, whyNoAnswer} }

// raw is content that is there already.
type raw struct{ asHTML, asText string }

func (r raw) html() string    { return r.asHTML }
func (r raw) text(int) string { return r.asText }
