package evidence

import (
	"math"
	"testing"
)

func TestProcessorTimes(t *testing.T) {
	const stat = `cpu  700 70 300 5000 100 10 20 30 400 4
cpu0 100 20 50 800 10 1 2 17 90 1
cpu1 200 30 100 400 30 4 5 6 0 0
cpu2 400 20 150 3800 60 5 13 7 310 3
intr 12345 1 2 3
ctxt 99
`
	for _, c := range []struct {
		name, stat string
		mine       func(int) bool
		all, busy  float64
		ok         bool
	}{
		{"all", stat, func(int) bool { return true }, 62.30, 11.30, true},
		{"two of three", stat, func(cpu int) bool { return cpu < 2 }, 17.75, 5.35, true}, // guests are in user and nice
		{"none of them", stat, func(cpu int) bool { return cpu > 2 }, 0, 0, false},
		{"nothing told", "", func(int) bool { return true }, 0, 0, false},
		{"an old kernel", "cpu0 1 2 3 4\n", func(int) bool { return true }, 0, 0, false},
		{"no numbers", "cpu0 1 2 3 4 5 6 7 -8\n", func(int) bool { return true }, 0, 0, false},
	} {
		all, busy, ok := processorTimes(c.stat, c.mine)
		if math.Abs(all-c.all) > 1e-9 || math.Abs(busy-c.busy) > 1e-9 || ok != c.ok {
			t.Errorf("%s: %v, %v, %v; want %v, %v, %v", c.name, all, busy, ok, c.all, c.busy, c.ok)
		}
	}
}

func TestSpentSince(t *testing.T) {
	then := spent{all: 1000, busy: 400, own: 3}
	for _, c := range []struct {
		name string
		now  spent
		want Processors
		ok   bool
	}{
		{"others too", spent{1020, 415, 13}, Processors{Time: 20, Own: 10, Others: 5}, true},
		{"nobody", spent{1020, 400, 3}, Processors{Time: 20}, true},
		{"more than was counted", spent{1020, 409, 13}, Processors{Time: 20, Own: 10}, true},
		{"more than there was", spent{1020, 430, 3}, Processors{Time: 20, Others: 20}, true},
		{"no time", then, Processors{}, false},
		{"a count that was set back", spent{10, 4, 3}, Processors{}, false},
	} {
		if got, ok := c.now.since(then); ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %+v, %v; want %+v, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

// What children have taken is the run's own, once they have ended.
func TestSpentSoFar(t *testing.T) {
	then, ok := spentSoFar()
	if !ok || then.own <= 0 || then.busy <= 0 || then.all < then.busy {
		t.Fatalf("%+v, %v", then, ok)
	}
	now, ok := spentSoFar()
	if !ok || now.own < then.own || now.all < then.all {
		t.Errorf("%+v, then %+v", then, now)
	}
}
