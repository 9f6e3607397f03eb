package mix_test

import (
	"errors"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/mix"
)

func TestOptions(t *testing.T) {
	options := mix.Options{Kills: 1, Goroutines: []int{1, 4}, Processes: []int{1, 3}, Items: 8, Operations: 600, Updates: 50, Rate: 0, Millis: 100}
	if err := options.Validate(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name   string
		change func(o *mix.Options)
	}{
		{"kills", func(o *mix.Options) { o.Kills = 0 }},
		{"items", func(o *mix.Options) { o.Items = 0 }},
		{"operations", func(o *mix.Options) { o.Operations = -1 }},
		{"updates", func(o *mix.Options) { o.Updates = 101 }},
		{"rate", func(o *mix.Options) { o.Rate = -1 }},
		{"millis", func(o *mix.Options) { o.Millis = 0 }},
		{"goroutines", func(o *mix.Options) { o.Goroutines = nil }},
		{"goroutines", func(o *mix.Options) { o.Goroutines = []int{4, 2} }},
		{"processes", func(o *mix.Options) { o.Processes = []int{0} }},
		{"processes", func(o *mix.Options) { o.Processes = []int{1000} }},
	} {
		o := options
		c.change(&o)
		if err := o.Validate(); !errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
