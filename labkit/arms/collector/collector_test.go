package collector_test

import (
	"errors"
	"runtime/debug"
	"slices"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/arrays"
	"shelflab/labkit/arms/collector"
	"shelflab/labkit/arms/values"
	"shelflab/labkit/arms/whole"
)

// settings reads those of the collector that are in force.
func settings() (percent int, limit int64) {
	percent = debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent, debug.SetMemoryLimit(-1)
}

// Each arm dumps and loads under its own settings, and under none of them
// afterwards.
func TestSettings(t *testing.T) {
	old := debug.SetGCPercent(73)
	defer debug.SetGCPercent(old)
	_, none := settings()
	const limit = 512 << 20
	type seen struct {
		percent int
		limit   int64
	}
	var dumped, loaded seen
	array, err := values.Array(1, 4, "ones")
	if err != nil {
		t.Fatal(err)
	}
	form := arrays.GobSlice()
	arms, err := collector.Arms(array, labkit.ProcessCrash, limit,
		func(path string, v [][]float64) error {
			dumped.percent, dumped.limit = settings()
			return form.Dump(path, v)
		},
		func(path string) ([][]float64, error) {
			loaded.percent, loaded.limit = settings()
			return form.Load(path)
		})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]seen{collector.On: {100, none}, collector.On + ", again": {100, none}, collector.Off: {-1, none}, collector.Limited: {-1, limit}}
	for _, arm := range arms {
		dumped, loaded = seen{}, seen{}
		plan := labkit.Plan{Name: "gc", N: []int{4}, Rounds: 1, Keys: 1}
		if _, err := (labkit.Lab{Plan: plan, Dir: t.TempDir()}).Measure(t.Context(), 4, []labkit.Arm{arm}); err != nil {
			t.Fatal(err)
		}
		if dumped != want[arm.Name] || loaded != want[arm.Name] {
			t.Errorf("%s: dumped under %v, loaded under %v, want %v", arm.Name, dumped, loaded, want[arm.Name])
		}
		if percent, limit := settings(); percent != 73 || limit != none {
			t.Errorf("%s leaves %d %% and a limit of %d behind", arm.Name, percent, limit)
		}
	}
}

func TestFailingArms(t *testing.T) {
	percent, limit := settings()
	broken := errors.New("broken")
	fails := func(string, []float64) error { return broken }
	arms, err := collector.Arms(value(), labkit.ProcessCrash, 1<<30, fails, func(string) ([]float64, error) { return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, arm := range arms {
		plan := labkit.Plan{Name: "gc", N: []int{1}, Rounds: 1, Keys: 1}
		if _, err := (labkit.Lab{Plan: plan, Dir: t.TempDir()}).Measure(t.Context(), 1, []labkit.Arm{arm}); !errors.Is(err, broken) {
			t.Errorf("%s: %v", arm.Name, err)
		}
	}
	if p, l := settings(); p != percent || l != limit {
		t.Errorf("%d %% and %d are left behind, want %d %% and %d", p, l, percent, limit)
	}
	if _, err := collector.Arms(value(), labkit.ProcessCrash, 0, fails, nil); !errors.Is(err, labkit.ErrPlan) {
		t.Errorf("no limit: %v", err)
	}
}

func TestComparisonsNameMetrics(t *testing.T) {
	var names []string
	for _, m := range labkit.AllMetrics() {
		names = append(names, m.Name)
	}
	for _, c := range collector.Comparisons() {
		for _, metric := range c.Metrics {
			if !slices.Contains(names, metric) {
				t.Errorf("%s compares %q, which nothing measures", c.Label, metric)
			}
		}
	}
}

func value() whole.Value[[]float64] {
	return whole.Value[[]float64]{V: []float64{1}, N: 1, Sum: func(v []float64) uint64 { return uint64(len(v)) }}
}

func TestArms(t *testing.T) {
	plan := labkit.Plan{Name: "gc", N: []int{30}, Rounds: 1, Keys: 1, Seed: 1}
	for name, make := range map[string]func() ([]labkit.Arm, error){
		"array":   func() ([]labkit.Arm, error) { return collector.Array(plan, 30, "random", 1<<30) },
		"objects": func() ([]labkit.Arm, error) { return collector.Objects(plan, 30, 1<<30) },
	} {
		arms, err := make()
		if err != nil {
			t.Fatal(err)
		}
		series, err := labkit.Lab{Plan: plan, Dir: t.TempDir()}.Measure(t.Context(), 30, arms)
		if err != nil || len(series) != 12 { // the control's too
			t.Errorf("%s: %d series, %v", name, len(series), err)
		}
	}
	for _, n := range []int{0, labkit.MaxRecords} {
		_, err1 := collector.Array(plan, n, "ones", 1<<30)
		_, err2 := collector.Objects(plan, 0, 1<<30)
		if err1 == nil || err2 == nil {
			t.Errorf("n = %d: %v, %v", n, err1, err2)
		}
	}
}
