package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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
			return "", fmt.Errorf("no shelflab repository at or above %s: run from inside it, or set %s to a folder, in a notebook by a cell with %%env %[2]s=/a/folder", start, OutVariable)
		}
	}
}

// Load reads the evidence of a plan from the folder of its run. It returns
// ErrNone where nothing was measured yet and ErrOtherPlan where the plan has
// changed since; the texts say what to run. A run that is incomplete is
// returned as it is: its Missing sizes and first warning say so. What follows
// from the samples is computed anew, so that nothing is shown that does not.
func Load(dir string, plan labkit.Plan) (*Run, error) {
	run, err := Read(filepath.Join(dir, SummaryName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w for %s: run the sweep first", ErrNone, plan)
	case err != nil:
		return nil, err
	case run.Plan.Fingerprint() != plan.Fingerprint(): // not the one that stands there
		return nil, fmt.Errorf("%w: measured was\n  %s\nbut the parameters are now\n  %s\nRun the sweep again, or set the parameters back", ErrOtherPlan, run.Plan, plan)
	}
	if err := run.compute(); err != nil {
		return nil, fmt.Errorf("%s: %w: %v", dir, ErrFormat, err)
	}
	return run, nil
}

// Read reads one summary.json, of any plan, and computes nothing anew: see
// Verify for that. What is not evidence, hangs together badly or is of a newer
// schema is ErrFormat. Somebody else's file is safe to read.
func Read(path string) (*Run, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	run, err := parse(text)
	if err == nil {
		if faults := run.faults(); len(faults) > 0 {
			err = fmt.Errorf("%w:%s", ErrFormat, places(faults))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return run, nil
}

// maxFile is the largest file of JSON that is read: a full run is a few hundred
// kilobytes.
const maxFile = 64 << 20 // bytes

// readFile reads a regular file that is not too large to be one of ours.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w: it is no file", path, ErrFormat)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s: %w: %s is more than the %s that evidence may take", path, ErrFormat,
			Quantity(float64(info.Size()), "B"), Quantity(maxFile, "B"))
	}
	return os.ReadFile(path)
}

// maxValues is how many values a summary.json may hold: an empty one of three bytes
// takes a hundred in memory. A full run has some ten thousand.
const maxValues = 4_000_000

// parse reads the text of a summary.json as far as that needs no look at what
// is in it: its plan is valid, everything else may be anything.
func parse(text []byte) (*Run, error) {
	var head struct { // first, since a newer lab may write anything below it
		Schema int `json:"schema"`
	}
	if json.Unmarshal(text, &head) == nil && head.Schema > Schema {
		return nil, fmt.Errorf("%w: schema %d is newer than this lab's %d: update the lab", ErrFormat, head.Schema, Schema)
	}
	values := 0 // or a few more: a sentence holds commas, too
	for _, mark := range []string{"{", "[", ","} {
		values += bytes.Count(text, []byte(mark))
	}
	if values > maxValues {
		return nil, fmt.Errorf("%w: it holds %s values, more than the %s that evidence may have", ErrFormat, Count(values), Count(maxValues))
	}
	var run Run
	if err := json.Unmarshal(text, &run); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	switch err := run.Plan.Validate(); {
	case run.Schema < 1:
		return nil, fmt.Errorf("%w: it has no schema, so it is no summary.json", ErrFormat)
	case err != nil:
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	return &run, nil
}
