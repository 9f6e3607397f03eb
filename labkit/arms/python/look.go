package python

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"shelflab/labkit"
)

// Variable is the environment variable that names the interpreter; without it,
// it is the first python3 on the PATH.
const Variable = "SHELFLAB_PYTHON"

//go:embed look.py
var lookScript string

// interpreter is a Python as the arms need to know it.
type interpreter struct {
	path    string
	Version string            `json:"version"`
	Lacks   map[string]string `json:"lacks"`   // why a module cannot be imported, by its name
	Syncs   bool              `json:"syncs"`   // sqlite3 syncs what it commits
	Default string            `json:"default"` // module of the dbm that it takes by itself, "" if it does not tell
}

// ErrNone: there is no Python at hand, or none that works.
var ErrNone = errors.New("there is no Python")

// lookLimit is how long an interpreter may take to start and tell its modules.
const lookLimit = time.Minute

var (
	lookMu sync.Mutex
	looked = map[string]*interpreter{} // by path
)

// look finds the interpreter and asks it, once in the life of this process. Its
// errors end a sentence, in one line, and name no folder: they go into evidence.
func look() (*interpreter, error) {
	name := os.Getenv(Variable)
	if name == "" {
		name = "python3"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w; install Python 3, or set %s to one", ErrNone, filepath.Base(name), bare(err), Variable)
	}
	lookMu.Lock()
	defer lookMu.Unlock()
	if found := looked[path]; found != nil {
		return found, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookLimit)
	defer cancel()
	args := []string{"-I", "-c", lookScript}
	for _, k := range kept {
		args = append(args, k.module)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	var said labkit.Tail
	cmd.Stderr, cmd.WaitDelay = &said, grace
	out, err := cmd.Output()
	found := &interpreter{path: path}
	if err == nil {
		err = json.Unmarshal(out, found)
	}
	if err == nil && found.Version == "" {
		err = errors.New("it does not tell its version")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s is no Python 3 that works: %w%s; set %s to one", ErrNone, filepath.Base(path), bare(err), lastLine(&said), Variable)
	}
	looked[path] = found
	return found, nil
}

// bare is an error of starting a program without the path of it.
func bare(err error) error {
	if at, ok := errors.AsType[*exec.Error](err); ok {
		err = at.Err
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return err
}

// lastLine is the last line of what was said, in brackets, "" if nothing was.
func lastLine(said *labkit.Tail) string {
	text := said.String()
	if text == "" {
		return ""
	}
	return " (" + text[strings.LastIndexByte(text, '\n')+1:] + ")"
}
