package jupyterlab

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

const (
	small   = `{"n": "60", "rounds": "3", "keys": "20"}`
	lab01   = "01_shelf_vs_blob.ipynb"
	scratch = "scratch.ipynb"
)

// scratchNotebook is for what notebook 01 has no cell for.
func scratchNotebook() *notebook.Notebook {
	return notebook.New(
		code("imports", "import (\n\t\"shelflab/labkit\"\n\t\"time\"\n)\n\n// answer is remembered by the kernel.\nfunc answer() int { return 42 }"),
		code("complete", "%%\nfmt.Println(labkit.P5)"),
		code("answer", "%%\nfmt.Println(\"the answer is\", answer())"),
		code("long", `%%
// Measures until it is told to end.
ctx, stop := labkit.Context()
defer stop()
fmt.Println("measuring")
select {
case <-ctx.Done():
	fmt.Println("ended:", context.Cause(ctx))
case <-time.After(10 * time.Minute):
	fmt.Println("nobody stopped it")
}`),
	)
}

// What a person does in JupyterLab, in the order in which one may do it.
func TestUse(t *testing.T) {
	s := start(t, small, map[string]*notebook.Notebook{
		lab01: committed(t, lab01), lab07: exploring(committed(t, lab07)), scratch: scratchNotebook(),
	})
	for _, step := range []struct {
		name string
		do   func(s *session)
	}{
		{"open", (*session).opened},
		{"run all", (*session).runAll},
		{"export from the menu", (*session).exportMenu},
		{"lab export", (*session).labExport},
		{"change a parameter", (*session).changeParameter},
		{"close a tab", (*session).tabClosed},
		{"explore", (*session).explored},
		{"complete and explain", (*session).complete},
		{"interrupt", (*session).interrupt},
		{"restart", (*session).restart},
		{"end", (*session).ended},
	} {
		if !t.Run(step.name, func(t *testing.T) {
			now := &session{page: s.with(t), server: s.server, dir: s.dir, out: s.out}
			defer func() {
				if t.Failed() {
					now.screenshot("failed in " + step.name)
				}
			}()
			step.do(now)
		}) {
			return // the next step builds on it
		}
	}
}

// A notebook that is opened has its kernel, does not count as changed, and is saved
// to the byte as it was; nothing else is left in its folder.
func (s *session) opened() {
	before, err := os.ReadFile(s.path(lab01))
	must(s.TB, err)
	s.show(lab01)
	s.screenshot("open")
	if kernel := js[string](s.page, `panel().sessionContext.session.kernel.name`); kernel != "gonb" {
		s.Errorf("the kernel is %q", kernel)
	}
	if kernels := js[[]string](s.page, `Object.keys(jupyterapp.serviceManager.kernelspecs.specs.kernelspecs)`); len(kernels) != 1 {
		s.Errorf("there are kernels %q to choose from, want one", kernels)
	}
	s.until("what the kernel says of its language", `panel().model.getMetadata("language_info").version`)
	if js[bool](s.page, `panel().context.model.dirty`) {
		s.Error("a notebook that was only opened counts as changed")
	}
	s.saved(lab01)
	after, err := os.ReadFile(s.path(lab01))
	must(s.TB, err)
	if !bytes.Equal(before, after) {
		s.Errorf("a notebook that was only opened and saved has changed:\n%s", after)
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, "notebooks"))
	must(s.TB, err)
	if len(entries) != 3 {
		s.Errorf("beside the three notebooks lies something else: %v", entries)
	}
}

// Every code cell runs, in order, without an error.
func (s *session) runAll() {
	s.menu("Run", "Run All Cells")
	s.until("the first cell", `panel().content.widgets.some(c => c.model.executionCount)`)
	s.idle()
	s.screenshot("run-all")
	nb := s.saved(lab01)
	s.whole(nb)
	if box := text(find(s.TB, nb, "verdict")); strings.Contains(box, "Waiting") || !strings.Contains(box, "full read: ") {
		s.Errorf("the verdict box at the top was not filled: %s", box)
	}
	if !strings.Contains(text(find(s.TB, nb, "scale-write")), "<svg") {
		s.Error("the chart cell shows no chart")
	}
}

// whole sees that all code cells were run and none failed.
func (s *session) whole(nb *notebook.Notebook) {
	s.Helper()
	count := 0
	for _, c := range nb.Cells {
		if c.Kind != notebook.Code {
			continue
		}
		if c.ExecutionCount <= count {
			s.Errorf("cell %s has the count %d after %d", c.ID, c.ExecutionCount, count)
		}
		count = c.ExecutionCount
		for _, o := range c.Outputs {
			if o.Type == notebook.Error || o.Name == "stderr" {
				s.Errorf("cell %s: %s", c.ID, text(c))
			}
		}
	}
}

// After an edit in the parameter cell a table says that it is of another plan,
// and after a new sweep it is of this one.
func (s *session) changeParameter() {
	s.choose("parameters")
	js[any](s.page, `(panel().content.activeCell.model.sharedModel.setSource(panel().content.activeCell.model.sharedModel.source.replace("Seed:       1,", "Seed:       2,")), null)`)
	s.execute("parameters")
	s.execute("lead")
	nb := s.saved(lab01)
	if !strings.Contains(find(s.TB, nb, "parameters").Source, "Seed:       2,") {
		s.Fatal("the parameter cell was not edited")
	}
	if got := text(find(s.TB, nb, "lead")); !strings.Contains(got, "The parameters have changed since the sweep") {
		s.Errorf("the lead table after a change of the parameters: %s", got)
	}
	s.execute("sweep-first")
	s.execute("lead")
	if got := text(find(s.TB, s.saved(lab01), "lead")); !strings.Contains(got, "All arms at n = 60") {
		s.Errorf("the lead table after a new sweep: %s", got)
	}
}

// JupyterLab's own export gives a page that runs and loads nothing, shows every
// chart, and carries the evidence, with which lab verify agrees.
func (s *session) exportMenu() {
	dir := s.TB.TempDir()
	_, err := chromedp.Call(s.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir,
	})
	must(s.TB, err)
	s.menu("File", "Save and Export Notebook As", "HTML")
	// It asks whether to sanitize, which the lab does to every page.
	s.click("the dialog's button", `document.querySelector(".jp-Dialog .jp-mod-accept")`)
	exported := filepath.Join(dir, strings.TrimSuffix(lab01, ".ipynb")+".html")
	waitFor(s.TB, "the download", func() bool { _, err := os.Stat(exported); return err == nil })
	page, err := os.ReadFile(exported)
	must(s.TB, err)
	if dir := os.Getenv("SHELFLAB_PICTURES"); dir != "" {
		must(s.TB, os.WriteFile(filepath.Join(dir, "export.html"), page, 0o644))
	}
	for _, bad := range []string{"<script", "<link", "https://cdn", "http-equiv=\"refresh\""} {
		if bytes.Contains(page, []byte(bad)) {
			s.Errorf("the exported page contains %s", bad)
		}
	}
	for _, want := range []string{"<title>Shelf or blob?</title>", `<span class="kd">func</span>`, `role="img"`, evidence.SummaryName, "go tool lab run"} {
		if !bytes.Contains(page, []byte(want)) {
			s.Errorf("the exported page lacks %s", want)
		}
	}
	s.alone(exported)
	s.lab("verify", exported)
}

// lab runs the lab's command with the session's data folder.
func (s *session) lab(args ...string) {
	s.Helper()
	cmd := exec.Command("go", append([]string{"tool", "lab"}, args...)...)
	cmd.Env = append(os.Environ(), evidence.OutVariable+"="+s.out)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Errorf("lab %s: %v\n%s", args, err, out)
	}
}

// alone opens a page in a tab of its own and sees that it asks for nothing but
// itself, and that its charts are shown.
func (s *session) alone(path string) {
	ctx, cancel := chromedp.NewContext(s.ctx)
	defer cancel()
	var asked []string
	must(s.TB, chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(e.Request.URL, "data:") {
			asked = append(asked, e.Request.URL)
		}
	}))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	must(s.TB, err)
	must(s.TB, chromedp.Do(ctx, chromedp.Navigate("file://"+path)))
	widths, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](`[...document.querySelectorAll("svg[role=img]")].map(e => e.getBoundingClientRect().width)`))
	must(s.TB, err)
	if len(asked) != 1 {
		s.Errorf("the page asked for %q, want itself only", asked)
	}
	if len(widths) < 5 {
		s.Errorf("the page shows %d charts", len(widths))
	}
	for _, width := range widths {
		if width < 100 {
			s.Errorf("a chart is %.0f pixels wide", width)
		}
	}
}

// lab export makes evidence of the notebook as JupyterLab saved it, and lab
// verify agrees with it.
func (s *session) labExport() {
	s.lab("export", s.path(lab01))
	s.lab("verify", filepath.Join(s.out, "01_shelf_vs_blob"))
}

// Interrupt ends a cell that measures, which says so.
func (s *session) interrupt() {
	s.choose("long")
	js[any](s.page, `(jupyterapp.commands.execute("notebook:run-cell"), null)`) // not waited for
	s.until("the cell to run", `cell("long").model.outputs.length > 0`)
	s.menu("Kernel", "Interrupt Kernel")
	s.idle()
	if got := text(find(s.TB, s.saved(scratch), "long")); !strings.Contains(got, "ended: interrupted") {
		s.Errorf("the interrupted cell shows %q", got)
	}
}

// A restarted kernel knows nothing, and learns again.
func (s *session) restart() {
	s.execute("answer")
	if got := text(find(s.TB, s.saved(scratch), "answer")); !strings.Contains(got, "the answer is 42") {
		s.Errorf("before: %q", got)
	}
	kernel := js[string](s.page, `panel().sessionContext.session.kernel.id`)
	s.menu("Kernel", "Restart Kernel…")
	s.click("the dialog's button", `document.querySelector(".jp-Dialog .jp-mod-accept.jp-mod-warn")`)
	s.until("the restart", `panel().sessionContext.session?.kernel && panel().sessionContext.session.kernel.id == %s && panel().sessionContext.session.kernel.status != "restarting"`, kernel)
	s.idle()
	s.execute("answer")
	if got := text(find(s.TB, s.saved(scratch), "answer")); !strings.Contains(got, "undefined: answer") {
		s.Errorf("a new kernel knows what the old one was told: %q", got)
	}
	s.execute("imports")
	s.execute("answer")
	if got := text(find(s.TB, s.saved(scratch), "answer")); !strings.Contains(got, "the answer is 42") {
		s.Errorf("after: %q", got)
	}
}

// Close leaves no process, not even of a cell that runs, and no file.
func (s *session) ended() {
	s.choose("long")
	js[any](s.page, `(jupyterapp.commands.execute("notebook:run-cell"), null)`)
	s.until("the cell to run", `cell("long").model.outputs.length > 0`)
	tmp := s.server.proc.tmp
	if family := descendants(s.server.proc.PID()); len(family) < 3 {
		s.Errorf("the server has only %d processes: %v", len(family), family)
	}
	s.server.Close()
	out, err := exec.Command("ps", "-A", "-o", "args=").Output()
	must(s.TB, err)
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, tmp) && !strings.HasPrefix(line, "ps ") {
			s.Errorf("it runs on: %s", line)
		}
	}
	if _, err := os.Stat(tmp); err == nil {
		s.Errorf("%s is still there", tmp)
	}
}
