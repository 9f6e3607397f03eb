package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"

	"shelflab/labkit"
)

// OutVariable is the environment variable that says where runs are kept; `lab
// run --out` sets it for the cells of a notebook.
const OutVariable = "SHELFLAB_OUT"

// SummaryName is the file of a run that holds its Run.
const SummaryName = "summary.json"

// Dir returns the folder of the plan's run: <out>/<plan's name>, where out is
// $SHELFLAB_OUT or else the data folder of the lab's repository, which is
// looked for from the notebook's folder upwards. The folder need not exist.
func Dir(plan labkit.Plan) (string, error) {
	if out := os.Getenv(OutVariable); out != "" {
		return filepath.Join(out, plan.Name), nil
	}
	root, err := RepositoryRoot()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "data", plan.Name), nil
}

// RepositoryRoot finds the lab's repository: the folder with this module's
// go.mod, at or above the notebook's folder or the working directory.
func RepositoryRoot() (string, error) {
	start := os.Getenv("GONB_DIR") // a cell runs in a temporary folder; GoNB tells the notebook's
	if start == "" {
		var err error
		if start, err = os.Getwd(); err != nil {
			return "", err
		}
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(text, []byte("module shelflab\n")) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no shelflab repository at or above %s: run from inside it, or set %s to a folder", start, OutVariable)
		}
	}
}

// Load reads the evidence of a plan from the folder of its run. It returns
// ErrNone where nothing was measured yet and ErrOtherPlan where the plan has
// changed since; the texts say what to run. A run that is incomplete is
// returned as it is: its Missing sizes and first warning say so.
func Load(dir string, plan labkit.Plan) (*Run, error) {
	run, err := Read(filepath.Join(dir, SummaryName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w for %s: run the sweep first", ErrNone, plan)
	case err != nil:
		return nil, err
	case run.Fingerprint != plan.Fingerprint():
		return nil, fmt.Errorf("%w: measured was\n  %s\nbut the parameters are now\n  %s\nRun the sweep again, or set the parameters back", ErrOtherPlan, run.Plan, plan)
	}
	return run, nil
}

// Read reads one summary.json, of any plan, and computes nothing anew. What is
// not evidence, or of a newer schema, is ErrFormat.
func Read(path string) (*Run, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var run Run
	if err := json.Unmarshal(text, &run); err != nil {
		return nil, fmt.Errorf("%s: %w: %v", path, ErrFormat, err)
	}
	switch {
	case run.Schema > Schema:
		return nil, fmt.Errorf("%s: %w: schema %d is newer than this lab's %d: update the lab", path, ErrFormat, run.Schema, Schema)
	case run.Schema < 1 || run.Plan.Validate() != nil:
		return nil, fmt.Errorf("%s: %w: it holds no valid schema and plan", path, ErrFormat)
	}
	return &run, nil
}

// Recorder writes a run while it is measured. It holds the folder's lock until
// Close, so that no other process measures into it.
type Recorder struct {
	Dir string
	run *Run
	mu  *flock.Flock
}

// Record begins or goes on with the run of a plan in dir, which is created.
// What the same plan and arms have measured before stays until it is measured
// again; the summary of another plan is kept aside as summary-<plan>.json. If
// another process is measuring there it returns ErrBusy.
func Record(dir string, plan labkit.Plan, arms []labkit.Arm, comparisons []Comparison) (*Recorder, error) {
	if err := plan.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(dir, ".lock"))
	if ok, err := lock.TryLock(); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	} else if !ok {
		return nil, fmt.Errorf("%w: %s: wait until it ends, or give another --out", ErrBusy, dir)
	}
	rec := &Recorder{Dir: dir, mu: lock}
	if err := rec.begin(plan, arms, comparisons); err != nil {
		lock.Unlock()
		return nil, err
	}
	return rec, nil
}

func (rec *Recorder) begin(plan labkit.Plan, arms []labkit.Arm, comparisons []Comparison) error {
	path := filepath.Join(rec.Dir, SummaryName)
	old, err := Read(path)
	if err == nil && old.Fingerprint == plan.Fingerprint() && sameArms(old.Arms, arms) {
		rec.run = old
		rec.run.Comparisons = comparisons
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) { // set aside, readable or not: nothing is lost
		name := "summary-unreadable.json"
		if err == nil {
			name = "summary-" + old.Fingerprint + ".json"
		}
		if err := os.Rename(path, filepath.Join(rec.Dir, name)); err != nil {
			return err
		}
	}
	rec.run = &Run{
		Schema: Schema, Plan: plan, Started: now(), Environment: Look(rec.Dir),
		Arms: arms, Metrics: labkit.Metrics(), Comparisons: comparisons,
	}
	return nil
}

func sameArms(a, b []labkit.Arm) bool {
	return slices.EqualFunc(a, b, func(x, y labkit.Arm) bool {
		return x.Name == y.Name && x.What == y.What && x.Durability == y.Durability
	})
}

// Keep replaces what the run has of n by series, computes everything anew and
// writes summary.json and bench.txt atomically. A crash leaves the old content
// or the new.
func (rec *Recorder) Keep(n int, series []labkit.Series) error {
	run := rec.run
	run.Series = slices.DeleteFunc(slices.Clone(run.Series), func(s labkit.Series) bool { return s.N == n })
	run.Series = append(run.Series, series...)
	slices.SortStableFunc(run.Series, func(a, b labkit.Series) int { return a.N - b.N })
	run.Updated = now()
	if err := run.compute(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(run, "", " ")
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(filepath.Join(rec.Dir, SummaryName), append(text, '\n'), 0o644); err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(rec.Dir, BenchName), run.Bench(), 0o644)
}

// Run is the run as it stands.
func (rec *Recorder) Run() *Run { return rec.run }

// Close gives the folder's lock back. What was kept is on disk already.
func (rec *Recorder) Close() error { return rec.mu.Unlock() }

// now is the time to the second in UTC: all that evidence needs to tell.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }
