package labkit_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
)

// What another process tells becomes samples as it is told, a repeated operation
// in batches that the warm-up finds.
func TestTold(t *testing.T) {
	var calls []int
	arm := labkit.Arm{Name: "a", Measure: func(_ context.Context, r *labkit.Round) error {
		err := r.TimeTold(labkit.Read, 10, func() (labkit.Told, error) {
			return labkit.Told{Seconds: 4}, r.LapTold(labkit.Scan, 10, 3)
		})
		return errors.Join(err, r.RepeatTold(labkit.GetsOpen, 5, func(size int) (labkit.Told, error) {
			calls = append(calls, size)
			return labkit.Told{Seconds: 40e-6 * float64(size)}, nil
		}))
	}}
	lab := labkit.Lab{Plan: plan(2), Dir: t.TempDir(), Timer: labkit.Timer{Cost: 100e-9}}
	got, err := lab.Measure(t.Context(), 10, []labkit.Arm{arm})
	one := func(m labkit.Metric, work, batch int, seconds float64) labkit.Series {
		return labkit.Series{Arm: "a", N: 10, Metric: m.Name, Unit: "s", Work: work, Batch: batch, Turns: labkit.Turns{1, 1}, Samples: []float64{seconds, seconds}}
	}
	want := []labkit.Series{one(labkit.Scan, 10, 0, 3), one(labkit.Read, 10, 0, 4), one(labkit.GetsOpen, 5, 4, 40e-6)}
	if diff := cmp.Diff(want, got); err != nil || diff != "" || !slices.Equal(calls, []int{1, 2, 4, 4, 4}) {
		t.Errorf("%v, calls %v (-want +got):\n%s", err, calls, diff)
	}
}

func TestToldRefuses(t *testing.T) {
	told := func(seconds float64, err error) func() (labkit.Told, error) {
		return func() (labkit.Told, error) { return labkit.Told{Seconds: seconds}, err }
	}
	for name, c := range map[string]struct {
		turn func(r *labkit.Round) error
		want error
	}{
		"no time":        {func(r *labkit.Round) error { return r.TimeTold(labkit.Read, 1, told(0, nil)) }, labkit.ErrSamples},
		"less than none": {func(r *labkit.Round) error { return r.TimeTold(labkit.Read, 1, told(-1, nil)) }, labkit.ErrSamples},
		"no work":        {func(r *labkit.Round) error { return r.LapTold(labkit.Scan, 0, 1) }, labkit.ErrSamples},
		"its own error":  {func(r *labkit.Round) error { return r.TimeTold(labkit.Read, 1, told(1, errDisk)) }, errDisk},
		"of a repeated": {func(r *labkit.Round) error {
			return r.RepeatTold(labkit.GetsOpen, 1, func(int) (labkit.Told, error) { return labkit.Told{}, errDisk })
		}, errDisk},
		"twice in a round": {func(r *labkit.Round) error {
			return errors.Join(r.LapTold(labkit.Scan, 1, 1), r.LapTold(labkit.Scan, 1, 1))
		}, labkit.ErrSamples},
	} {
		arm := labkit.Arm{Name: "a", Measure: func(_ context.Context, r *labkit.Round) error { return c.turn(r) }}
		if series, err := (labkit.Lab{Plan: plan(2), Dir: t.TempDir()}).Measure(t.Context(), 10, []labkit.Arm{arm}); !errors.Is(err, c.want) || len(series) > 0 {
			t.Errorf("%s: %v, error %v, want %v", name, series, err, c.want)
		}
	}
}

// toldArm tells what its reads have fetched, nothing at all if fetched is 0.
func toldArm(fetched int64) labkit.Arm {
	return labkit.Arm{Name: "told", Measure: func(_ context.Context, r *labkit.Round) error {
		r.Payload = mebi
		if err := os.WriteFile(r.Path, make([]byte, mebi), 0o600); err != nil {
			return err
		}
		return r.TimeTold(labkit.Gets, 5, func() (labkit.Told, error) {
			told := labkit.Told{Seconds: 2}
			if fetched > 0 {
				told.IO = &labkit.ToldIO{Fetched: fetched}
			}
			return told, nil
		})
	}}
}

// A cold read that another process tells is cold only if it has told that what it
// read came from the device.
func TestToldCold(t *testing.T) {
	for fetched, says := range map[int64]string{0: "does not tell", 1: "came from the device", 1 << 40: ""} {
		series, without, err := labkit.Lab{Plan: plan(1), Dir: t.TempDir()}.MeasureCold(t.Context(), 10, []labkit.Arm{toldArm(fetched)})
		if err != nil {
			t.Fatal(err)
		}
		isCold := slices.ContainsFunc(series, func(s labkit.Series) bool { return s.Metric == labkit.GetsCold.Name && s.Samples[0] == 2 })
		at := slices.IndexFunc(without, func(u labkit.Unmeasured) bool { return u.Metric == labkit.GetsCold.Name })
		if isCold == (at >= 0) || at >= 0 && says != "" && !strings.Contains(without[at].Why, says) {
			t.Errorf("%d bytes: series %v, unmeasured %v, want %q", fetched, series, without, says)
		}
	}
}

// An arm that this machine cannot measure takes no turn, and the others do.
func TestUnmeasuredArms(t *testing.T) {
	absent := labkit.Arm{Name: "absent", Unmeasured: "there is none"}
	clock := &fakeClock{}
	lab := labkit.Lab{Plan: plan(2), Dir: t.TempDir(), Clock: clock.read}
	got, err := lab.Measure(t.Context(), 10, []labkit.Arm{absent, clock.arm("a", 10)})
	if err != nil || len(got) != 2 || got[0].Arm != "a" || !slices.Equal(got[0].Turns, labkit.Turns{1, 1}) {
		t.Errorf("%v, %+v", err, got)
	}
	for name, measure := range map[string]func(context.Context, int, []labkit.Arm) ([]labkit.Series, error){
		"in this process": labkit.Lab{Plan: plan(2), Dir: t.TempDir()}.Measure,
		"apart":           labkit.Lab{Plan: plan(2), Dir: t.TempDir()}.MeasureApart,
	} {
		if got, err := measure(t.Context(), 10, []labkit.Arm{absent}); err != nil || len(got) > 0 {
			t.Errorf("nothing to measure, %s: %v, %v", name, got, err)
		}
	}
}
