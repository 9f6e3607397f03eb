package labkit_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
)

// fakeClock stands still unless an arm lets time pass.
type fakeClock struct{ now time.Duration }

func (c *fakeClock) read() time.Duration { return c.now }

// arm writes for seconds, then lays down a file of some bytes. Every round
// takes a second longer than the one before.
func (c *fakeClock) arm(name string, seconds int) labkit.Arm {
	return labkit.Arm{Name: name, Measure: func(_ context.Context, r *labkit.Round) error {
		err := r.Time(labkit.Write, r.N, func() error {
			c.now += time.Duration(seconds+r.Number) * time.Second
			return nil
		})
		return errors.Join(err, r.Size(labkit.Disk, int64(100*seconds)), r.Check("nothing", 7, 7))
	}}
}

func plan(rounds int) labkit.Plan {
	return labkit.Plan{Name: "test", N: []int{10}, Rounds: rounds, Keys: 5, Seed: 1}
}

func TestMeasureGivesExactSamples(t *testing.T) {
	clock := &fakeClock{now: time.Hour}
	lab := labkit.Lab{Plan: plan(3), Dir: t.TempDir(), Clock: clock.read}
	got, err := lab.Measure(t.Context(), 10, []labkit.Arm{clock.arm("a", 10), clock.arm("b", 20)})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(got, func(x, y labkit.Series) int { return strings.Compare(x.Arm, y.Arm) })
	a, b := places(t, plan(3), 10, "arm 0"), places(t, plan(3), 10, "arm 1")
	want := []labkit.Series{ // the warm-up took 9 s and 19 s, and is not there
		{Arm: "a", N: 10, Metric: "write", Unit: "s", Work: 10, Samples: []float64{10, 11, 12}, Turns: a},
		{Arm: "a", N: 10, Metric: "disk", Unit: "B", Samples: []float64{1000, 1000, 1000}, Turns: a},
		{Arm: "b", N: 10, Metric: "write", Unit: "s", Work: 10, Samples: []float64{20, 21, 22}, Turns: b},
		{Arm: "b", N: 10, Metric: "disk", Unit: "B", Samples: []float64{2000, 2000, 2000}, Turns: b},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if rates := got[0].Values(labkit.Write); rates[0] != 1 { // 10 records in 10 s
		t.Errorf("rates are %v, want 1 record/s first", rates)
	}
	if sizes := got[1].Values(labkit.Disk); !slices.Equal(sizes, got[1].Samples) {
		t.Errorf("sizes are %v, want the samples", sizes)
	}
}

// places are an arm's places in the measured rounds of two arms.
func places(t *testing.T, p labkit.Plan, n int, arm string) labkit.Turns {
	t.Helper()
	var turns labkit.Turns
	for _, round := range order(t, p, n, 2)[1:] {
		turns = append(turns, 1+slices.Index(round, arm))
	}
	return turns
}

// A lap is a part of what Time measures, and time outside both counts for
// neither.
func TestTimeAndLap(t *testing.T) {
	clock := &fakeClock{}
	arm := labkit.Arm{Name: "a", Measure: func(_ context.Context, r *labkit.Round) error {
		clock.now += time.Hour // making the data
		err := r.Time(labkit.Gets, 5, func() error {
			clock.now += 2 * time.Second // opening
			err := r.Lap(labkit.GetsOpen, 5, func() error { clock.now += 3 * time.Second; return nil })
			clock.now += time.Second // closing
			return err
		})
		clock.now += time.Hour
		return err
	}}
	lab := labkit.Lab{Plan: plan(1), Dir: t.TempDir(), Clock: clock.read}
	got, err := lab.Measure(t.Context(), 10, []labkit.Arm{arm})
	want := []labkit.Series{
		{Arm: "a", N: 10, Metric: "gets open", Unit: "s", Work: 5, Samples: []float64{3}, Turns: labkit.Turns{1}},
		{Arm: "a", N: 10, Metric: "gets", Unit: "s", Work: 5, Samples: []float64{6}, Turns: labkit.Turns{1}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestMeasureReportsProgress(t *testing.T) {
	clock := &fakeClock{}
	var seen []labkit.Progress
	lab := labkit.Lab{Plan: plan(2), Dir: t.TempDir(), Clock: clock.read,
		Progress: func(p labkit.Progress) { seen = append(seen, p) }}
	if _, err := lab.Measure(t.Context(), 10, []labkit.Arm{clock.arm("a", 10), clock.arm("b", 20)}); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 6 {
		t.Fatalf("%d reports, want one for each of 6 turns", len(seen))
	}
	for i, p := range seen {
		want := labkit.Progress{N: 10, Round: i / 2, Rounds: 2, Arm: p.Arm, Done: i, Total: 6}
		if p != want {
			t.Errorf("report %d is %+v, want %+v", i, p, want)
		}
	}
}

func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		done, total  int
		passed, want time.Duration
	}{
		{0, 10, time.Minute, 0}, // nothing is known yet
		{1, 10, 2 * time.Second, 18 * time.Second},
		{5, 10, 10 * time.Second, 10 * time.Second},
		{9, 10, 18 * time.Second, 2 * time.Second},
		{10, 10, 20 * time.Second, 0},
	} {
		if got := (labkit.Progress{Done: c.done, Total: c.total}).TimeLeft(c.passed); got != c.want {
			t.Errorf("%d of %d after %v: %v left, want %v", c.done, c.total, c.passed, got, c.want)
		}
	}
}

func TestKeepIsGivenAGrowingCopy(t *testing.T) {
	clock := &fakeClock{}
	var kept, copies [][]labkit.Series
	lab := labkit.Lab{Plan: plan(3), Dir: t.TempDir(), Clock: clock.read, Keep: func(s []labkit.Series) error {
		kept, copies = append(kept, s), append(copies, deepCopy(s))
		return nil
	}}
	all, err := lab.Measure(t.Context(), 10, []labkit.Arm{clock.arm("a", 10), clock.arm("b", 20)})
	if err != nil {
		t.Fatal(err)
	}
	if len(kept) != 6 {
		t.Fatalf("Keep was called %d times, want once for each of 6 measured turns", len(kept))
	}
	for i := range kept {
		if diff := cmp.Diff(copies[i], kept[i]); diff != "" {
			t.Errorf("call %d: what Keep was given changed later (-then +now):\n%s", i, diff)
		}
		total := 0
		for _, s := range kept[i] {
			total += len(s.Samples)
		}
		if total != 2*(i+1) { // two metrics a turn
			t.Errorf("call %d: %d samples, want %d", i, total, 2*(i+1))
		}
	}
	if diff := cmp.Diff(all, kept[5]); diff != "" {
		t.Errorf("Measure returned something else than it kept last:\n%s", diff)
	}
}

func deepCopy(series []labkit.Series) []labkit.Series {
	out := slices.Clone(series)
	for i := range out {
		out[i].Samples = slices.Clone(out[i].Samples)
	}
	return out
}

func TestStaleStoreIsRemovedAndNothingElse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "by", "Measure")
	stale := filepath.Join(dir, "bench_shelf_bulk_10")
	others := []string{"summary.json", "bench_shelf_bulk_100/keep", "bench_other_10/keep", "bench_shelf_bulk_10.txt"}
	for _, name := range append([]string{"bench_shelf_bulk_10/stale"}, others...) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	turns := 0
	arm := labkit.Arm{Name: "shelf, bulk", Measure: func(_ context.Context, r *labkit.Round) error {
		turns++
		if r.Path != stale {
			t.Errorf("the store's path is %s, want %s", r.Path, stale)
		}
		if _, err := os.Lstat(r.Path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("turn %d: there is something at the store's path (%v)", turns, err)
		}
		return errors.Join(os.Mkdir(r.Path, 0o755), os.WriteFile(filepath.Join(r.Path, "mine"), nil, 0o644))
	}}
	lab := labkit.Lab{Plan: plan(2), Dir: dir}
	if _, err := lab.Measure(t.Context(), 10, []labkit.Arm{arm}); err != nil || turns != 3 {
		t.Fatalf("%d turns, %v, want 3", turns, err)
	}
	for _, name := range append([]string{"bench_shelf_bulk_10/mine"}, others...) {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("after the run: %v", err)
		}
	}
}
