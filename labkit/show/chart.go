package show

import (
	"fmt"
	"html"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Chart displays a chart as one bundle from which each front end takes what it
// can show: HTML with the SVG in it (JupyterLab, exports), a PNG (GitHub and
// notebooks that are not trusted), the alternative text. svg is an element
// without prolog, as package chart makes it, and is put into the page as it is.
// Without bytes the text stands alone; in a terminal it always does.
func Chart(title, alt string, svg, png []byte) {
	if !gonbui.IsNotebook {
		box{title: title, lines: []string{alt}}.show()
		return
	}
	send("", chartBundle(title, alt, svg, png))
	flush()
}

func chartBundle(title, alt string, svg, png []byte) map[protocol.MIMEType]any {
	data := map[protocol.MIMEType]any{protocol.MIMETextPlain: fmt.Sprintf("%s\n%s", title, alt)}
	if len(svg) > 0 {
		data[protocol.MIMETextHTML] = `<div style="max-width:860px;margin:8px 0">` + string(svg) + `</div>`
	}
	if len(png) > 0 {
		data[protocol.MIMEImagePNG] = png
	}
	if len(svg) == 0 && len(png) == 0 {
		data[protocol.MIMETextHTML] = `<p>` + html.EscapeString(title) + `: ` + html.EscapeString(alt) + `</p>`
	}
	return data
}
