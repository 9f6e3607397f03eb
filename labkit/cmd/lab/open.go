package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"

	"github.com/spf13/cobra"

	"shelflab/labkit/jupyterlab"
	"shelflab/labkit/notebook"
)

// openFlags are those of lab open.
type openFlags struct {
	jupyter   string
	port      int
	noBrowser bool
	allowRoot bool
}

func openCommand() *cobra.Command {
	var flags openFlags
	cmd := &cobra.Command{
		Use:   "open [NOTEBOOK]",
		Short: "Step through a notebook in JupyterLab",
		Long: `open starts a JupyterLab with the lab's Go kernel and opens a notebook in the
browser, the first one if none is named. Completion (Tab) and help (Shift-Tab, or
the mouse resting on a name) work in its cells. A NOTEBOOK is a name or number in
the notebooks folder, or a path.

The JupyterLab is a private one in the user's cache folder: the first start
installs it there, which needs Python 3.10 or newer and a package index in
reach, and builds the kernel; later starts need no network. Nothing else on the
machine is changed: what is written in the repository are the notebooks that are
saved and what their cells leave in data. JupyterLab listens on this machine
alone, and asks for a token that only the printed address has.

Ctrl-C ends it, with its kernels and whatever they run.`,
		Example: "  go tool lab open\n  go tool lab open 01 --no-browser --port 8899",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, typed []string) error {
			return openNotebook(cmd, typed, flags)
		},
	}
	cmd.Flags().StringVar(&flags.jupyter, "jupyter", "", "use this jupyter-lab, a `path` or a name on PATH, in place of the private one")
	cmd.Flags().IntVar(&flags.port, "port", 0, "the `port` to listen on (default: 8888, or a free one if that is taken)")
	cmd.Flags().BoolVar(&flags.noBrowser, "no-browser", false, "print the address, and open no browser")
	cmd.Flags().BoolVar(&flags.allowRoot, "allow-root", false, "start even as root, whose rights the cells then have")
	return cmd
}

func openNotebook(cmd *cobra.Command, typed []string, flags openFlags) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	root, paths, err := named(typed)
	if err != nil {
		return err
	}
	if flags.port < 0 || flags.port > 65535 {
		return usageError{fmt.Errorf("--port %d: give one from 1 to 65535", flags.port)}
	}
	dir, path := shownFolder(root, paths[0])
	opt := jupyterlab.Options{
		Dir: dir, Port: flags.port, Root: flags.allowRoot,
		// Not this very program: an edit below labkit counts in the page, too.
		Export: []string{"go", "-C", root, "tool", "lab", "export"},
	}
	if err := opt.Check(); err != nil {
		return err
	}
	server, err := startLab(cmd, root, paths[0], flags.jupyter, opt)
	if err != nil {
		return leaving(err, "JupyterLab was not started; the next start sets up what is missing")
	}
	defer server.Close()

	url := server.URL(path)
	fmt.Fprintf(out, "JupyterLab: %s\n", url)
	if !flags.noBrowser {
		if err := jupyterlab.OpenBrowser(url); err != nil {
			fmt.Fprintln(out, browserRemedy(err, server.Port()))
		}
	}
	fmt.Fprintln(out, "Ctrl-C here ends it; save the notebook before.")
	select {
	case <-ctx.Done(): // the way in which it is meant to end
		fmt.Fprintln(out, "\nending JupyterLab and its kernels")
	case <-server.Done():
		fmt.Fprintln(out, "JupyterLab was shut down")
	}
	return nil
}

// startLab sets up all that JupyterLab needs and starts it: the private one, or
// the user's own program.
func startLab(cmd *cobra.Command, root, path, program string, opt jupyterlab.Options) (*jupyterlab.Server, error) {
	ctx := cmd.Context()
	cache, err := cacheFolder()
	if err != nil {
		return nil, err
	}
	nb, err := notebook.Read(path)
	if err != nil {
		return nil, usageError{err}
	}
	status := newStatus(cmd.ErrOrStderr())
	defer status.clear()
	lab, err := findLab(ctx, program, cache, status.show)
	if err != nil {
		return nil, err
	}
	if opt.Kernel, err = kernelToOpen(ctx, root, cache, nb, status); err != nil {
		return nil, err
	}
	if opt.Gopls, err = jupyterlab.SetupGopls(ctx, cache, status.show); err != nil {
		return nil, err
	}
	opt.State = filepath.Join(cache, "jupyter")
	status.show("starting JupyterLab")
	return jupyterlab.Start(ctx, lab, opt)
}

// kernelToOpen sets up the kernel for a notebook that is opened. One whose imports
// do not compile can be opened all the same: where else would it be mended?
func kernelToOpen(ctx context.Context, root, cache string, nb *notebook.Notebook, status *status) (*notebook.Kernel, error) {
	kernel, err := notebook.Setup(ctx, root, cache, nb.Imports(), status.show)
	if err == nil || ctx.Err() != nil {
		return kernel, err
	}
	kernel, setupErr := notebook.Setup(ctx, root, cache, nil, status.show)
	if setupErr != nil {
		return nil, setupErr
	}
	status.clear()
	fmt.Fprintln(status.w, "the notebook opens, but some of its cells cannot run yet:", err)
	return kernel, nil
}

func findLab(ctx context.Context, program, cache string, report func(string)) (*jupyterlab.Lab, error) {
	if program != "" {
		return jupyterlab.Find(ctx, program)
	}
	return jupyterlab.Setup(ctx, cache, report)
}

// shownFolder is what JupyterLab shows, and where the notebook is in it: the
// repository, or the folder of a notebook that lies elsewhere.
func shownFolder(root, path string) (dir, inside string) {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return root, rel
	}
	return filepath.Split(path)
}

// browserRemedy tells in one line how to see a page that could not be opened.
func browserRemedy(err error, port int) string {
	if !errors.Is(err, jupyterlab.ErrRemote) {
		return fmt.Sprintf("%v: open the address above in a browser", err)
	}
	name, host := "you", "this-machine"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if h, err := os.Hostname(); err == nil {
		host = h
	}
	return fmt.Sprintf("%v: run `ssh -N -L %d:127.0.0.1:%d %s@%s` where your browser is, and open the address above there", err, port, port, name, host)
}
