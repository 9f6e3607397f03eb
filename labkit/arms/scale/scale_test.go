package scale_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/scale"
	"shelflab/labkit/arms/whole"
)

func good() scale.Options {
	return scale.Options{Minutes: 5, Parts: []int{30}, Cycles: []int{30, 300}, Held: []int{100}, Fetched: []int{1, 100}, Long: 1000, Larger: 1000, Limit: 64}
}

func TestOptions(t *testing.T) {
	if err := good().Validate(); err != nil {
		t.Error(err)
	}
	for says, change := range map[string]func(o *scale.Options){
		"minutes = 0: give 1 to 1440 minutes":     func(o *scale.Options) { o.Minutes = 0 },
		"long = -1: give 0 to 1000000 characters": func(o *scale.Options) { o.Long = -1 },
		"larger = 0: give 1 to 10000000 records":  func(o *scale.Options) { o.Larger = 0 },
		"limit = 47: give 48 to 1048576 MB":       func(o *scale.Options) { o.Limit = 47 },
		"parts = [300 30]":                        func(o *scale.Options) { o.Parts = []int{300, 30} },
		"cycles = []":                             func(o *scale.Options) { o.Cycles = nil },
		"fetched = [2 1]":                         func(o *scale.Options) { o.Fetched = []int{2, 1} },
		"fetched = [1 1]":                         func(o *scale.Options) { o.Fetched = []int{1, 1} },
		"held = []":                               func(o *scale.Options) { o.Held = nil },
		"cycles = [0 1]":                          func(o *scale.Options) { o.Cycles = []int{0, 1} },
	} {
		o := good()
		change(&o)
		if err := o.Validate(); !errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}

func TestWants(t *testing.T) {
	for keys, want := range map[int][]int{1: {30, 300}, 30: {30, 300}, 31: {300}, 1000: {30, 300}} {
		if got := scale.Wants(good().Cycles, keys); !slices.Equal(got, want) {
			t.Errorf("%d keys: %v, want %v", keys, got, want)
		}
	}
}

func TestFits(t *testing.T) {
	o, dir := good(), t.TempDir()
	if err := o.Fits(dir, 299, 1, 1); err != nil {
		t.Error(err)
	}
	err := o.Fits(dir, 301, 1, 1)
	if !errors.Is(err, scale.ErrTime) || errors.Is(err, whole.ErrRoom) || err.Error() != "too long: the rounds take about 5m1s, 5m0s are allowed: give a smaller n, or -p minutes=6" {
		t.Error(err)
	}
	for _, c := range []struct {
		peak, disk float64
		says       string
	}{{1e18, 1, "not enough memory: the processes of the rounds need about 1 EB"}, {1, 1e18, "not enough disk: the stores of a round need about 1 EB, the disk leaves"}} {
		if err := o.Fits(dir, 1, c.peak, c.disk); !errors.Is(err, whole.ErrRoom) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "give a smaller n, or more") {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
	if err := o.Fits(filepath.Join(dir, "none"), 1, 1, 1); err == nil {
		t.Error("a folder that is not there has room")
	}
}
