//go:build !race

package labkit_test

import (
	"strings"
	"testing"

	"shelflab/labkit"
)

// The race detector's own memory would count, so this is not run under it.

// An arm that needs more than the limit is a result, in every round, and the arms
// beside it are measured.
func TestDataLimit(t *testing.T) {
	p := plan(3)
	p.DataLimit = 256 * mebi
	arms := append(append(turnArm("holds"), turnArm("hoards")...), turnArm("hoards at times")...)
	arms = append(arms, turnArm("has no thread")...)
	series, without, err := labkit.Lab{Plan: p, Dir: t.TempDir()}.MeasureResources(t.Context(), 10, arms)
	if err != nil {
		t.Fatal(err)
	}
	own := labkit.OwnMemory.Of(labkit.Read).Name
	found := false
	for _, s := range series {
		if s.Arm != "holds" {
			t.Errorf("%s has %d samples of %s", s.Arm, len(s.Samples), s.Metric)
		}
		if s.Metric == own {
			found = true
			for _, x := range s.Samples {
				if x < 4*mebi || x > 256*mebi {
					t.Errorf("own memory %v of 8 MiB under a limit of 256 MiB", x)
				}
			}
		}
	}
	if !found {
		t.Errorf("no %s in %+v", own, series)
	}
	if len(without) != 3 {
		t.Fatalf("unmeasured: %+v", without)
	}
	for _, u := range without {
		if u.Metric != own || !strings.HasPrefix(u.Why, "out of memory, with 268435456 bytes of its own (") || strings.Contains(u.Why, "\n") {
			t.Errorf("%+v", u)
		}
	}
}

// What fails for another reason is an error under a limit too.
func TestDataLimitHidesNoError(t *testing.T) {
	p := plan(1)
	p.DataLimit = 256 * mebi
	for _, name := range []string{"fails", "reads wrong", "exits"} {
		_, without, err := labkit.Lab{Plan: p, Dir: t.TempDir()}.MeasureResources(t.Context(), 10, turnArm(name))
		if err == nil || len(without) > 0 {
			t.Errorf("%s: %v, %+v", name, err, without)
		}
	}
}
