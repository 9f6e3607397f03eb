package jupyterlab

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/leftout"
	"shelflab/labkit/notebook"
)

// session is a JupyterLab in a browser, with a folder of notebooks of its own.
type session struct {
	*page
	server *Server
	dir    string // what JupyterLab shows
	out    string // where cells leave their evidence
}

// start starts the private JupyterLab with the lab's kernel on a folder with
// copies of notebooks. The environments stay in a cache folder, so that only
// the first run of the tests installs them.
func start(t testing.TB, params string, notebooks map[string]*notebook.Notebook) *session {
	t.Helper()
	p := newPage(t)
	report := func(stage string) { fmt.Fprintln(os.Stderr, "setup:", stage) }
	cache, err := os.UserCacheDir()
	must(t, err)
	cache = filepath.Join(cache, "shelflab-test")
	lab, err := Setup(t.Context(), cache, report)
	if errors.Is(err, ErrNoPython) || errors.Is(err, ErrOldPython) || errors.Is(err, ErrNoVenv) {
		leftout.Test(t, "%v", err)
	}
	must(t, err)
	s := &session{page: p, dir: t.TempDir(), out: t.TempDir()}
	must(t, os.Mkdir(filepath.Join(s.dir, "notebooks"), 0o755))
	var imports []string
	for name, nb := range notebooks {
		imports = append(imports, nb.Imports()...)
		must(t, nb.Write(s.path(name)))
	}
	root, err := filepath.Abs("../..")
	must(t, err)
	kernel, err := notebook.Setup(t.Context(), root, cache, imports, report)
	must(t, err)
	gopls, err := SetupGopls(t.Context(), cache, report)
	must(t, err)
	s.server, err = Start(t.Context(), lab, Options{
		Kernel: kernel, Gopls: gopls, Dir: s.dir, State: t.TempDir(), Root: true,
		Export: []string{"go", "-C", root, "tool", "lab", "export"},
		Env:    []string{labkit.ParamsVariable + "=" + params, evidence.OutVariable + "=" + s.out},
		// The page's own objects tell what no element does: whether a notebook
		// has changed, what its kernel does.
		Args: []string{"--expose-app-in-browser"},
	})
	must(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			s.screenshot("failed")
			t.Logf("the server's last words:\n%s", s.server.proc.lastWords())
		}
		s.server.Close()
	})
	return s
}

func (s *session) path(name string) string { return filepath.Join(s.dir, "notebooks", name) }

// show opens a notebook and waits for its kernel.
func (s *session) show(name string) {
	s.Helper()
	if js[bool](s.page, `!!window.jupyterapp`) { // leaving the page could ask about changes in another tab
		js[any](s.page, `jupyterapp.commands.execute("docmanager:open", {path: %s}).then(() => null)`, "notebooks/"+name)
	} else {
		s.open(s.server.URL("notebooks/" + name))
	}
	s.until("JupyterLab", `window.jupyterapp && jupyterapp.shell && panel() && panel().context.path.endsWith(%s)`, name)
	js[any](s.page, `(jupyterapp.shell.activateById(panel().id), null)`)
	s.until("the notebook in front", `jupyterapp.shell.currentWidget == panel()`)
	s.idle()
}

// idle waits until the kernel has done everything that was asked of it. Between
// two cells it is idle, too, so the cells are asked as well: their models, since
// a cell that is out of sight has no text. GoNB gives no status before it has run
// something.
func (s *session) idle() {
	s.Helper()
	s.until("an idle kernel", `(() => {
		const session = panel().sessionContext, kernel = session.session?.kernel;
		const waits = panel().content.widgets.some(c => c.model.executionState == "running");
		return session.isReady && kernel?.connectionStatus == "connected" && ["idle", "unknown"].includes(kernel.status) && !waits;
	})()`)
}

// command runs one of JupyterLab's commands and waits for its end.
func (s *session) command(id string) {
	s.Helper()
	js[any](s.page, `jupyterapp.commands.execute(%s).then(() => null)`, id)
}

// choose makes the cell with an id the active one.
func (s *session) choose(id string) {
	s.Helper()
	at := js[int](s.page, `panel().content.widgets.findIndex(c => c.model.id == %s)`, id)
	if at < 0 {
		s.Fatalf("no cell %q", id)
	}
	js[any](s.page, `(panel().content.activeCellIndex = %s, panel().content.deselectAll(), null)`, at)
}

// execute runs the cell with an id, and returns when its outputs are there.
func (s *session) execute(id string) {
	s.Helper()
	s.choose(id)
	s.command("notebook:run-cell")
	s.idle()
}

// saved saves the notebook and reads the file.
func (s *session) saved(name string) *notebook.Notebook {
	s.Helper()
	s.command("docmanager:save")
	s.until("the notebook to be saved", `!panel().context.model.dirty`)
	nb, err := notebook.Read(s.path(name))
	must(s.TB, err)
	return nb
}

// text is what a cell of a notebook has put out.
func text(c *notebook.Cell) string {
	var b strings.Builder
	for _, o := range c.Outputs {
		b.WriteString(o.Text + o.EValue)
		for _, data := range o.Data {
			if s, ok := data.(string); ok {
				b.WriteString(s)
			}
		}
	}
	return b.String()
}

func find(t testing.TB, nb *notebook.Notebook, id string) *notebook.Cell {
	t.Helper()
	for _, c := range nb.Cells {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no cell %q", id)
	return nil
}

// committed is a notebook of the repository.
func committed(t testing.TB, name string) *notebook.Notebook {
	t.Helper()
	nb, err := notebook.Read("../../notebooks/" + name)
	must(t, err)
	return nb
}

func code(id, source string) *notebook.Cell {
	return &notebook.Cell{ID: id, Kind: notebook.Code, Source: source}
}
