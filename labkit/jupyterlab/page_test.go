package jupyterlab

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"shelflab/labkit/leftout"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// patience ends a wait for something that will not come. No test depends on how
// long anything takes.
const patience = 15 * time.Minute

func waitFor(t testing.TB, what string, there func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !there(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %v for %s", patience, what)
		}
	}
}

// page is a tab of a headless Chromium.
type page struct {
	testing.TB
	ctx context.Context
}

// newPage starts a browser with a profile of its own.
func newPage(t testing.TB) *page {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(leftout.Chromium(t)),
		chromedp.NoSandbox,                 // root in a container has no other way
		chromedp.Flag("disable-gpu", true), // drawing in software through GL can stand still where there is none
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(1400, 1000),
		chromedp.WSURLReadTimeout(patience),
		chromedp.UserDataDir(t.TempDir()),
	)
	ctx, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stopBrowser := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		stopBrowser()
		stopAllocator()
	})
	// Without the focus no widget of JupyterLab becomes the current one.
	_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	must(t, err)
	return &page{TB: t, ctx: ctx}
}

// with gives the page to a subtest.
func (p *page) with(t testing.TB) *page { return &page{TB: t, ctx: p.ctx} }

func (p *page) open(url string) {
	p.Helper()
	must(p.TB, chromedp.Do(p.ctx, chromedp.Navigate(url)))
}

// js evaluates an expression in the page; a promise is waited for. JupyterLab's
// application stands there as jupyterapp, the open notebook's panel as panel(), a
// cell of it as cell(id).
func js[T any](p *page, expression string, args ...any) T {
	p.Helper()
	quoted := make([]any, len(args))
	for i, arg := range args { // texts may hold quotes and lines
		text, err := json.Marshal(arg)
		must(p.TB, err)
		quoted[i] = string(text)
	}
	got, err := tryJS[T](p, fmt.Sprintf(expression, quoted...))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return got
}

func tryJS[T any](p *page, expression string) (T, error) {
	const helpers = `const panel = () => [...jupyterapp.shell.widgets("main")].find(w => w.isVisible && w.content && w.content.widgets && w.sessionContext);
const cell = id => panel().content.widgets.find(c => c.model.id == id);
`
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	code := "(async () => {" + helpers + "return (" + expression + ")})()"
	return chromedp.Run(ctx, chromedp.Evaluate[T](code, chromedp.EvalAwaitPromise))
}

// until waits until an expression is true in the page.
func (p *page) until(what, expression string, args ...any) {
	p.Helper()
	waitFor(p.TB, what, func() bool {
		return js[bool](p, "!!("+expression+")", args...)
	})
}

// click clicks the middle of an element that an expression finds. What is drawn
// anew may take the element away between two looks, so one look finds it and says
// where it is.
func (p *page) click(what, element string, args ...any) {
	p.Helper()
	var at []float64
	waitFor(p.TB, what, func() bool {
		at = js[[]float64](p, `(e => { if (!e) return []; e.scrollIntoView({block: "nearest"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })(`+element+`)`, args...)
		return len(at) == 2
	})
	// A menu takes the entry over which the mouse was moved.
	must(p.TB, chromedp.Do(p.ctx,
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0]-1, at[1]),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]),
		chromedp.MouseClickXY(at[0], at[1])))
}

// menu clicks its way through the menu bar, as "File", "Save Notebook".
func (p *page) menu(path ...string) {
	p.Helper()
	p.click("the menu "+path[0], `[...document.querySelectorAll(".lm-MenuBar-item")].find(e => e.innerText.trim() == %s)`, path[0])
	for _, label := range path[1:] {
		p.click(strings.Join(path, " > "), `[...document.querySelectorAll(".lm-Menu-item")].filter(e => e.getBoundingClientRect().width > 0).find(e => e.querySelector(".lm-Menu-itemLabel").innerText.trim().startsWith(%s))`, label)
	}
}

// key types into whatever has the focus.
func (p *page) key(keys string, modifiers ...chromedp.Modifier) {
	p.Helper()
	must(p.TB, chromedp.Do(p.ctx, chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...))))
}

// screenshot keeps a picture where SHELFLAB_PICTURES says, for people to look at.
func (p *page) screenshot(name string) {
	p.Helper()
	dir := os.Getenv("SHELFLAB_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	must(p.TB, err)
	must(p.TB, os.WriteFile(dir+"/"+name+".png", png, 0o644))
}
