package show

import (
	"encoding/binary"
	"fmt"

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
	sendChart("", title, alt, svg, png)
	flush()
}

// sendChart gives a chart to the kernel, into the display with the id if it has
// one.
func sendChart(id, title, alt string, svg, png []byte) {
	gonbui.SendData(&protocol.DisplayData{
		Data: chartBundle(title, alt, svg, png), DisplayID: id,
		// Of a registered type: another one would break the kernel's pipe.
		Metadata: map[string]any{string(protocol.MIMEImagePNG): map[string]int{"width": shownWidth(png)}},
	})
}

// chartWidth is how wide charts are at most, in pixels of the page.
const chartWidth = 860

// shownWidth is how wide a front end should show the PNG: charts have two
// pixels for each of the page's, which would fill the screen.
func shownWidth(png []byte) int {
	const signature, widthAt = "\x89PNG\r\n\x1a\n", 16
	if len(png) < widthAt+4 || string(png[:len(signature)]) != signature {
		return chartWidth
	}
	return min(chartWidth, int(binary.BigEndian.Uint32(png[widthAt:])))
}

func chartBundle(title, alt string, svg, png []byte) map[protocol.MIMEType]any {
	data := map[protocol.MIMEType]any{protocol.MIMETextPlain: fmt.Sprintf("%s\n%s", title, alt)}
	if len(svg) > 0 {
		data[protocol.MIMETextHTML] = fmt.Sprintf(`<div style="max-width:%dpx;margin:8px 0">%s</div>`, chartWidth, svg)
	}
	if len(png) > 0 {
		data[protocol.MIMEImagePNG] = png
	}
	if len(svg) == 0 && len(png) == 0 {
		data[protocol.MIMETextHTML] = `<p>` + escape(title) + `: ` + escape(alt) + `</p>`
	}
	return data
}
