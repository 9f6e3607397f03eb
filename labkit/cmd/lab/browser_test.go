package main

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"shelflab/labkit/leftout"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// inBrowser opens a page from a folder of its own, with scripts off and no
// network, and sees that it asks for nothing and shows every chart.
func inBrowser(t *testing.T, page string, want trial) {
	t.Run("browser", func(t *testing.T) {
		path := leftout.Chromium(t)
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		alone := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(alone, text, 0o644); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := browser(t, path)
		defer cancel()

		// Listen also opens the tab, in which the commands below then hold.
		var asked []string
		err = chromedp.Listen(ctx, func(event any) {
			if e, ok := event.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(e.Request.URL, "data:") {
				asked = append(asked, e.Request.URL)
			}
		})
		must(t, err)
		_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
		must(t, err)
		_, err = chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		must(t, err)
		must(t, chromedp.Do(ctx, chromedp.EmulateViewport(1000, 800), chromedp.Navigate("file://"+alone)))
		charts, err := chromedp.Run(ctx, chromedp.Nodes(chromedp.CSSAll(`svg[role="img"]`)))
		must(t, err)
		tables, err := chromedp.Run(ctx, chromedp.Nodes(chromedp.CSSAll(`table`)))
		must(t, err)
		picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		must(t, err)
		if len(asked) != 1 {
			t.Errorf("the page asked for %q, want itself only", asked)
		}
		if drawings, tabled := want.least(); len(charts) < drawings || len(tables) < tabled {
			t.Errorf("%d charts and %d tables are shown, want %d and %d at least", len(charts), len(tables), drawings, tabled)
		}
		for _, node := range append(charts, tables...) {
			visible(t, ctx, node, 1000)
		}
		img, err := png.Decode(bytes.NewReader(picture))
		if err != nil || img.Bounds().Dy() < 2000 {
			t.Errorf("the picture of the page: %v, %v", img.Bounds(), err)
		}
		const paper = 690 // pixels between the margins of a sheet
		_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		must(t, err)
		must(t, chromedp.Do(ctx, chromedp.EmulateViewport(paper, 900)))
		for _, node := range append(charts, tables...) {
			visible(t, ctx, node, paper)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// visible sees that an element takes room inside a page of that width.
func visible(t *testing.T, ctx context.Context, node *chromedp.Node, width float64) {
	t.Helper()
	box, err := chromedp.Call(ctx, dom.GetBoxModel, dom.GetBoxModelParams{NodeID: node.NodeID})
	if err != nil {
		t.Errorf("<%s> is not shown: %v", node.LocalName, err)
		return
	}
	// Width is that before zoom; the corners are where they are drawn.
	m := box.Model
	left, right := m.Border[0], m.Border[2]
	if right-left < 80 || m.Height < 20 || left < 0 || right > width {
		t.Errorf("<%s> is %d x %d, drawn from %.0f to %.0f of %.0f: not shown as it should be", node.LocalName, m.Width, m.Height, left, right, width)
	}
}

// hung is how long nothing takes on the slowest machine that is at work.
const hung = 10 * time.Minute

// browser starts a headless Chromium with a profile of its own.
func browser(t *testing.T, path string) (context.Context, context.CancelFunc) {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // root in a container has no other way
		chromedp.WSURLReadTimeout(hung),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.UserDataDir(t.TempDir()),
	)
	ctx, stopLimit := context.WithTimeout(context.Background(), hung)
	ctx, stopAllocator := chromedp.NewExecAllocator(ctx, options...)
	ctx, stopBrowser := chromedp.NewContext(ctx)
	return ctx, func() {
		stopBrowser()
		stopAllocator()
		stopLimit()
	}
}
