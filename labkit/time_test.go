package labkit_test

import (
	"errors"
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
	for _, m := range labkit.Metrics() {
		if m.Name == "" || m.What == "" || seen[m.Name] {
			t.Errorf("%+v has no name or text, or is there twice", m)
		}
		seen[m.Name] = true
		raw := map[string]string{"records/s": "s", "s": "s", "B": "B"}[m.Unit]
		if m.RawUnit() != raw || m.Rate() != (m.Unit == "records/s") || m.Higher != m.Rate() {
			t.Errorf("%s in %s: samples in %s, rate %v, more is better %v", m.Name, m.Unit, m.RawUnit(), m.Rate(), m.Higher)
		}
	}
	labkit.Metrics()[0].Name = "changed"
	if labkit.Metrics()[0].Name == "changed" {
		t.Error("the list of metrics can be changed from outside")
	}
}
