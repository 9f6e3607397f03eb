package chart

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestPerRecord(t *testing.T) {
	run := usual().run(t)
	c, err := PerRecord(run, labkit.Write)
	if err != nil {
		t.Fatal(err)
	}
	sound(t, c)
	if c.Name != "write_per_record_scale" || !strings.Contains(c.Title, "Write per record, seconds over n = ") || !strings.Contains(c.Alt, "write per record in seconds") {
		t.Errorf("%s, %q, %q", c.Name, c.Title, c.Alt)
	}
	// What it draws is the rate turned over.
	p, err := perRecordPage(run, labkit.Write)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range run.Summaries {
		if s.Metric != labkit.Write.Name || s.N != run.Largest() || s.Arm == "blob, again" {
			continue
		}
		if want := evidence.Quantity(1/s.P50, "s"); !strings.Contains(p.alt, want) {
			t.Errorf("%s: no %s in %q", s.Arm, want, p.alt)
		}
		if math.IsNaN(s.P50) {
			t.Error(s)
		}
	}
	for _, m := range []labkit.Metric{labkit.Gets, labkit.Disk, {}} {
		if _, err := PerRecord(run, m); !errors.Is(err, evidence.ErrNone) {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	if _, err := PerRecord(nil, labkit.Write); !errors.Is(err, evidence.ErrNone) {
		t.Errorf("no run: %v", err)
	}
	if !slices.ContainsFunc(Every(run), func(s Sketch) bool { return s.Title == c.Title }) {
		t.Error("it is not among the charts that can be drawn of the run")
	}
}
