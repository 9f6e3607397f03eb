package labkit_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
)

// coldArm writes a file and reads it, except in the round lazy.
func coldArm(lazy int) labkit.Arm {
	return labkit.Arm{Name: "file", Measure: func(_ context.Context, r *labkit.Round) error {
		r.Payload = mebi
		err := r.Time(labkit.Write, 1, func() error { return os.WriteFile(r.Path, make([]byte, mebi), 0o600) })
		if err != nil {
			return err
		}
		if err := r.Size(labkit.Disk, mebi); err != nil {
			return err
		}
		for _, m := range []labkit.Metric{labkit.Read, labkit.Gets, labkit.GetsOpen} {
			err := r.Time(m, 1, func() error {
				return r.Lap(labkit.Scan, 1, func() error {
					if r.Number == lazy {
						return nil
					}
					_, err := os.ReadFile(r.Path)
					return err
				})
			})
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

// A read is cold in every round, or there is no time of it and a reason. Which
// of the two depends on the file system that the tests run on.
func TestColdOrNotMeasured(t *testing.T) {
	series, without, err := labkit.Lab{Plan: plan(3), Dir: t.TempDir()}.MeasureCold(t.Context(), 10, []labkit.Arm{coldArm(-1)})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range labkit.ColdMetrics() {
		at := slices.IndexFunc(series, func(s labkit.Series) bool { return s.Metric == m.Name })
		not := slices.ContainsFunc(without, func(u labkit.Unmeasured) bool { return u.Metric == m.Name && u.Arm == "file" && u.Why != "" })
		if at >= 0 == not {
			t.Errorf("%s: series %v, unmeasured %v", m.Name, series, without)
		}
		if at >= 0 && (len(series[at].Samples) != 3 || series[at].Unit != "s" || series[at].Work != 1) {
			t.Errorf("series %+v", series[at])
		}
	}
	if len(series)+len(without) != len(labkit.ColdMetrics()) {
		t.Errorf("more than the cold reads: %v, %v", series, without)
	}
}

// A time during which nothing came from the device is no cold time, and takes
// those of the other rounds with it; Keep is not given them either at the end.
func TestWarmReadIsNotTakenForACold(t *testing.T) {
	for lazy := range 3 {
		var kept []labkit.Series
		lab := labkit.Lab{Plan: plan(3), Dir: t.TempDir(), Keep: func(s []labkit.Series) error { kept = s; return nil }}
		series, without, err := lab.MeasureCold(t.Context(), 10, []labkit.Arm{coldArm(lazy)})
		if err != nil || len(series) > 0 || len(kept) > 0 || len(without) != len(labkit.ColdMetrics()) {
			t.Errorf("lazy in round %d: %v, %v, unmeasured %v, error %v", lazy, series, kept, without, err)
		}
		for _, u := range without {
			if u.Arm != "file" || u.N != 10 || u.Why == "" || strings.HasSuffix(u.Why, ".") {
				t.Errorf("%+v", u)
			}
		}
	}
}

func TestControlsAreLeftOut(t *testing.T) {
	again := coldArm(-1)
	again.Name, again.Control = "file, again", true
	var arms []string
	lab := labkit.Lab{Plan: plan(1), Dir: t.TempDir(), Progress: func(p labkit.Progress) { arms = append(arms, p.Arm) }}
	if _, _, err := lab.MeasureCold(t.Context(), 10, []labkit.Arm{coldArm(-1), again}); err != nil || !slices.Equal(arms, []string{"file"}) {
		t.Errorf("turns of %q, error %v", arms, err)
	}
}
