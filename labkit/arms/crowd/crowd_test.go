package crowd_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/crowd"
	"shelflab/labkit/arms/live"
	"shelflab/labkit/arms/mix"
)

var (
	plan    = labkit.Plan{Name: "crowd", N: []int{1, 4}, Rounds: 1, Keys: 1, Seed: 1}
	options = mix.Options{Kills: 1, Goroutines: []int{1, 4}, Processes: []int{1, 3}, Items: 8, Operations: 200, Updates: 50, Rate: 0, Millis: 100}
)

// The test binary is also each of several processes.
func TestMain(m *testing.M) {
	task, ok := labkit.ChildTask()
	if !ok {
		os.Exit(m.Run())
	}
	ctx, stop := labkit.Context()
	defer stop()
	if err := task.Do(ctx, crowd.Apart(plan, options, all()...)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func all() []live.System { return append(live.All(plan.Durability), live.Unlocked(plan.Durability)...) }

// check has the workers of each system work and looks at what they have counted: of
// a store that keeps them apart nothing is lost and nothing torn.
func check(t *testing.T, arms []labkit.Arm, n int, metrics ...string) {
	for _, arm := range arms {
		t.Run(fmt.Sprint(arm.Name, ", ", n), func(t *testing.T) {
			series, err := labkit.Lab{Plan: plan, Dir: t.TempDir()}.Measure(t.Context(), n, []labkit.Arm{arm})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, s := range series {
				names = append(names, s.Metric)
				if counted := s.Unit == "updates" || s.Unit == "reads"; counted && s.Samples[0] > 0 && arm.Pair != live.PairUnlocked {
					t.Errorf("%v of %d %s", s.Samples[0], s.Work, s.Metric)
				} else if !counted && s.Samples[0] <= 0 {
					t.Errorf("%s of %v", s.Metric, s.Samples)
				}
			}
			if want := append(slices.Clone(metrics), "lost updates", "torn reads"); !slices.Equal(names, want) {
				t.Errorf("it measures %q, want %q", names, want)
			}
		})
	}
}

func TestGoroutines(t *testing.T) {
	check(t, crowd.Closed(plan, options, all()...), 1, "throughput")
	check(t, crowd.Closed(plan, options, all()...), 4, "throughput")
	check(t, crowd.Open(plan, options, 2000, all()...), 4, "latency p50", "latency p99", "behind")
}

func TestProcesses(t *testing.T) {
	check(t, crowd.Apart(plan, options, all()...), 1, "throughput")
	check(t, crowd.Apart(plan, options, all()...), 3, "throughput")
}

// unsafe is a store that loses updates and shows what nobody has written.
type unsafe struct{ items map[string]live.Item }

func (u unsafe) Get(key string) (live.Item, error) {
	item := u.items[key]
	if key == live.Key(0) {
		item.Text = item.Text[:1] + "x"
	}
	return item, nil
}

func (u unsafe) Update(key string, change func(*live.Item) error) error {
	item := u.items[key]
	if err := change(&item); err != nil {
		return err
	}
	if item.Version%2 == 1 { // every second update of an item is dropped, and so all after it
		u.items[key] = item
	}
	return nil
}

func (u unsafe) Close() error { return nil }

// The counts must be able to see a loss.
func TestCountsSeeWhatIsLost(t *testing.T) {
	store := unsafe{map[string]live.Item{}}
	system := live.System{Name: "unsafe", Open: func(string) (live.Store, error) { return store, nil },
		Fill: func(_ string, items []live.Entry) error {
			for _, e := range items {
				store.items[e.Key] = e.Value
			}
			return nil
		}}
	series, err := labkit.Lab{Plan: plan, Dir: t.TempDir()}.Measure(t.Context(), 1, crowd.Closed(plan, options, system))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range series {
		switch s.Metric {
		case "lost updates": // of 8 items at most one update each is kept, of the torn one nothing is read
			if s.Work != 100 || s.Samples[0] < 92 || s.Samples[0] > 100 {
				t.Errorf("%v of %d updates are lost", s.Samples, s.Work)
			}
		case "torn reads":
			if s.Work != 208 || s.Samples[0] < 2 {
				t.Errorf("%v of %d reads are torn", s.Samples, s.Work)
			}
		}
	}
}
