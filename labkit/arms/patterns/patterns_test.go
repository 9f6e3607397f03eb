package patterns_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/arms"
	"shelflab/labkit/arms/patterns"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/records"
)

var classes = []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss}

func data(t *testing.T, p labkit.Plan) *turn.Data[records.Record] {
	t.Helper()
	d, err := turn.Records(p, p.N[0])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func plan(n int) labkit.Plan {
	return labkit.Plan{Name: "patterns", N: []int{n}, Rounds: 1, Keys: 5, Seed: 3}
}

// measured runs arms, which read back what they have written, and returns the
// metrics of each and the work in them.
func measured(t *testing.T, p labkit.Plan, list []labkit.Arm) map[string]map[string]int {
	t.Helper()
	series, err := labkit.Lab{Plan: p, Dir: t.TempDir()}.Measure(t.Context(), p.N[0], list)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]map[string]int{}
	for _, arm := range list {
		got[arm.Name] = map[string]int{}
	}
	for _, s := range series {
		got[s.Arm][s.Metric] = s.Work
	}
	return got
}

func TestLoad(t *testing.T) {
	p := plan(230) // the last batch of ten is full, of a hundred is not
	for _, class := range classes {
		list := patterns.Load(data(t, p), class)
		if len(list) != 12 || len(labkit.Results(list)) != 11 {
			t.Errorf("%d ways, %d with the control", len(labkit.Results(list)), len(list))
		}
		for name, has := range measured(t, p, list) {
			want := map[string]int{"write": 230, "put": 230, "disk": 0}
			if strings.HasPrefix(name, patterns.BlobSave) {
				delete(want, "put")
			}
			if diff := cmp.Diff(want, has); diff != "" {
				t.Errorf("%s: metrics and work (-want +got):\n%s", name, diff)
			}
		}
		checkNames(t, list, patterns.LoadComparisons(), class)
	}
}

func TestChange(t *testing.T) {
	p := plan(80)
	for _, class := range classes {
		list := patterns.Change(data(t, p), class)
		for _, arm := range list {
			want := map[string]int{"write": 80, "put": 80, "update": 1, "update open": 1, "disk": 0}
			if arm.Kind == turn.KindSnapshot {
				delete(want, "put")
			}
			if diff := cmp.Diff(want, measured(t, p, []labkit.Arm{arm})[arm.Name]); diff != "" {
				t.Errorf("%s: metrics and work (-want +got):\n%s", arm.Name, diff)
			}
		}
		checkNames(t, list, patterns.ChangeComparisons(), class)
	}
}

func TestRewrite(t *testing.T) {
	p := plan(120)
	for _, class := range classes {
		list, err := patterns.Rewrite(data(t, p), class)
		if err != nil || len(list) != 8 || len(labkit.Results(list)) != 7 {
			t.Fatal(len(list), err)
		}
		for name, has := range measured(t, p, list) {
			want := map[string]int{"write": 120, "put": 120, "replace": 120, "disk": 0}
			if strings.HasPrefix(name, patterns.BlobAgain) || name == patterns.PackAgain {
				delete(want, "put")
			}
			if diff := cmp.Diff(want, has); diff != "" {
				t.Errorf("%s: metrics and work (-want +got):\n%s", name, diff)
			}
		}
		checkNames(t, list, patterns.RewriteComparisons(), class)
	}
	still := data(t, p)
	still.Change = nil
	if _, err := patterns.Rewrite(still, labkit.ProcessCrash); !errors.Is(err, labkit.ErrPlan) {
		t.Errorf("records that do not change: %v", err)
	}
}

func TestFiles(t *testing.T) {
	p := plan(50)
	list := arms.Twins(data(t, p), patterns.InPlaceArm[records.Record], patterns.RenamedArm[records.Record], patterns.SaveArm[records.Record])
	for name, has := range measured(t, p, list) {
		if diff := cmp.Diff(map[string]int{"replace": 50, "disk": 0}, has); diff != "" {
			t.Errorf("%s: metrics and work (-want +got):\n%s", name, diff)
		}
	}
	var names []string
	for _, c := range patterns.FilesComparisons() {
		for _, name := range []string{c.A, c.B} {
			if !slices.ContainsFunc(list, func(a labkit.Arm) bool { return a.Name == name }) {
				t.Errorf("%q is compared, and is none of the arms", name)
			}
			names = append(names, name)
		}
	}
	for _, arm := range list {
		if !slices.Contains(names, arm.Name) {
			t.Errorf("%q is compared with nothing", arm.Name)
		}
	}
}

// checkNames looks that comparisons name arms, that each arm is compared, and that
// all write with the class.
func checkNames(t *testing.T, list []labkit.Arm, comparisons []labkit.Comparison, class labkit.Durability) {
	t.Helper()
	compared := map[string]bool{}
	for _, c := range comparisons {
		compared[c.A], compared[c.B] = true, true
	}
	for _, arm := range list {
		if !compared[arm.Name] || arm.Durability != class || arm.What == "" || arm.Kind == "" || arm.Pair == "" {
			t.Errorf("%+v is compared with nothing, or does not say what it is", arm)
		}
		delete(compared, arm.Name)
	}
	for name := range compared {
		t.Errorf("%q is compared, and is none of the arms", name)
	}
}

// Both ways leave the new content and nothing beside it; where the new one cannot
// be written the old one stays, unless it was overwritten in place.
func TestReplaceFile(t *testing.T) {
	for name, write := range map[string]func(string, []byte, labkit.Durability) error{
		"in place": patterns.Overwrite, "renamed": patterns.ReplaceFile,
	} {
		for _, class := range classes {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			for _, content := range []string{"old and longer", "new", ""} {
				if err := write(path, []byte(content), class); err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(path)
				if err != nil || string(got) != content {
					t.Errorf("%s, %s: %q, %v, want %q", name, class, got, err, content)
				}
			}
			if err := write(filepath.Join(dir, "none", "file"), nil, class); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s into a folder that is not there: %v", name, err)
			}
			if err := write(dir, []byte("new"), class); err == nil {
				t.Errorf("%s has replaced a folder", name)
			}
			left, err := filepath.Glob(filepath.Join(dir, "*"))
			beside, err2 := filepath.Glob(dir + ".*")
			if len(left) != 1 || len(beside) > 0 || err != nil || err2 != nil {
				t.Errorf("%s leaves %v and %v", name, left, beside)
			}
		}
	}
}
