package jupyterlab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// oldestPython is the least that the pinned JupyterLab needs: 3.10.
var oldestPython = [2]int{3, 10}

// candidates are the names under which a Python may be on PATH, the user's own
// choice first.
var candidates = []string{"python3", "python", "python3.13", "python3.12", "python3.14", "python3.11", "python3.10"}

// What can be wrong with the Python of a machine. Errors of [Setup] wrap them
// and say in one line what to do.
var (
	ErrNoPython  = errors.New("no Python on PATH: install Python 3.10 or newer (Debian and Ubuntu: apt install python3 python3-venv)")
	ErrOldPython = errors.New("JupyterLab needs Python 3.10 or newer: install one beside it")
	ErrNoVenv    = errors.New("its venv module is missing: install it (Debian and Ubuntu: apt install python3-venv)")
)

// python is an interpreter that can make virtual environments.
type python struct {
	path    string
	version [2]int // major, minor
}

// probe asks an interpreter what it is. ensurepip is what Debian leaves out of a
// Python without venv.
const probe = `import json, sys
try:
    import ensurepip, venv
    whole = True
except ImportError:
    whole = False
print(json.dumps({"path": sys.executable, "version": sys.version_info[:2], "whole": whole}))`

// findPython returns the first Python on PATH that will do. If none does, the
// error is about the one that came nearest.
func findPython(ctx context.Context) (python, error) {
	nearest := ErrNoPython
	for _, name := range candidates {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		out, err := exec.CommandContext(ctx, path, "-I", "-c", probe).Output()
		if ctx.Err() != nil {
			return python{}, context.Cause(ctx)
		}
		var found struct {
			Path    string
			Version [2]int
			Whole   bool
		}
		if err != nil || json.Unmarshal(out, &found) != nil {
			continue // a launcher without the version that it is named after, or a Python 2
		}
		p := python{path: found.Path, version: found.Version}
		switch {
		case p.older(oldestPython):
			if errors.Is(nearest, ErrNoPython) {
				nearest = fmt.Errorf("%s is Python %s: %w", path, p, ErrOldPython)
			}
		case !found.Whole:
			if !errors.Is(nearest, ErrNoVenv) {
				nearest = fmt.Errorf("%s is Python %s, but %w", path, p, ErrNoVenv)
			}
		default:
			return p, nil
		}
	}
	return python{}, nearest
}

func (p python) older(than [2]int) bool {
	return p.version[0] < than[0] || p.version[0] == than[0] && p.version[1] < than[1]
}

func (p python) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(p.version), " ", "."), "[]")
}
