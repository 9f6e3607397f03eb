package jupyterlab

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"shelflab/labkit/evidence"
)

// A tab that is closed while its notebook measures takes nothing with it: the
// kernel goes on, and whoever comes back finds the evidence.
func (s *session) tabClosed() {
	dir := filepath.Join(s.out, "01_shelf_vs_blob")
	must(s.TB, os.RemoveAll(dir))
	tab, closeTab := chromedp.NewContext(s.ctx)
	defer closeTab()
	_, err := chromedp.Call(tab, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	must(s.TB, err)
	other := &session{page: &page{TB: s.TB, ctx: tab}, server: s.server, dir: s.dir, out: s.out}
	other.show(lab01)
	other.execute("parameters")
	other.choose("sweep-first")
	js[any](other.page, `(jupyterapp.commands.execute("notebook:run-cell"), null)`) // not waited for
	waitFor(s.TB, "the first samples", func() bool {
		_, err := os.Stat(filepath.Join(dir, evidence.SummaryName))
		return err == nil
	})
	closeTab()

	s.show(lab01)
	s.execute("lead") // which waits for its turn behind the sweep
	if got := text(find(s.TB, s.saved(lab01), "lead")); !strings.Contains(got, "All arms at n = 60") || strings.Contains(got, "Incomplete") {
		s.Errorf("the lead table after a tab was closed: %s", got)
	}
}
