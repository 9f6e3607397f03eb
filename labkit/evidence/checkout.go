package evidence

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// repository tells the commit of the code that measures.
func (e *Environment) repository() {
	c := source()
	e.Commit, e.Dirty = c.commit, c.dirty
}

type checkout struct {
	commit string
	dirty  bool
}

// source finds the checkout that this program was built from: what the Go
// command has built in, or else (a cell, `go run`, `go tool`) what git says of
// the lab's repository; without either it is empty. It looks once: a program
// does not change while it runs, whatever is committed meanwhile.
var source = sync.OnceValue(func() (c checkout) {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == "shelflab" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				c.commit = s.Value
			case "vcs.modified":
				c.dirty = s.Value == "true"
			}
		}
	}
	if c.commit != "" {
		return c
	}
	root, err := RepositoryRoot()
	if err != nil {
		return checkout{}
	}
	return checkedOut(root)
})

// builtFrom is what a program of the lab may be built from, in git's words for
// paths below the repository's root. A run leaves nothing of its own there: the
// data folder is elsewhere, and an executed notebook is saved over itself only by
// Jupyter, which is why of notebooks only the code counts.
var builtFrom = []string{"go.mod", "go.sum", "go.work", "go.work.sum", "vendor", "labkit", ":(glob)notebooks/*.ipynb"}

// checkedOut asks git for the commit at root, and whether what programs are
// built from differs from it. Where git does not tell that, it does.
func checkedOut(root string) checkout {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	git := func(args ...string) (string, bool) {
		// Without a lock: several cells may ask at once, and a user commits.
		args = append([]string{"--no-optional-locks", "-C", root}, args...)
		out, err := exec.CommandContext(ctx, "git", args...).Output()
		return string(out), err == nil
	}
	commit, ok := git("rev-parse", "HEAD")
	if !ok {
		return checkout{}
	}
	c := checkout{commit: strings.TrimSpace(commit)}
	changes, ok := git(append([]string{"status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--"}, builtFrom...)...)
	if !ok {
		c.dirty = true
		return c
	}
	for _, change := range strings.Split(strings.TrimSuffix(changes, "\x00"), "\x00") {
		if len(change) < 4 { // "XY path"
			continue
		}
		if name := path.Base(change[3:]); path.Ext(name) == ".ipynb" && path.Base(path.Dir(change[3:])) == "notebooks" {
			was, ok := git("show", "HEAD:./notebooks/"+name)
			is, err := os.ReadFile(filepath.Join(root, "notebooks", name))
			if ok && err == nil && sameCode([]byte(was), is) {
				continue
			}
		}
		c.dirty = true
		return c
	}
	return c
}

// sameCode tells whether two notebooks have the same code cells. What is no
// notebook has not.
func sameCode(a, b []byte) bool {
	x, ok1 := codeOf(a)
	y, ok2 := codeOf(b)
	return ok1 && ok2 && slices.Equal(x, y)
}

// codeOf lists the code of a notebook's cells. The format allows a cell's text
// to be one string or a list of them.
func codeOf(text []byte) (code []string, ok bool) {
	var notebook struct {
		Cells []struct {
			Type   string          `json:"cell_type"`
			Source json.RawMessage `json:"source"`
		} `json:"cells"`
	}
	if json.Unmarshal(text, &notebook) != nil {
		return nil, false
	}
	for _, cell := range notebook.Cells {
		if cell.Type != "code" {
			continue
		}
		var whole string
		var lines []string
		if json.Unmarshal(cell.Source, &whole) != nil && json.Unmarshal(cell.Source, &lines) != nil {
			return nil, false
		}
		code = append(code, whole+strings.Join(lines, ""))
	}
	return code, true
}
