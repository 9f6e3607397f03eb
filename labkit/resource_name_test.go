package labkit_test

import (
	"testing"

	"shelflab/labkit"
)

func TestResources(t *testing.T) {
	if m := labkit.PeakGrowth.Of(labkit.Load); m.Name != "load, peak growth" || m.Unit != "B" || m.Group != labkit.Resources || m.What == "" {
		t.Errorf("%+v", m)
	}
	if m := labkit.Resource("joy").Of(labkit.Load); m != (labkit.Metric{}) {
		t.Errorf("an unknown resource: %+v", m)
	}
	found := 0
	for _, m := range labkit.AllMetrics() {
		operation, x, ok := labkit.OfResource(m.Name)
		if ok {
			found++
		}
		if ok && x.Of(labkit.Metric{Name: operation}) != m {
			t.Errorf("%q is %q of %q", m.Name, x, operation)
		}
	}
	if want := 8 * len(labkit.ResourceOperations()); found != want {
		t.Errorf("%d of the metrics are resources of an operation, want %d", found, want)
	}
	for _, name := range []string{"", "load", "load, ", "load, joy", "joy, allocs", "load, allocs, GCs", "write, by calls", "read, cold"} {
		if operation, x, ok := labkit.OfResource(name); ok || operation != "" || x != "" {
			t.Errorf("%q is %q of %q", name, x, operation)
		}
	}
}
