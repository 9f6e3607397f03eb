package jupyterlab

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/leftout"
	"shelflab/labkit/notebook"
)

// Notebook 01 runs on a stock GoNB kernel, installed the way its README says,
// under another front end than the lab's: started in the notebook's folder, as
// VS Code does too, with nothing of the lab's in its specification.
func TestStockKernel(t *testing.T) {
	cache, err := os.UserCacheDir()
	must(t, err)
	cache = filepath.Join(cache, "shelflab-test")
	report := func(stage string) { fmt.Fprintln(os.Stderr, "setup:", stage) }
	lab, err := Setup(t.Context(), cache, report)
	if errors.Is(err, ErrNoPython) || errors.Is(err, ErrOldPython) || errors.Is(err, ErrNoVenv) {
		leftout.Test(t, "%v", err)
	}
	must(t, err)
	root, err := filepath.Abs("../..")
	must(t, err)
	kernel, err := notebook.Setup(t.Context(), root, cache, committed(t, lab01).Imports(), report)
	must(t, err)
	gopls, err := SetupGopls(t.Context(), cache, report)
	must(t, err)

	home, out, bin := t.TempDir(), t.TempDir(), t.TempDir()
	// The programs that GoNB's README installs, and nothing else of the lab's.
	for _, program := range []string{kernel.Gonb, filepath.Join(filepath.Dir(kernel.Gonb), "goimports"), filepath.Join(gopls, "gopls")} {
		must(t, os.Symlink(program, filepath.Join(bin, filepath.Base(program))))
	}
	env := append(os.Environ(),
		"JUPYTER_DATA_DIR="+home, "JUPYTER_CONFIG_DIR="+home, "JUPYTER_RUNTIME_DIR="+home,
		"PATH="+bin+":"+os.Getenv("PATH"),
		"GOPROXY=off", "GOSUMDB=off", // what it needs is in the module cache
		labkit.ParamsVariable+"="+small, evidence.OutVariable+"="+out)
	step := func(name string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = env
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", name, args, err, said)
		}
	}
	step(filepath.Join(bin, "gonb"), "--install")
	if spec, err := os.ReadFile(filepath.Join(home, "kernels", "gonb", "kernel.json")); err != nil {
		t.Fatalf("%v\n%s", err, spec)
	}
	step(lab.command[0], "-I", "-m", "nbconvert", "--to", "notebook", "--execute", "--allow-errors",
		"--output-dir", out, filepath.Join(root, "notebooks", lab01))
	nb, err := notebook.Read(filepath.Join(out, lab01))
	must(t, err)
	(&session{page: &page{TB: t}}).whole(nb)
	run, err := evidence.Read(filepath.Join(out, "01_shelf_vs_blob", evidence.SummaryName))
	if err != nil || !run.Complete {
		t.Errorf("the evidence of the run: %v", err)
	}
}
