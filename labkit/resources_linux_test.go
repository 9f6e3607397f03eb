package labkit_test

import "testing"

// What only Linux tells of a process.
func TestResourcesThatLinuxTells(t *testing.T) {
	for _, c := range []struct {
		arm, metric string
		least, most float64
	}{
		{"holds", "read, peak growth", 7 * mebi, 64 * mebi}, // the race detector takes a multiple
		{"leaves", "write, peak growth", 0, 8 * mebi},       // zero pages need not be resident
		{"writes", "write, by calls", 3, 3.01},              // 3 MiB for 1 MiB of records
	} {
		values, _ := resourcesOf(t, c.arm)
		if len(values[c.metric]) == 0 {
			t.Errorf("%s: no %s", c.arm, c.metric)
		}
		for _, x := range values[c.metric] {
			if x < c.least || x > c.most {
				t.Errorf("%s: %s is %v, want %v to %v", c.arm, c.metric, x, c.least, c.most)
			}
		}
	}
}
