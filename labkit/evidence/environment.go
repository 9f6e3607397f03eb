package evidence

import (
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"

	"golang.org/x/sys/unix"

	"shelflab/labkit"
)

// Environment is where a run was measured. It names no host and no user, and no
// serial number. A value that the system does not tell is empty or zero.
type Environment struct {
	OS         string  `json:"os"`                   // as GOOS: "linux"
	Arch       string  `json:"arch"`                 // as GOARCH: "amd64"
	Kernel     string  `json:"kernel"`               // its release
	Virtual    Answer  `json:"virtual,omitempty"`    // whether the machine is a virtual one
	CPU        string  `json:"cpu"`                  // its name
	CPUs       int     `json:"cpus"`                 // logical cores that the process may use
	Memory     int64   `json:"memory"`               // bytes of the machine
	FileSystem string  `json:"file_system"`          // of the run's folder: "ext4", "tmpfs"
	Device     Device  `json:"device,omitzero"`      // that the run's folder is on
	DiskSize   int64   `json:"disk_size,omitempty"`  // bytes of that file system
	DiskFree   int64   `json:"disk_free,omitempty"`  // bytes of it that the process may still use, when the last sample was kept
	LoadBefore float64 `json:"load_before"`          // mean run queue of the last minute, before the run
	LoadAfter  float64 `json:"load_after,omitempty"` // the same when the last sample was kept: the run's own load is in it

	// Timer is what the clock took when the run began.
	Timer labkit.Timer `json:"timer,omitzero"`

	Go         string            `json:"go"`         // version of Go
	GOMAXPROCS int               `json:"gomaxprocs"` // threads that run Go code at once
	GOGC       string            `json:"gogc"`       // the variable: per cent of the live heap that may become garbage
	GOMEMLIMIT string            `json:"gomemlimit"` // the variable, with its unit
	Modules    map[string]string `json:"modules"`    // version of each module linked into the program that measured
	Commit     string            `json:"commit"`     // of the lab's repository

	// Dirty: what was measured need not be what the commit holds. For a program
	// that Go has stamped with the commit it is what Go says: there was any
	// uncommitted change when it was built. For any other, such as a cell's,
	// there were uncommitted changes in what it may be built from: the folder
	// labkit, files of the module (go.mod, go.sum, go.work, vendor), or the code
	// of a notebook in the folder notebooks, whichever ran, as it lies on disk.
	// A notebook's outputs and prose, the data folder, documents and whatever
	// git ignores do not count. (Labs of before counted these too,
	// so that a run into a folder that is committed was always dirty.)
	Dirty bool `json:"dirty"`
}

// Answer is Yes, No or, where the system does not tell, empty.
type Answer string

const (
	Yes Answer = "yes"
	No  Answer = "no"
)

// Device is the block device below a folder. All of it is empty where the
// folder is on none, such as a network's, or the system does not tell.
type Device struct {
	Name    string `json:"name,omitempty"`    // of the whole device: "nvme0n1"
	Model   string `json:"model,omitempty"`   // as its maker calls it
	Rotates Answer `json:"rotates,omitempty"` // whether it is a spinning disk
}

// Look collects the environment of a run in the folder dir, which exists.
// It takes some tens of milliseconds and never fails.
func Look(dir string) Environment {
	e := Environment{
		OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPUs: runtime.NumCPU(), GOMAXPROCS: runtime.GOMAXPROCS(0), Go: runtime.Version(),
		GOGC: set("GOGC", "100"), GOMEMLIMIT: set("GOMEMLIMIT", "off"),
		Modules: map[string]string{}, Timer: labkit.MeasureTimer(labkit.Monotonic),
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Replace == nil { // a replaced module is a folder of this machine
				e.Modules[m.Path] = m.Version
			}
		}
	}
	e.machine(dir)
	e.state(dir)
	e.LoadBefore = e.LoadAfter
	e.repository()
	return e
}

// state takes down what changes while a run goes on.
func (e *Environment) state(dir string) {
	e.LoadAfter = load()
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) == nil {
		e.DiskSize = int64(fs.Blocks) * int64(fs.Bsize)
		e.DiskFree = int64(fs.Bavail) * int64(fs.Bsize)
	}
}

// differences names what sets two environments apart, as far as it may change
// what is measured. The load and the free space do not count, nor whether there were uncommitted
// changes (a notebook is saved between two of its cells), nor a module that
// only one of two programs links, nor what an older lab did not take down.
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
	add("virtual machine", a.Virtual != "" && b.Virtual != "" && a.Virtual != b.Virtual)
	add("file system", a.FileSystem != b.FileSystem)
	add("device", a.Device != Device{} && b.Device != Device{} && a.Device != b.Device)
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
