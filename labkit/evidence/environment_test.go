package evidence_test

import (
	"encoding/json"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestLook(t *testing.T) {
	e := evidence.Look(t.TempDir())
	if e.OS != runtime.GOOS || e.Arch != runtime.GOARCH || e.Go != runtime.Version() || e.CPUs < 1 || e.GOMAXPROCS < 1 {
		t.Errorf("%+v", e)
	}
	if e.Kernel == "" || e.FileSystem == "" || e.Memory < 1<<20 || e.GOGC == "" || e.GOMEMLIMIT == "" || e.Modules == nil {
		t.Errorf("something is missing: %+v", e)
	}
	if e.Timer.Cost <= 0 || e.Timer.Grain <= 0 || e.DiskSize < 1 || e.DiskFree > e.DiskSize || e.LoadBefore != e.LoadAfter {
		t.Errorf("the clock, the disk or the load: %+v", e)
	}
	if !slices.Contains([]evidence.Answer{evidence.Yes, evidence.No, ""}, e.Virtual) || !slices.Contains([]evidence.Answer{evidence.Yes, evidence.No, ""}, e.Device.Rotates) {
		t.Errorf("virtual %q, device %+v", e.Virtual, e.Device)
	}
	if !regexp.MustCompile(`^([0-9a-f]{40})?$`).MatchString(e.Commit) { // none without git
		t.Errorf("commit %q", e.Commit)
	}
	if again := evidence.Look(t.TempDir()); again.Commit != e.Commit || again.Dirty != e.Dirty {
		t.Errorf("the program changed while it ran: %s %v, %s %v", e.Commit, e.Dirty, again.Commit, again.Dirty)
	}
	t.Setenv("GOGC", "off")
	t.Setenv("GOMEMLIMIT", "1GiB")
	if e := evidence.Look(t.TempDir()); e.GOGC != "off" || e.GOMEMLIMIT != "1GiB" {
		t.Errorf("GOGC %q, GOMEMLIMIT %q", e.GOGC, e.GOMEMLIMIT)
	}
	if e := evidence.Look(filepath.Join(t.TempDir(), "nowhere")); e.FileSystem != "" || e.OS == "" {
		t.Errorf("of a folder that is not there: %+v", e)
	}
}

// Evidence is handed on: it must not say whose machine it is.
func TestEnvironmentNamesNobody(t *testing.T) {
	e := evidence.Look(t.TempDir())
	// These hold words of the trade, which a machine or its user may be called
	// by as well.
	e.Modules, e.OS, e.Arch, e.CPU, e.Go = nil, "", "", "", ""
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if host, err := os.Hostname(); err == nil {
		names = append(names, host)
	}
	if u, err := user.Current(); err == nil {
		names = append(names, u.Username, u.HomeDir)
	}
	if len(names) == 0 {
		t.Fatal("this machine has no names to look for")
	}
	for _, name := range names {
		if len(name) > 1 && regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(name)+`(\W|$)`).Match(text) {
			t.Errorf("the environment names %q: %s", name, text)
		}
	}
}

// earlier lays down the evidence of n = 500, measured in an environment that
// differs by change, an hour ago.
func earlier(t *testing.T, dir string, change func(*evidence.Environment)) evidence.Environment {
	t.Helper()
	run := made()
	run.Environment = evidence.Look(dir)
	change(&run.Environment)
	run.Updated = time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	run.Series, run.Metrics = sample(500), labkit.AllMetrics()
	write(t, filepath.Join(dir, evidence.SummaryName), text(t, run))
	return run.Environment
}

func TestSizesOfAnotherEnvironmentAreTold(t *testing.T) {
	dir := t.TempDir()
	there := earlier(t, dir, func(e *evidence.Environment) { e.Go, e.Dirty = "go1.25.0", !e.Dirty })
	run := keep(t, dir, plan(), 2000, sample(2000))
	if run.Environment.Dirty == there.Dirty || len(run.Earlier) == 1 && run.Earlier[0].Environment.Dirty != there.Dirty {
		t.Errorf("uncommitted changes there: %v; now %v, earlier %+v", there.Dirty, run.Environment.Dirty, run.Earlier)
	}
	if len(run.Earlier) != 1 || !slices.Equal(run.Earlier[0].N, []int{500}) || run.Earlier[0].Environment.Go != there.Go || run.Environment.Go != runtime.Version() {
		t.Fatalf("earlier %+v, now %s", run.Earlier, run.Environment.Go)
	}
	warned := slices.ContainsFunc(run.Warnings, func(w evidence.Warning) bool {
		return w.Text == "n = 500 was measured earlier and in another environment than the rest: it differs in Go version."
	})
	if !warned || !run.Complete {
		t.Errorf("complete %v, warnings %v", run.Complete, run.Warnings)
	}
	if err := evidence.Verify(filepath.Join(dir, evidence.SummaryName)); err != nil {
		t.Error(err)
	}
	again := keep(t, dir, plan(), 500, sample(500))
	if len(again.Earlier) != 0 {
		t.Errorf("after all sizes were measured here: %+v", again.Earlier)
	}
}

func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*evidence.Environment)
		want   []string
	}{
		{"nothing", func(*evidence.Environment) {}, nil},
		{"another machine", func(e *evidence.Environment) {
			e.Kernel, e.CPU, e.Memory, e.Virtual, e.Device.Rotates = "6.2.0", "another", 1<<30, evidence.No, evidence.Yes
		}, []string{"system", "processor", "memory", "virtual machine", "device"}},
		{"another program", func(e *evidence.Environment) {
			e.Go, e.GOGC, e.Commit, e.Modules = "go1.27.0", "off", "other", map[string]string{"example.org/store": "v2.0.0"}
		}, []string{"Go version", "Go settings", "example.org/store", "commit"}},
		{"what changes from hour to hour", func(e *evidence.Environment) {
			e.LoadBefore, e.LoadAfter, e.DiskFree, e.Timer.Cost, e.Dirty = 1, 9, 1, 1e-6, true
		}, nil},
		{"what an older lab did not take down", func(e *evidence.Environment) {
			e.Virtual, e.Device, e.DiskSize = "", evidence.Device{}, 0
		}, nil},
	} {
		a, b := made().Environment, made().Environment
		c.change(&b)
		for _, got := range [][]string{evidence.Differences(a, b), evidence.Differences(b, a)} {
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
	}
}

func TestSizesOfOneEnvironmentBelongTogether(t *testing.T) {
	for name, change := range map[string]func(*evidence.Environment){
		"nothing":                  func(*evidence.Environment) {},
		"load":                     func(e *evidence.Environment) { e.LoadBefore += 1000 },
		"uncommitted changes":      func(e *evidence.Environment) { e.Dirty = !e.Dirty },
		"what one does not tell":   func(e *evidence.Environment) { e.Virtual, e.Device, e.DiskFree = "", evidence.Device{}, 0 },
		"a module that one links":  func(e *evidence.Environment) { e.Modules["example.org/chart"] = "v1.0.0" },
		"a module the other links": func(e *evidence.Environment) { e.Modules = map[string]string{} },
	} {
		dir := t.TempDir()
		there := earlier(t, dir, change)
		run := keep(t, dir, plan(), 2000, sample(2000))
		if len(run.Earlier) != 0 {
			t.Errorf("%s: %+v", name, run.Earlier)
		}
		if there.Dirty && !run.Environment.Dirty {
			t.Errorf("%s: it is forgotten that there were uncommitted changes", name)
		}
		if name == "load" && run.Environment.LoadBefore > there.LoadBefore-500 {
			t.Errorf("an hour later the load before the run is %v, as it was then: %v", run.Environment.LoadBefore, there.LoadBefore)
		}
	}
}

// The load before the second cell is the first cell's own work.
func TestLoadIsThatBeforeTheRun(t *testing.T) {
	dir := t.TempDir()
	run := made()
	run.Environment = evidence.Look(dir)
	run.Environment.LoadBefore = 0.0625
	run.Updated, run.Metrics, run.Series = time.Now().UTC().Truncate(time.Second), labkit.AllMetrics(), sample(500)
	write(t, filepath.Join(dir, evidence.SummaryName), text(t, run))
	if got := keep(t, dir, plan(), 2000, sample(2000)).Environment.LoadBefore; got != 0.0625 {
		t.Errorf("load before the run: %v, want 0.0625", got)
	}
}

func TestDir(t *testing.T) {
	p := labkit.Plan{Name: "01_test"}
	t.Setenv(evidence.OutVariable, "/out")
	if got, err := evidence.Dir(p); err != nil || got != filepath.Join("/out", "01_test") {
		t.Errorf("with %s: %s, %v", evidence.OutVariable, got, err)
	}
	t.Setenv(evidence.OutVariable, "")
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := evidence.Dir(p); err != nil || got != filepath.Join(root, "data", "01_test") {
		t.Errorf("in the repository: %s, %v", got, err)
	}
	t.Setenv("GONB_DIR", filepath.Join(root, "notebooks", "deep")) // need not exist
	t.Chdir(t.TempDir())
	if got, err := evidence.Dir(p); err != nil || got != filepath.Join(root, "data", "01_test") {
		t.Errorf("in a cell: %s, %v", got, err)
	}
	t.Setenv("GONB_DIR", "")
	if got, err := evidence.Dir(p); err == nil {
		t.Errorf("outside of the repository: %s, want an error", got)
	}
}
