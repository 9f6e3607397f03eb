package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Exit codes. A run that was interrupted ends as a shell expects of SIGINT.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// usageError is a mistake in the call: nothing has been started.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// run is main without the process: golden tests call it. It returns the exit
// code; an error is one line on stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:   "lab",
		Short: "Keyed store or snapshot file? Measure it, run the notebooks, check the evidence.",
		Long: `lab measures how a Go program keeps records: in a keyed store (a shelf) or in
one snapshot file (a blob). It runs the lab's notebooks without Jupyter, leaves
evidence with every raw sample, and checks such evidence.`,
		SilenceUsage: true, SilenceErrors: true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	const written, read = "each file is as it was, or whole", "nothing was written"
	root.AddCommand(openCommand(), runCommand(), atOnce(cleanCommand(), written), atOnce(exportCommand(), written), measureCommand(),
		atOnce(verifyCommand(), read), atOnce(compareCommand(), read), atOnce(indexCommand(), written))
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	err := root.ExecuteContext(ctx)
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case isInterrupt(err):
		fmt.Fprintln(stderr, "lab:", interruptedLine(err))
		return exitInterrupted
	case errors.As(err, &usage), errors.Is(err, labkit.ErrPlan), strings.HasPrefix(err.Error(), "unknown command"):
		fmt.Fprintln(stderr, "lab:", err)
		return exitUsage
	}
	fmt.Fprintln(stderr, "lab:", err)
	return exitFailed
}

// params are the values of -p flags by name.
func params(pairs []string) (map[string]string, error) {
	values := map[string]string{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, usageError{fmt.Errorf("-p %q: write it as name=value, for example -p n=500,2000", pair)}
		}
		if _, twice := values[name]; twice {
			return nil, usageError{fmt.Errorf("-p %s is given twice", name)}
		}
		values[name] = value
	}
	return values, nil
}

// cacheFolder is where the kernel and JupyterLab are built.
func cacheFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder for the kernel: %w: set XDG_CACHE_HOME to one", err)
	}
	return filepath.Join(cache, "shelflab"), nil
}

// outFolder makes the folder for evidence, by default the repository's data,
// and proves that it can be written to.
func outFolder(out string) (string, error) {
	if out == "" {
		root, err := evidence.RepositoryRoot()
		if err != nil {
			return "", usageError{err}
		}
		out = filepath.Join(root, "data")
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", fmt.Errorf("--out: %w: give a folder that can be made", err)
	}
	probe, err := os.CreateTemp(out, ".probe-*")
	if err != nil {
		return "", fmt.Errorf("--out: %w: give a folder that can be written to", err)
	}
	probe.Close()
	os.Remove(probe.Name())
	return out, enoughSpace(out)
}
