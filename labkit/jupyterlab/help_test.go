package jupyterlab

import (
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Tab completes a name of labkit; Shift-Tab explains one, and so does the mouse.
func (s *session) complete() {
	s.show(scratch)
	s.execute("imports")
	s.choose("complete")
	s.command("notebook:enter-edit-mode")
	js[any](s.page, `(panel().content.activeCell.editor.setCursorPosition({line: 1, column: "fmt.Println(labkit.P5".length}), panel().content.activeCell.editor.focus(), null)`)
	s.untilAsked("completer:invoke-notebook", "the completion", // what Tab does
		`panel().content.activeCell.model.sharedModel.source.includes("labkit.P50") || [...document.querySelectorAll(".jp-Completer-item")].some(e => e.innerText.includes("P50"))`)
	s.screenshot("complete")
	s.key(kb.Escape)
	js[any](s.page, `(panel().content.activeCell.model.sharedModel.setSource("%%%%\nfmt.Println(labkit.P50(nil))"), panel().content.activeCell.editor.setCursorPosition({line: 1, column: "fmt.Println(labkit.P5".length}), panel().content.activeCell.editor.focus(), null)`)
	s.untilAsked("tooltip:launch-notebook", "the explanation", // what Shift-Tab does
		`[...document.querySelectorAll(".jp-Tooltip")].some(e => e.innerText.includes("P50"))`)
	s.screenshot("explain")
	s.key(kb.Escape)
	s.until("the explanation to be gone", `!document.querySelector(".jp-Tooltip")`)
	s.hover("P50")
	s.screenshot("hover")
}

// hover rests the mouse on a word of the active cell until its help is shown.
func (s *session) hover(word string) {
	s.Helper()
	at := js[[]float64](s.page, `(() => {
		const editor = panel().content.activeCell.editor, view = editor.editor;
		const r = view.coordsAtPos(view.state.doc.toString().indexOf(%s) + 1);
		return [r.left, (r.top + r.bottom) / 2];
	})()`, word)
	step := 0.0
	waitFor(s.TB, "the help on "+word, func() bool {
		step = 1 - step // it must come to rest, again if the first answer came late
		must(s.TB, chromedp.Do(s.ctx, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0]+step, at[1])))
		for range 30 {
			if js[bool](s.page, `[...document.querySelectorAll(".cm-tooltip .shelflab-hover")].some(e => e.innerText.includes(%s))`, word) {
				return true
			}
			time.Sleep(100 * time.Millisecond)
		}
		return false
	})
}

// untilAsked runs a command again and again until an expression is true: gopls
// answers late while it loads what it has not seen.
func (s *session) untilAsked(command, what, expression string) {
	s.Helper()
	waitFor(s.TB, what, func() bool {
		s.command(command)
		for range 20 {
			if js[bool](s.page, "!!("+expression+")") {
				return true
			}
			time.Sleep(100 * time.Millisecond)
		}
		return false
	})
}
