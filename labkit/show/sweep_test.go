package show

import (
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit/evidence"
)

// shown is what a cell leaves on the page: displays without an id.
func (r result) shown() (html []string) {
	for i, d := range r.displays {
		if d.DisplayID == "" {
			html = append(html, r.html(i))
		}
	}
	return html
}

func TestSweepShowsEachSize(t *testing.T) {
	r := inCell(t, "sweep", "k", t.TempDir())
	tables := r.shown()
	if r.code != 0 || len(tables) != 2 || !strings.Contains(tables[0], "n = 500:") || !strings.Contains(tables[1], "n = 8,000:") || !strings.Contains(tables[1], "&lt;arm&gt;") {
		t.Errorf("exit code %d, %s\n%q", r.code, r.stderr, tables)
	}
	last := map[string]string{} // of each bar
	for i, d := range r.displays {
		if d.DisplayID != "" {
			last[d.DisplayID] = r.html(i)
		}
	}
	if len(last) != 3 {
		t.Errorf("%d bars for two sizes and what is measured beyond time", len(last))
	}
	for id, html := range last {
		if html != "" {
			t.Errorf("bar %s is still there: %s", id, html)
		}
	}
}

func TestSweepThatStops(t *testing.T) {
	for cell, want := range map[string][]string{
		"sweep fails":       {"The sweep stopped", "wrong result", "&lt;arm&gt;, n = 500"},
		"sweep interrupted": {"The sweep stopped", "interrupted: what was measured until then is kept and marked incomplete; run this cell again"},
	} {
		out := t.TempDir()
		r := inCell(t, cell, "k", out)
		html := r.shown()
		for _, text := range want {
			if r.code != 1 || len(html) == 0 || !strings.Contains(html[len(html)-1], text) {
				t.Errorf("%s: exit code %d, no %q in %q", cell, r.code, text, html)
			}
		}
		if d := len(r.displays) - 2; d < 0 || r.html(d) != "" {
			t.Errorf("%s: the bar is still there", cell)
		}
		if cell == "sweep fails" {
			continue
		}
		// The turn at hand was finished and kept.
		run, err := evidence.Load(filepath.Join(out, "sample"), samplePlan())
		if err != nil || run.Complete || len(run.Series) != 2 || len(run.Series[1].Samples) != 3 {
			t.Errorf("%s left %+v, %v", cell, run, err)
		}
	}
}

func TestSweepOfNoSizes(t *testing.T) {
	if r := inCell(t, "sweep of no sizes", "k", t.TempDir()); r.code != 0 || len(r.displays) != 1 || !strings.Contains(r.html(0), "nothing to measure") {
		t.Errorf("exit code %d, %v", r.code, r.displays)
	}
}

// sweepWithin is SweepWithin over the sample's sizes.
func sweepWithin(fits func(evidence.Forecast) error) {
	plan := samplePlan()
	SweepWithin(plan, plan.N, nil, fits, dumping)
}

// A size is measured if what the smaller ones foretell fits, and left out, with the
// reason, if not.
func TestSweepWithin(t *testing.T) {
	out := t.TempDir()
	r := inCell(t, "sweep refused", "k", out)
	html := strings.Join(r.shown(), "\n")
	for _, want := range []string{"n = 500:", "Not measured", "n = 8,000: about ", "as forecast from n = 500.", "&lt;too&gt; much at 8000: give a smaller n", "the cell goes on"} {
		if r.code != 0 || !strings.Contains(html, want) {
			t.Errorf("exit code %d, no %q in %s", r.code, want, html)
		}
	}
	run, err := evidence.Load(filepath.Join(out, "sample"), samplePlan())
	if err != nil || run.Complete || run.Largest() != 500 {
		t.Errorf("a refused size left %+v, %v", run, err)
	}
	r = inCell(t, "sweep within", "k", out)
	html = strings.Join(r.shown(), "\n")
	run, err = evidence.Load(filepath.Join(out, "sample"), samplePlan())
	if r.code != 0 || !strings.Contains(html, "as forecast from n = 500.") || strings.Contains(html, "Not measured") || err != nil || !run.Complete {
		t.Errorf("exit code %d, %v, %+v\n%s", r.code, err, run, html)
	}
}
