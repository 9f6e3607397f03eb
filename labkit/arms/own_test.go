package arms_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms"
)

// ownPlan is a small plan over the sample that ships, or a copy of it.
func ownPlan(t *testing.T, path string, values map[string]string) labkit.Plan {
	t.Helper()
	plan := labkit.Plan{Name: "own", N: []int{40}, Rounds: 1, Keys: 10, Seed: 1}
	all := map[string]string{"records": path}
	for name, value := range values {
		all[name] = value
	}
	if err := labkit.SetParams(&plan, all); err != nil {
		t.Fatal(err)
	}
	return plan
}

func sample(name string) string { return filepath.Join("..", "..", "data", "samples", name) }

// Every arm keeps the user's own records: what it reads has their checksum, or
// its turn fails.
func TestLabOverAFile(t *testing.T) {
	for _, name := range []string{"orders.jsonl", "orders.csv"} {
		plan := ownPlan(t, sample(name), map[string]string{"key": "id"})
		for what, make := range map[string]func(labkit.Plan, int) ([]labkit.Arm, error){"lab": arms.LabFor, "both classes": arms.BothClassesFor} {
			list, err := make(plan, 40)
			if err != nil {
				t.Fatal(err)
			}
			series, err := labkit.Lab{Plan: plan, Dir: t.TempDir()}.Measure(t.Context(), 40, list)
			if err != nil {
				t.Fatalf("%s of %s: %v", what, name, err)
			}
			measured := map[string]bool{}
			for _, s := range series {
				measured[s.Arm] = true
			}
			if len(measured) != len(list) || len(list) < 8 {
				t.Errorf("%s of %s: %d of %d arms", what, name, len(measured), len(list))
			}
		}
	}
}

func TestLabForTheLabsOwn(t *testing.T) {
	plan := labkit.Plan{Name: "x", N: []int{20}, Rounds: 1, Keys: 5, Seed: 1}
	list, err := arms.LabFor(plan, 20)
	both, err2 := arms.BothClassesFor(plan, 20)
	if err != nil || err2 != nil || len(list) != 8 || len(both) != 12 {
		t.Errorf("%d and %d arms, %v, %v", len(list), len(both), err, err2)
	}
}

func TestOwnRefuses(t *testing.T) {
	content, err := os.ReadFile(sample("orders.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "orders.jsonl")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(string(content))
	plan := ownPlan(t, path, map[string]string{"key": "id"})
	if _, err := arms.LabFor(plan, 801); !errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), "has 800 records") {
		t.Errorf("more than the file has: %v", err)
	}
	write(string(content) + "{\"id\":\"new\"}\n")
	if _, err := arms.LabFor(plan, 40); !errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("a file that has changed: %v", err)
	}
	write(string(content) + "oops\n")
	plan = ownPlan(t, path, nil)
	if _, err := arms.BothClassesFor(plan, 40); err == nil || !strings.Contains(err.Error(), "line 801") {
		t.Errorf("a bad line: %v", err)
	}
}

func TestNamed(t *testing.T) {
	all := arms.Lab(&arms.Data[int]{}, labkit.ProcessCrash)
	for names, want := range map[string]int{"": len(all), " ": len(all), "blob; shelf, bulk": 2, "shelf, bulk;blob;blob": 2, "none": 0} {
		got := arms.Named(all, names)
		if len(got) != want {
			t.Errorf("%q names %q", names, arms.Names(got))
		}
	}
	if got := arms.Names(arms.Named(all, "blob; shelf, bulk")); got[0] != "shelf, bulk" || got[1] != "blob" {
		t.Errorf("%q are not in the order of the arms", got)
	}
}
