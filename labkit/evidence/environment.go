package evidence

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// Environment is where a run was measured. It names no host and no user.
// A value that the system does not tell is empty or zero.
type Environment struct {
	OS         string  `json:"os"`
	Arch       string  `json:"arch"`
	Kernel     string  `json:"kernel"`
	CPU        string  `json:"cpu"`
	CPUs       int     `json:"cpus"`        // logical cores that the process may use
	Memory     int64   `json:"memory"`      // bytes
	FileSystem string  `json:"file_system"` // of the run's folder: "ext4", "tmpfs"
	LoadBefore float64 `json:"load_before"` // mean run queue of the last minute, before the run

	Go         string            `json:"go"`
	GOMAXPROCS int               `json:"gomaxprocs"`
	GOGC       string            `json:"gogc"`
	GOMEMLIMIT string            `json:"gomemlimit"`
	Modules    map[string]string `json:"modules"` // version of each module linked into the program that measured
	Commit     string            `json:"commit"`  // of the lab's repository
	Dirty      bool              `json:"dirty"`   // it held uncommitted changes
}

// Look collects the environment of a run in the folder dir, which exists.
// It takes some tens of milliseconds and never fails.
func Look(dir string) Environment {
	e := Environment{
		OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPUs: runtime.NumCPU(), GOMAXPROCS: runtime.GOMAXPROCS(0), Go: runtime.Version(),
		GOGC: set("GOGC", "100"), GOMEMLIMIT: set("GOMEMLIMIT", "off"),
		Modules: map[string]string{},
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Replace == nil { // a replaced module is a folder of this machine
				e.Modules[m.Path] = m.Version
			}
		}
	}
	e.machine(dir)
	e.repository()
	return e
}

// differences names what sets two environments apart, as far as it may change
// what is measured. The load does not count, nor whether there were uncommitted
// changes (a notebook is saved between two of its cells), nor a module that
// only one of two programs links.
func differences(a, b Environment) []string {
	var list []string
	add := func(name string, differ bool) {
		if differ {
			list = append(list, name)
		}
	}
	add("system", a.OS != b.OS || a.Arch != b.Arch || a.Kernel != b.Kernel)
	add("processor", a.CPU != b.CPU || a.CPUs != b.CPUs)
	add("memory", a.Memory != b.Memory)
	add("file system", a.FileSystem != b.FileSystem)
	add("Go version", a.Go != b.Go)
	add("Go settings", a.GOMAXPROCS != b.GOMAXPROCS || a.GOGC != b.GOGC || a.GOMEMLIMIT != b.GOMEMLIMIT)
	for _, module := range slices.Sorted(maps.Keys(a.Modules)) {
		version, both := b.Modules[module]
		add(module, both && version != a.Modules[module])
	}
	add("commit", a.Commit != b.Commit)
	return list
}

func set(variable, otherwise string) string {
	if v := os.Getenv(variable); v != "" {
		return v
	}
	return otherwise
}

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
// command has built in, or else (a cell, `go run`) what git says of the lab's
// repository; without either it is empty. It looks once: a program does not
// change while it runs, whatever is committed meanwhile.
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
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	git := func(args ...string) (string, bool) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err == nil
	}
	commit, ok := git("rev-parse", "HEAD")
	if !ok {
		return checkout{}
	}
	changes, ok := git("status", "--porcelain")
	return checkout{commit, !ok || changes != ""}
})
