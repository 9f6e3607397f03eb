package jupyterlab

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

const lab07 = "07_explore.ipynb"

// exploring is notebook 07 with a cell after the panel's: it shows that Run All
// gets past it.
func exploring(nb *notebook.Notebook) *notebook.Notebook {
	nb.Cells = append(nb.Cells, code("after", "%%\nfmt.Println(\"past the panel\")"))
	return nb
}

// Sliders are moved by key and by mouse, and what they say is measured, shown,
// stopped and saved. The cells of Run All that wait behind the panel run when it
// is closed.
func (s *session) explored() {
	s.show(lab07)
	s.menu("Run", "Run All Cells")
	s.until("the panel", slider, "n")
	s.pressed("Measure again") // a touch: else the panel would leave by itself
	s.measured("n = 60; 3 rounds;")
	s.screenshot("explore")
	if past := s.outputs("after"); past != "" {
		s.Errorf("the cell behind the panel has run already: %s", past)
	}

	s.keys("n", "100", kb.ArrowRight)
	s.measured("n = 100; 3 rounds;")
	if got := s.outputs("explore"); !strings.Contains(got, "at n = 100:") || strings.Contains(got, "n = 60") {
		s.Errorf("after a move of the slider the page shows %s", got)
	}

	// So much that it has not ended before it is stopped.
	s.keys("n", "2,000", kb.ArrowRight, kb.ArrowRight)
	s.drag("rounds", "20")
	s.until("a first round", `cell("explore").outputArea.node.textContent.includes("n = 2000; 20 rounds;")`)
	s.pressed("Stop measuring")
	s.status("Stopped.")
	if got := s.outputs("explore"); !strings.Contains(got, "Verdict of an incomplete run") || !strings.Contains(got, "at n = 2,000:") {
		s.Errorf("what was stopped shows %s", got)
	}
	s.screenshot("explore-stopped")

	s.keys("rounds", "5", kb.Home, kb.ArrowRight, kb.ArrowRight)
	s.keys("n", "100", kb.Home, kb.ArrowRight)
	s.measured("n = 100; 5 rounds;")
	s.pressed("Save as evidence")
	s.status("Saved as evidence in")
	dir := filepath.Join(s.out, "07_explore")
	must(s.TB, evidence.Verify(dir))
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	must(s.TB, err)
	if !run.Complete || !slices.Equal(run.Plan.N, []int{100}) || run.Plan.Rounds != 5 {
		s.Errorf("saved: %v, complete: %t", run.Plan, run.Complete)
	}

	s.pressed("Close the panel")
	s.idle()
	s.screenshot("explore-closed")
	nb := s.saved(lab07)
	s.whole(nb)
	if got := text(find(s.TB, nb, "explore")); strings.Contains(got, "<input") || !strings.Contains(got, "The panel was closed") {
		s.Errorf("the panel leaves %s", got)
	}
	if got := text(find(s.TB, nb, "after")); !strings.Contains(got, "past the panel") {
		s.Errorf("the cell behind the panel put out %q", got)
	}
	if left, _ := filepath.Glob(filepath.Join(s.out, ".07_explore-*")); len(left) > 0 {
		s.Errorf("left behind: %v", left)
	}
}

// slider finds the slider of a parameter, if the panel shows one.
const slider = `cell("explore").outputArea.node.querySelector("input[type=range][data-param=" + %[1]s + "]")`

// outputs is all text that a cell shows, that of charts included.
func (s *session) outputs(id string) string {
	s.Helper()
	return js[string](s.page, `cell(%s).outputArea.node.textContent`, id)
}

// status waits for the line below the panel.
func (s *session) status(begins string) {
	s.Helper()
	s.until("the status "+begins, `cell("explore").outputArea.node.querySelector("[role=status]")?.textContent.startsWith(%s)`, begins)
}

// measured waits for the end of a measurement whose verdict names its plan so.
func (s *session) measured(plan string) {
	s.Helper()
	s.until("the verdict of "+plan, `(text => text.includes(%s) && !text.includes("incomplete run"))(cell("explore").outputArea.node.textContent)`, plan)
	s.status("Measured.")
}

// pressed presses a button of the panel. Charts that are drawn above it may move
// it at any time, so it is pressed where it is found, not by a place on the page.
func (s *session) pressed(label string) {
	s.Helper()
	s.until("the button "+label, `(b => { b?.click(); return b })([...cell("explore").outputArea.node.querySelectorAll("button")].find(b => b.innerText == %s))`, label)
}

// keys moves the slider of a parameter by keys, until it stands at a value.
func (s *session) keys(param, value string, keys ...string) {
	s.Helper()
	s.until("the slider "+param, `(e => { e?.focus(); return e })(`+slider+`)`, param)
	for _, key := range keys {
		s.key(key)
	}
	s.stands(param, value)
}

// drag moves the slider of a parameter by the mouse to its right end, which is a
// value.
func (s *session) drag(param, value string) {
	s.Helper()
	s.until("the slider "+param, slider, param)
	at := js[[]float64](s.page, `(() => {
		const e = `+slider+`;
		e.scrollIntoView({block: "nearest"});
		const r = e.getBoundingClientRect(), thumb = r.height;
		return [r.x + thumb / 2 + (r.width - thumb) * e.value / e.max, r.right, r.y + r.height / 2];
	})()`, param)
	from, to, y := at[0], at[1], at[2]
	left := chromedp.ButtonType(input.MouseButtonLeft)
	must(s.TB, chromedp.Do(s.ctx,
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, from, y),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, from, y, left),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, (from+to)/2, y, left),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, to, y, left),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, to, y, left)))
	s.stands(param, value)
}

// stands waits until a slider shows a value beside it.
func (s *session) stands(param, value string) {
	s.Helper()
	s.until(param+" at "+value, slider+`.nextElementSibling.value == %[2]s`, param, value)
}
