package labkit_test

import (
	"errors"
	"strings"
	"testing"

	"shelflab/labkit"
)

func TestTimeRunsTheOperationOnce(t *testing.T) {
	for _, want := range []error{nil, errDisk} {
		calls := 0
		took, err := labkit.Time(func() error { calls++; return want })
		if calls != 1 || !errors.Is(err, want) || took < 0 {
			t.Errorf("%d calls, %v, %v, want one call and %v", calls, took, err, want)
		}
	}
}

func TestMonotonicDoesNotGoBack(t *testing.T) {
	before := labkit.Monotonic()
	for range 1000 {
		now := labkit.Monotonic()
		if now < before {
			t.Fatalf("%v after %v", now, before)
		}
		before = now
	}
}

func TestMetrics(t *testing.T) {
	seen := map[string]bool{}
	raw := map[string]string{
		"records/s": "s", "s": "s", "B": "B",
		"allocs/record": "allocs", "B/record": "B", "B/B": "B", "GCs": "GCs",
		"ops/s": "s", "writes": "writes", "values": "values", "updates": "updates", "reads": "reads",
	}
	for _, m := range labkit.AllMetrics() {
		if m.Name == "" || m.What == "" || seen[m.Name] {
			t.Errorf("%+v has no name or text, or is there twice", m)
		}
		seen[m.Name] = true
		if m.RawUnit() != raw[m.Unit] || m.Rate() != (m.Unit == "records/s" || m.Unit == "ops/s") || m.Higher != (m.Rate() || m.Name == "acknowledged") || m.Amount() != (!m.Rate() && strings.Contains(m.Unit, "/")) {
			t.Errorf("%s in %s: samples in %s, rate %v, amount %v, more is better %v", m.Name, m.Unit, m.RawUnit(), m.Rate(), m.Amount(), m.Higher)
		}
	}
	for m, want := range map[labkit.Metric]float64{{Unit: "records/s"}: 2, {Unit: "ops/s"}: 2, {Unit: "reads"}: 4, {Unit: "B/record"}: 0.5, {Unit: "s"}: 4} {
		if got := (labkit.Series{Work: 8, Samples: []float64{4}}).Values(m); got[0] != want {
			t.Errorf("4 of 8 in %s is %v, want %v", m.Unit, got, want)
		}
	}
	labkit.Metrics()[0].Name = "changed"
	if labkit.Metrics()[0].Name == "changed" {
		t.Error("the list of metrics can be changed from outside")
	}
}
