package labkit_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"shelflab/labkit"
)

func TestMeasureRefusesPlansAndArms(t *testing.T) {
	never := func(context.Context, *labkit.Round) error {
		t.Error("an arm was measured")
		return nil
	}
	good := labkit.Arm{Name: "good", Measure: never}
	noRounds := plan(0)
	for _, c := range []struct {
		name string
		plan labkit.Plan
		n    int
		arms []labkit.Arm
		says string
	}{
		{"bad plan", noRounds, 10, []labkit.Arm{good}, "rounds = 0"},
		{"no records", plan(5), 0, []labkit.Arm{good}, "n = 0"},
		{"too many records", plan(5), labkit.MaxRecords + 1, []labkit.Arm{good}, "n = 10000001"},
		{"no arm", plan(5), 10, nil, "no arm"},
		{"no name", plan(5), 10, []labkit.Arm{{Measure: never}}, "no name"},
		{"no Measure", plan(5), 10, []labkit.Arm{{Name: "idle"}}, `"idle"`},
		{"one name twice", plan(5), 10, []labkit.Arm{good, good}, `"good"`},
		{"names of one store", plan(5), 10, []labkit.Arm{{Name: "a b", Measure: never}, {Name: "a/b", Measure: never}}, `"a/b"`},
		{"names of one store where capitals do not count", plan(5), 10, []labkit.Arm{good, {Name: "Good", Measure: never}}, `"Good"`},
	} {
		dir := t.TempDir()
		series, err := labkit.Lab{Plan: c.plan, Dir: dir}.Measure(t.Context(), c.n, c.arms)
		if !errors.Is(err, labkit.ErrPlan) || series != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v, want ErrPlan about %s", c.name, series, err, c.says)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: %v was left", c.name, left)
		}
	}
}

var errDisk = errors.New("disk on fire")

// fails is an arm that goes right until the given round.
func fails(round int, with func(*labkit.Round) error) labkit.Arm {
	return labkit.Arm{Name: "bad", Measure: func(_ context.Context, r *labkit.Round) error {
		if r.Number == round {
			return with(r)
		}
		return r.Size(labkit.Disk, 1)
	}}
}

func TestMeasureStopsAtAnError(t *testing.T) {
	ok := func() error { return nil }
	for _, c := range []struct {
		name string
		with func(*labkit.Round) error
		want error
		says string
	}{
		{"the arm's own", func(*labkit.Round) error { return errDisk }, errDisk, "bad, n = 10: disk on fire"},
		{"what is timed", func(r *labkit.Round) error {
			return r.Time(labkit.Write, 1, func() error { return errDisk })
		}, errDisk, "bad, n = 10: write: disk on fire"},
		{"read wrong", func(r *labkit.Round) error { return r.Check("full read", 1, 2) }, labkit.ErrWrong, "full read"},
		{"measured twice", func(r *labkit.Round) error {
			return errors.Join(r.Size(labkit.Disk, 1), r.Size(labkit.Disk, 1))
		}, labkit.ErrSamples, "disk was measured twice"},
		{"no time passed", func(r *labkit.Round) error { return r.Time(labkit.Write, 1, ok) }, labkit.ErrSamples, "write took no time"},
		{"no work", func(r *labkit.Round) error { return r.Time(labkit.Write, 0, ok) }, labkit.ErrSamples, "write does work of 0"},
		{"negative size", func(r *labkit.Round) error { return r.Size(labkit.Disk, -1) }, labkit.ErrSamples, "disk is -1"},
		{"another metric than before", func(r *labkit.Round) error { return r.Size(labkit.Metric{Name: "other", Unit: "B"}, 1) }, labkit.ErrSamples, "1 of 2 rounds"},
		{"one metric fewer", func(r *labkit.Round) error { return nil }, labkit.ErrSamples, "disk was measured in 1 of 2 rounds"},
	} {
		clock := &fakeClock{} // stands still
		lab := labkit.Lab{Plan: plan(3), Dir: t.TempDir(), Clock: clock.read}
		series, err := lab.Measure(t.Context(), 10, []labkit.Arm{fails(1, c.with)})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v with %q", c.name, err, c.want, c.says)
		}
		if len(series) != 1 || len(series[0].Samples) != 1 {
			t.Errorf("%s: %+v is left, want the sample of the round before", c.name, series)
		}
		if _, err := lab.Measure(t.Context(), 10, []labkit.Arm{fails(-1, c.with)}); c.want != labkit.ErrSamples && !errors.Is(err, c.want) {
			t.Errorf("%s, in the warm-up: %v, want %v", c.name, err, c.want)
		}
	}
}

// Rates divide by the work, so it may not change in the middle of a series.
func TestMeasureRefusesChangingWork(t *testing.T) {
	clock := &fakeClock{}
	arm := labkit.Arm{Name: "a", Measure: func(_ context.Context, r *labkit.Round) error {
		return r.Time(labkit.Gets, 5+r.Number, func() error { clock.now += time.Second; return nil })
	}}
	_, err := labkit.Lab{Plan: plan(3), Dir: t.TempDir(), Clock: clock.read}.Measure(t.Context(), 10, []labkit.Arm{arm})
	if !errors.Is(err, labkit.ErrSamples) || !strings.Contains(err.Error(), "work of 6 in round 2, but 5") {
		t.Errorf("%v, want ErrSamples that names both", err)
	}
}

// A series tells the bytes of the records, which are the same in every round.
func TestMeasureKeepsThePayload(t *testing.T) {
	clock := &fakeClock{}
	arm := func(grows int64) []labkit.Arm {
		return []labkit.Arm{{Name: "a", Measure: func(_ context.Context, r *labkit.Round) error {
			r.Payload = 1200 + grows*int64(r.Number)
			return errors.Join(r.Size(labkit.Disk, 4096), r.Time(labkit.Write, 10, func() error { clock.now += time.Second; return nil }))
		}}}
	}
	lab := labkit.Lab{Plan: plan(3), Dir: t.TempDir(), Clock: clock.read}
	series, err := lab.Measure(t.Context(), 10, arm(0))
	if err != nil || len(series) != 2 || series[0].Payload != 1200 || series[1].Payload != 1200 {
		t.Errorf("%+v, %v", series, err)
	}
	_, err = lab.Measure(t.Context(), 10, arm(1))
	if !errors.Is(err, labkit.ErrSamples) || !strings.Contains(err.Error(), "1201 bytes of records in round 2, but of 1200") {
		t.Errorf("%v, want ErrSamples that names both", err)
	}
}

func TestMeasureEndsWithKeepsError(t *testing.T) {
	lab := labkit.Lab{Plan: plan(3), Dir: t.TempDir(), Keep: func([]labkit.Series) error { return errDisk }}
	series, err := lab.Measure(t.Context(), 10, []labkit.Arm{fails(9, nil)})
	if !errors.Is(err, errDisk) || len(series) != 1 {
		t.Errorf("%v, %v, want what was measured and Keep's error", series, err)
	}
}

func TestMeasureEndsWithTheContext(t *testing.T) {
	for _, c := range []struct {
		name string
		with func(ctx context.Context) error // what the arm returns once its context has ended
		kept int                             // samples
		want []error
	}{
		{"the arm finishes its turn", func(context.Context) error { return nil }, 2, []error{labkit.ErrInterrupted}},
		{"the arm gives up", func(ctx context.Context) error { return ctx.Err() }, 1, []error{labkit.ErrInterrupted}},
		{"the arm gives up in its own words", func(context.Context) error { return errDisk }, 1, []error{labkit.ErrInterrupted}},
		{"the arm has read wrong", func(context.Context) error { return labkit.ErrWrong }, 1, []error{labkit.ErrInterrupted, labkit.ErrWrong}},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		turns := 0
		arm := labkit.Arm{Name: "a", Measure: func(ctx context.Context, r *labkit.Round) error {
			turns++
			if err := r.Size(labkit.Disk, 1); err != nil {
				return err
			}
			if r.Number < 1 {
				return nil
			}
			cancel(labkit.ErrInterrupted)
			return c.with(ctx)
		}}
		series, err := labkit.Lab{Plan: plan(5), Dir: t.TempDir()}.Measure(ctx, 10, []labkit.Arm{arm})
		for _, want := range c.want {
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", c.name, err, want)
			}
		}
		if turns != 3 || len(series) != 1 || len(series[0].Samples) != c.kept {
			t.Errorf("%s: %d turns, %+v, want 3 turns and %d samples", c.name, turns, series, c.kept)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(labkit.ErrOrphaned)
	series, err := labkit.Lab{Plan: plan(5), Dir: t.TempDir()}.Measure(ctx, 10, []labkit.Arm{fails(-1, func(*labkit.Round) error {
		t.Error("an arm was measured after the context had ended")
		return nil
	})})
	if !errors.Is(err, labkit.ErrOrphaned) || series != nil {
		t.Errorf("ended before it began: %v, %v, want ErrOrphaned", series, err)
	}
}
