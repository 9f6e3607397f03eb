package evidence_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// keptIn measures a plan of one arm in a folder, with a chart beside it.
func keptIn(t *testing.T, dir string, plan labkit.Plan) {
	t.Helper()
	rec, err := evidence.Record(dir, plan, []labkit.Arm{{Name: "a"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	series := labkit.Series{Arm: "a", N: plan.N[0], Metric: labkit.Disk.Name, Unit: labkit.Disk.Unit, Samples: []float64{4096}, Turns: labkit.Turns{1}}
	if err := rec.Keep(plan.N[0], []labkit.Series{series}); err != nil {
		t.Fatal(err)
	}
	charts := filepath.Join(dir, evidence.ChartsName)
	if err := errors.Join(os.MkdirAll(charts, 0o755), os.WriteFile(filepath.Join(charts, "x.svg"), []byte("<svg></svg>"), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestSave(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "new")
	if err := evidence.Save(from, to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing to save: %v", err)
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("a folder was made for nothing")
	}
	plan := labkit.Plan{Name: "p", N: []int{10}, Rounds: 1, Keys: 1, Seed: 1}
	keptIn(t, from, plan)
	for range 2 { // again is the same
		if err := evidence.Save(from, to); err != nil {
			t.Fatal(err)
		}
		if err := evidence.Verify(to); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{evidence.SummaryName, evidence.BenchName, filepath.Join(evidence.ChartsName, "x.svg")} {
		a, errA := os.ReadFile(filepath.Join(from, name))
		b, errB := os.ReadFile(filepath.Join(to, name))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s is another one: %v, %v", name, errA, errB)
		}
	}

	// What another plan had there is kept aside.
	old := plan.Fingerprint()
	plan.Seed = 2
	keptIn(t, from, plan)
	if err := evidence.Save(from, to); err != nil {
		t.Fatal(err)
	}
	run, err := evidence.Read(filepath.Join(to, evidence.SummaryName))
	if err != nil || run.Plan.Seed != 2 {
		t.Errorf("%v, %+v", err, run)
	}
	if _, err := evidence.Read(filepath.Join(to, "summary-"+old+".json")); err != nil {
		t.Errorf("the run of the plan before: %v", err)
	}
	rec, err := evidence.Record(to, plan, []labkit.Arm{{Name: "a"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if err := evidence.Save(from, to); !errors.Is(err, evidence.ErrBusy) {
		t.Errorf("where something is measured: %v", err)
	}
}
