package main

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// nothingSkipped is set by CI, which has installed what the tests need.
const nothingSkipped = "SHELFLAB_NOTHING_SKIPPED"

// chromium finds a browser, or leaves the test out, loudly; where nothing may be
// left out it fails the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const what = "LEFT OUT: no Chromium on PATH, so the page was not looked at in a browser"
	if os.Getenv(nothingSkipped) != "" {
		t.Fatal(what)
	}
	t.Skip(what)
	return ""
}

// inBrowser opens a page from a folder of its own, with scripts off and no
// network, and sees that it asks for nothing and shows every chart.
func inBrowser(t *testing.T, page string) {
	t.Run("browser", func(t *testing.T) {
		path := chromium(t)
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

		var asked []string
		chromedp.ListenTarget(ctx, func(event any) {
			if e, ok := event.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(e.Request.URL, "data:") {
				asked = append(asked, e.Request.URL)
			}
		})
		var charts, tables []*cdp.Node
		var picture []byte
		err = chromedp.Run(ctx,
			network.Enable(),
			emulation.SetScriptExecutionDisabled(true),
			chromedp.EmulateViewport(1000, 800),
			chromedp.Navigate("file://"+alone),
			chromedp.Nodes(`svg[role="img"]`, &charts, chromedp.ByQueryAll),
			chromedp.Nodes(`table`, &tables, chromedp.ByQueryAll),
			chromedp.FullScreenshot(&picture, 100),
		)
		if err != nil {
			t.Fatal(err)
		}
		if len(asked) != 1 {
			t.Errorf("the page asked for %q, want itself only", asked)
		}
		if len(charts) < 5 || len(tables) < 5 {
			t.Errorf("%d charts and %d tables are shown", len(charts), len(tables))
		}
		for _, node := range append(charts, tables...) {
			visible(t, ctx, node)
		}
		img, err := png.Decode(bytes.NewReader(picture))
		if err != nil || img.Bounds().Dy() < 2000 {
			t.Errorf("the picture of the page: %v, %v", img.Bounds(), err)
		}
	})
}

// visible sees that an element takes room inside the page's width.
func visible(t *testing.T, ctx context.Context, node *cdp.Node) {
	t.Helper()
	err := chromedp.Run(ctx, chromedp.ActionFunc(func(ctx context.Context) error {
		model, err := dom.GetBoxModel().WithNodeID(node.NodeID).Do(ctx)
		if err != nil {
			return err
		}
		if model.Width < 100 || model.Height < 20 || model.Border[0] < 0 || model.Border[0]+float64(model.Width) > 1000 {
			t.Errorf("<%s> is %d x %d at %.0f: not shown as it should be", node.LocalName, model.Width, model.Height, model.Border[0])
		}
		return nil
	}))
	if err != nil {
		t.Error(err)
	}
}

// browser starts a headless Chromium with a profile of its own. The time limit
// only ends a browser that hangs.
func browser(t *testing.T, path string) (context.Context, context.CancelFunc) {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // root in a container has no other way
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.UserDataDir(t.TempDir()),
	)
	ctx, stopLimit := context.WithTimeout(context.Background(), 2*time.Minute)
	ctx, stopAllocator := chromedp.NewExecAllocator(ctx, options...)
	ctx, stopBrowser := chromedp.NewContext(ctx)
	return ctx, func() {
		stopBrowser()
		stopAllocator()
		stopLimit()
	}
}
