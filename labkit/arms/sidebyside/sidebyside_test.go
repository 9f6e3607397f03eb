package sidebyside_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/arms/python"
	"shelflab/labkit/arms/sidebyside"
	"shelflab/labkit/arms/sidebyside/peers"
)

func plan() labkit.Plan {
	return labkit.Plan{Name: "sides", N: []int{40}, Rounds: 1, Keys: 5, Seed: 3}
}

// lists are what the two packages measure and compare.
var lists = map[string]struct {
	of          func(labkit.Plan, int) ([]labkit.Arm, error)
	comparisons []func() []labkit.Comparison
}{
	"sidebyside": {sidebyside.For, []func() []labkit.Comparison{sidebyside.Comparisons, sidebyside.MemoryComparisons}},
	"peers":      {peers.For, []func() []labkit.Comparison{peers.Comparisons}},
}

// Every arm that this machine has takes a turn; every one is compared, and nothing
// else is, with a Python and without one.
func TestArmsAndComparisons(t *testing.T) {
	for name, list := range lists {
		for _, with := range []bool{true, false} {
			if !with {
				t.Setenv(python.Variable, "no-such-python")
			}
			arms, err := list.of(plan(), 40)
			if err != nil {
				t.Fatal(err)
			}
			names := map[string]labkit.Arm{}
			for _, arm := range arms {
				if _, twice := names[arm.Name]; twice {
					t.Errorf("%s: %s is there twice", name, arm.Name)
				}
				names[arm.Name] = arm
			}
			compared := map[string]bool{}
			for _, comparisons := range list.comparisons {
				for _, c := range comparisons() {
					for _, arm := range []string{c.A, c.B} {
						if _, known := names[arm]; !known {
							t.Errorf("%s: %q of %q is no arm", name, arm, c.Label)
						}
						compared[arm] = true
					}
				}
			}
			for arm := range names {
				if !compared[arm] {
					t.Errorf("%s: %s is compared with nothing", name, arm)
				}
			}
			if !with && names[python.Default()].Unmeasured == "" {
				t.Errorf("%s: %s is measured without a Python", name, python.Default())
			}
			series, err := labkit.Lab{Plan: plan(), Dir: t.TempDir()}.Measure(t.Context(), 40, arms)
			if err != nil {
				t.Fatal(err)
			}
			for _, arm := range arms {
				has := slices.ContainsFunc(series, func(s labkit.Series) bool { return s.Arm == arm.Name })
				if has == (arm.Unmeasured != "") {
					t.Errorf("%s: %s was measured: %t, but %q", name, arm.Name, has, arm.Unmeasured)
				}
			}
		}
	}
}

// Every pair is asked after the same claims, the snapshot or the store in front as
// the claim has it.
func TestEveryPairIsAskedAfterEveryClaim(t *testing.T) {
	type put struct {
		claim, metric, against string
		snapshot               bool // is favoured
	}
	want := []put{
		{sidebyside.Written, "write", "", true},
		{sidebyside.Loaded, "read", "", true},
		{sidebyside.Opened, "gets", "", false},
		{sidebyside.Open, "gets open", "gets", false},
		{sidebyside.Smaller, "disk", "", true},
	}
	arms, err := sidebyside.For(plan(), 40)
	if err != nil {
		t.Fatal(err)
	}
	snapshot := func(name string) bool {
		at := slices.IndexFunc(arms, func(a labkit.Arm) bool { return a.Name == name })
		return arms[at].Kind == "snapshot"
	}
	var labels []string
	got := map[string][]put{}
	roles := map[string]labkit.Role{}
	for _, c := range sidebyside.Comparisons() {
		if !c.Role.Claims() {
			continue
		}
		if snapshot(c.A) == snapshot(c.B) {
			t.Errorf("%s: %s against %s are of one kind", c.Label, c.A, c.B)
		}
		if !slices.Contains(labels, c.Label) {
			labels = append(labels, c.Label)
		}
		got[c.Label], roles[c.Label] = append(got[c.Label], put{c.Claim, c.Metrics[0], c.Against, snapshot(c.A)}), c.Role
	}
	if len(labels) != 6 {
		t.Errorf("pairs %q", labels)
	}
	for i, label := range labels {
		if diff := cmp.Diff(want, got[label], cmp.AllowUnexported(put{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", label, diff)
		}
		if python := i < 3; python != (roles[label] == labkit.Claim) {
			t.Errorf("%s has the role %s", label, roles[label])
		}
	}
}
