package values_test

import (
	"errors"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/values"
)

// params is what the parameter cell of a notebook has.
type params struct {
	labkit.Plan
	values.Options
}

func (p *params) Validate() error { return errors.Join(p.Plan.Validate(), p.Options.Validate()) }

func TestOptions(t *testing.T) {
	good := params{
		labkit.Plan{Name: "tricks", N: []int{10}, Rounds: 5, Keys: 1},
		values.Options{Data: "ones", Parts: 10, Objects: 10, Limit: 96},
	}
	for _, c := range []struct{ name, value, says string }{
		{"data", "random", ""}, {"parts", "1", ""}, {"objects", "10000000", ""}, {"limit", "1", ""}, {"limit", "1048576", ""},
		{"data", "zeros", `data = "zeros": give ones or random`},
		{"data", "", `data = "": give ones or random`},
		{"parts", "0", "parts = 0: give 1 to 10000000 objects"},
		{"objects", "-5", "objects = -5: give 1 to 10000000 objects"},
		{"objects", "10000001", "objects = 10000001: give 1 to 10000000 objects"},
		{"limit", "0", "limit = 0: give 1 to 1048576 MiB"},
		{"limit", "8796093022208", "limit = 8796093022208: give 1 to 1048576 MiB"}, // <<20 would be 0
		{"rounds", "0", "rounds = 0"},                                              // the plan's own
	} {
		plan := good
		err := labkit.SetParams(&plan, map[string]string{c.name: c.value})
		switch {
		case c.says == "" && (err != nil || plan.Own[c.name] != c.value):
			t.Errorf("%s = %s: %v, kept as %q", c.name, c.value, err, plan.Own[c.name])
		case c.says != "" && (!errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s = %s: %v, want %s", c.name, c.value, err, c.says)
		case c.says != "" && plan.Options != good.Options:
			t.Errorf("%s = %s was kept: %+v", c.name, c.value, plan)
		}
	}
}
