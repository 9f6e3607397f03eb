package labkit_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
)

func TestMeasureTimer(t *testing.T) {
	for _, c := range []struct {
		name  string
		clock func(reading int) time.Duration
		want  labkit.Timer
	}{
		{"stands still", func(int) time.Duration { return time.Hour }, labkit.Timer{}},
		{"fine: every reading differs", func(i int) time.Duration { return time.Duration(i) * 50 },
			labkit.Timer{Cost: 50e-9, Grain: 50e-9}},
		{"coarse: it moves every fourth reading", func(i int) time.Duration { return time.Duration(i/4) * time.Microsecond },
			labkit.Timer{Cost: 250e-9, Grain: 1e-6}},
		{"interrupted once", func(i int) time.Duration {
			return time.Duration(i)*50 + time.Duration(min(i/1000, 1))*time.Second
		}, labkit.Timer{Cost: 50e-9, Grain: 50e-9}},
	} {
		readings := 0
		got := labkit.MeasureTimer(func() time.Duration { readings++; return c.clock(readings) })
		if math.Abs(got.Cost-c.want.Cost) > 1e-9 || math.Abs(got.Grain-c.want.Grain) > 1e-12 || readings > 10_000 {
			t.Errorf("%s: %+v after %d readings, want %+v", c.name, got, readings, c.want)
		}
	}
	if got := labkit.MeasureTimer(labkit.Monotonic); got.Uncertainty() <= 0 || got.Uncertainty() > 0.1 {
		t.Errorf("of the real clock: %+v", got)
	}
}

func TestTimerTooShort(t *testing.T) {
	fine, coarse := labkit.Timer{Cost: 40e-9, Grain: 25e-9}, labkit.Timer{Cost: 50e-9, Grain: 1e-6}
	for _, c := range []struct {
		timer   labkit.Timer
		seconds float64
		batch   int
		want    bool
	}{
		{fine, 45e-9, 0, true}, // as long as nothing takes
		{fine, 3.9e-6, 0, true},
		{fine, 4.1e-6, 0, false},
		{fine, 4.1e-6, 1, false},
		{fine, 1e-6, 64, false},
		{fine, 1e-6, 2, true},
		{fine, 1e-9, 65536, true}, // long together, but one call does nothing
		{coarse, 50e-6, 0, true},
		{coarse, 101e-6, 0, false},
		{labkit.Timer{}, 1e-9, 0, false}, // nothing is known
	} {
		if got := c.timer.TooShort(c.seconds, c.batch); got != c.want {
			t.Errorf("%+v, %g s in batches of %d: %v, want %v", c.timer, c.seconds, c.batch, got, c.want)
		}
	}
	if got := coarse.Enough(); got != 1e-3 {
		t.Errorf("enough is %v s, want a thousand grains", got)
	}
}

// repeats is an arm that reads for each, as often as it is asked to.
func (c *fakeClock) repeats(name string, m labkit.Metric, each time.Duration, calls *[]int) labkit.Arm {
	return labkit.Arm{Name: name, Measure: func(_ context.Context, r *labkit.Round) error {
		*calls = append(*calls, 0)
		return r.Repeat(m, 5, func() error {
			(*calls)[len(*calls)-1]++
			c.now += each
			return nil
		})
	}}
}

func TestRepeat(t *testing.T) {
	timer := labkit.Timer{Cost: 50e-9, Grain: 100e-9} // 100 µs are enough
	for _, c := range []struct {
		name  string
		each  time.Duration
		batch int   // of the series
		calls []int // of op in each turn
	}{
		{"long enough", 100 * time.Microsecond, 0, []int{1, 1, 1}},
		{"half as long", 50 * time.Microsecond, 2, []int{1 + 2, 2, 2}},
		{"short", time.Microsecond, 128, []int{255, 128, 128}},
	} {
		clock, calls := &fakeClock{}, []int{}
		lab := labkit.Lab{Plan: plan(2), Dir: t.TempDir(), Clock: clock.read, Timer: timer}
		got, err := lab.Measure(t.Context(), 10, []labkit.Arm{clock.repeats("a", labkit.GetsOpen, c.each, &calls)})
		want := []labkit.Series{{Arm: "a", N: 10, Metric: "gets open", Unit: "s", Work: 5, Batch: c.batch, Turns: labkit.Turns{1, 1},
			Samples: []float64{c.each.Seconds(), c.each.Seconds()}}}
		if diff := cmp.Diff(want, got); err != nil || diff != "" || !slices.Equal(calls, c.calls) {
			t.Errorf("%s: %v, %v calls, want %v (-want +got):\n%s", c.name, err, calls, c.calls, diff)
		}
	}
}

// Mean calls an operation so many times, in the warm-up too, and the sample is of
// one.
func TestMean(t *testing.T) {
	for _, calls := range []int{1, 3} {
		clock, made := &fakeClock{}, 0
		arm := labkit.Arm{Name: "a", Measure: func(_ context.Context, r *labkit.Round) error {
			return r.Mean(labkit.UpdateOpen, 1, calls, func() error {
				made++
				clock.now += time.Duration(made) * time.Second
				return nil
			})
		}}
		got, err := labkit.Lab{Plan: plan(2), Dir: t.TempDir(), Clock: clock.read, Timer: labkit.Timer{Cost: 1e-9}}.Measure(t.Context(), 10, []labkit.Arm{arm})
		want := []labkit.Series{{Arm: "a", N: 10, Metric: "update open", Unit: "s", Work: 1, Turns: labkit.Turns{1, 1}, Samples: []float64{2, 3}}}
		if calls == 3 {
			want[0].Batch, want[0].Samples = 3, []float64{5, 8} // of 4 to 6, and 7 to 9
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" || made != 3*calls {
			t.Errorf("%d calls: %v, %d made (-want +got):\n%s", calls, err, made, diff)
		}
	}
	none := labkit.Arm{Name: "a", Measure: func(_ context.Context, r *labkit.Round) error {
		return r.Mean(labkit.UpdateOpen, 1, 0, func() error { return nil })
	}}
	if _, err := (labkit.Lab{Plan: plan(2), Dir: t.TempDir()}).Measure(t.Context(), 10, []labkit.Arm{none}); !errors.Is(err, labkit.ErrSamples) {
		t.Errorf("the mean of no calls: %v, want ErrSamples", err)
	}
}

func TestRepeatRefuses(t *testing.T) {
	clock, calls := &fakeClock{}, []int{}
	lab := labkit.Lab{Plan: plan(2), Dir: t.TempDir(), Clock: clock.read, Timer: labkit.Timer{Cost: 1e-9}}
	for _, m := range []labkit.Metric{labkit.Write, labkit.Put} {
		_, err := lab.Measure(t.Context(), 10, []labkit.Arm{clock.repeats("a", m, time.Second, &calls)})
		if !errors.Is(err, labkit.ErrSamples) || !strings.Contains(err.Error(), "cannot be repeated") || calls[len(calls)-1] != 0 {
			t.Errorf("%s: %v after %v calls, want ErrSamples before the first", m.Name, err, calls)
		}
	}
	// What takes no time ends, too.
	_, err := lab.Measure(t.Context(), 10, []labkit.Arm{clock.repeats("a", labkit.Gets, 0, &calls)})
	if !errors.Is(err, labkit.ErrSamples) || !strings.Contains(err.Error(), "took no time") {
		t.Errorf("no time at all: %v, want ErrSamples", err)
	}
	failing := labkit.Arm{Name: "a", Measure: func(_ context.Context, r *labkit.Round) error {
		return r.Repeat(labkit.Gets, 5, func() error { return errDisk })
	}}
	if _, err := lab.Measure(t.Context(), 10, []labkit.Arm{failing}); !errors.Is(err, errDisk) {
		t.Errorf("%v, want the operation's error", err)
	}
}

func TestTurns(t *testing.T) {
	for _, c := range []struct {
		turns labkit.Turns
		text  string
	}{{nil, ""}, {labkit.Turns{3}, "3"}, {labkit.Turns{3, 1, 12}, "3 1 12"}} {
		text, err := c.turns.MarshalText()
		if err != nil || string(text) != c.text {
			t.Errorf("%v is written as %q, %v", c.turns, text, err)
		}
		var back labkit.Turns
		if err := back.UnmarshalText([]byte(c.text)); err != nil || !slices.Equal(back, c.turns) {
			t.Errorf("%q is read as %v, %v", c.text, back, err)
		}
	}
	for _, bad := range []string{"1 x", "1.5", "1,2", "99999999999999999999"} {
		var turns labkit.Turns
		if err := turns.UnmarshalText([]byte(bad)); err == nil || turns != nil {
			t.Errorf("%q is read as %v, %v", bad, turns, err)
		}
	}
}
