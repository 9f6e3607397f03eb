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

// wholes is the evidence of arms that dump and load a whole value, with what
// they add to memory.
func wholes(t testing.TB, slowest float64) *evidence.Run {
	t.Helper()
	run := usual().run(t)
	run.Plan.Counts = "dictionaries"
	run.Metrics, run.Series, run.Summaries = labkit.AllMetrics(), nil, nil
	growth := labkit.PeakGrowth.Of(labkit.Load)
	for _, n := range run.Plan.N {
		for i, arm := range run.Arms {
			for j, m := range []labkit.Metric{labkit.Dump, labkit.Load, growth, labkit.GCs.Of(labkit.Load)} {
				if m == growth && n == 500 || m == labkit.Load && arm.Name == "plain gob" {
					continue
				}
				x := float64(n) * (1 + (slowest-1)*float64(i)/float64(len(run.Arms)-1)) * float64(j+1) * 1e-4
				if m == growth {
					x *= 1e8
				}
				samples := slices.Repeat([]float64{x}, 5)
				sum, err := labkit.Summarize(samples)
				if err != nil {
					t.Fatal(err)
				}
				run.Series = append(run.Series, labkit.Series{Arm: arm.Name, N: n, Metric: m.Name, Unit: m.RawUnit(), Samples: samples})
				run.Summaries = append(run.Summaries, evidence.Summary{Arm: arm.Name, N: n, Metric: m.Name, Unit: m.Unit, Summary: sum})
			}
		}
	}
	return run
}

func TestBars(t *testing.T) {
	run := wholes(t, 10)
	c, err := Bars(run, 2000, labkit.Dump, labkit.Load)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Dump and load at n = 2,000 dictionaries: p50 of 5 rounds"; c.Title != want || c.Name != "dump_and_load_at_2000" {
		t.Errorf("%q, %q, want %q", c.Name, c.Title, want)
	}
	p := sound(t, c)
	wantTexts(t, p, "wall time", "shelf, assign", "200 ms", "400 ms", "Less is better. Whiskers: where the median lies, at the 93.75 % level. No samples of “plain gob, load”.", "no samples")
	if got := len(p.find("dump")); got != len(run.Arms) {
		t.Errorf("dump stands at %d bars of %d arms", got, len(run.Arms))
	}
	if !strings.Contains(c.Alt, "Bar chart from zero. Dump and load at n = 2,000 dictionaries") || !strings.Contains(c.Alt, "“blob, load” ") || strings.Contains(c.Alt, "“plain gob, load” ") {
		t.Errorf("alt %q", c.Alt)
	}
	growth := labkit.PeakGrowth.Of(labkit.Load)
	if c, err = Bars(run, 2000, growth); err != nil || c.Title != "Load, peak growth at n = 2,000 dictionaries: p50 of 5 rounds" || !strings.Contains(c.Alt, "60.0 MB") {
		t.Errorf("%v, %q, %q", err, c.Title, c.Alt)
	}
	wantTexts(t, sound(t, c), "bytes", "60.0 MB")
	// A bar that would be lost on an axis from zero has one that is logarithmic.
	if c, err = Bars(wholes(t, 200), 2000, labkit.Dump, labkit.Load); err != nil || !strings.Contains(c.Alt, "on a log axis") {
		t.Errorf("%v, %q", err, c.Alt)
	}
	wantTexts(t, sound(t, c), "wall time, log scale")
}

// A number stands in a column of p50s, right of every bar and interval: at the
// tip of one it would be read as what that is.
func TestBarsHaveAColumnOfP50s(t *testing.T) {
	c, err := Disk(usual().run(t))
	if err != nil {
		t.Fatal(err)
	}
	p := sound(t, c)
	head, values := p.find("p50"), p.find("1.96 MB")
	if len(head) != 1 || len(values) != 1 {
		t.Fatalf("heading %v, value %v", head, values)
	}
	if h, v := head[0], values[0]; math.Abs(h.x2-v.x2) > 3 || h.y2 > v.y1 {
		t.Errorf("the heading %v does not stand above the value %v", h, v)
	}
	const marker = 30 // the arms' markers end left of it
	bars := 0
	for _, s := range p.strokes {
		if data(s) && s.x1 > marker {
			bars++
		}
		if max(s.x1, s.x2) > values[0].x1-float64(valueGap)/2 && data(s) {
			t.Errorf("%v reaches the column at %v", s, values[0])
		}
	}
	if bars < len(usual().arms) {
		t.Errorf("%d bars", bars)
	}
}

func TestBarsRefuse(t *testing.T) {
	run := wholes(t, 10)
	growth := labkit.PeakGrowth.Of(labkit.Load)
	for name, c := range map[string]struct {
		run     *evidence.Run
		n       int
		metrics []labkit.Metric
		none    bool
	}{
		"nil":             {nil, 500, []labkit.Metric{labkit.Dump}, true},
		"no such n":       {run, 501, []labkit.Metric{labkit.Dump}, true},
		"not there":       {run, 500, []labkit.Metric{growth}, true},
		"no metric":       {run, 500, nil, false},
		"three":           {run, 500, []labkit.Metric{labkit.Dump, labkit.Load, labkit.Dump}, false},
		"two units":       {run, 2000, []labkit.Metric{labkit.Load, growth}, false},
		"unknown metrics": {run, 500, []labkit.Metric{{}}, true},
	} {
		if _, err := Bars(c.run, c.n, c.metrics...); err == nil || errors.Is(err, evidence.ErrNone) != c.none {
			t.Errorf("%s: %v, ErrNone %v", name, err, c.none)
		}
	}
}

// A metric that was measured at some of the sizes only is drawn over those, and
// n is named by what it counts.
func TestScaleOfResources(t *testing.T) {
	run := wholes(t, 10)
	c, err := Scale(run, labkit.PeakGrowth.Of(labkit.Load))
	if err != nil {
		t.Fatal(err)
	}
	if want := "Load, peak growth, bytes over n = 2,000, 8,000: p50 of 5 rounds"; c.Title != want || !strings.Contains(c.Alt, "over n = 2,000, 8,000 dictionaries") {
		t.Errorf("%q, alt %q, want %q", c.Title, c.Alt, want)
	}
	p := sound(t, c)
	wantTexts(t, p, "2,000", "8,000", "bytes, log scale", "n, dictionaries, log scale")
	if len(p.find("500")) > 0 {
		t.Error("a size without samples is on the axis")
	}
	if c, err = Scale(run, labkit.GCs.Of(labkit.Load)); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, sound(t, c), "collections, log scale", "3.20")
	if c, err = Scale(run, labkit.Load); err != nil || !strings.Contains(c.Alt, "No samples of “plain gob”.") {
		t.Errorf("%v, %q", err, c.Alt)
	}
}

// Every chart that can be drawn is among the sketches, as it would be drawn.
func TestEvery(t *testing.T) {
	run := wholes(t, 10)
	sketches := Every(run)
	for name, draw := range map[string]func() (Chart, error){
		"over n":    func() (Chart, error) { return Scale(run, labkit.Load) },
		"resource":  func() (Chart, error) { return Scale(run, labkit.GCs.Of(labkit.Load)) },
		"bars":      func() (Chart, error) { return Bars(run, 500, labkit.Load) },
		"two":       func() (Chart, error) { return Bars(run, 8000, labkit.Dump, labkit.Load) },
		"two other": func() (Chart, error) { return Bars(run, 8000, labkit.Load, labkit.Dump) },
	} {
		want, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(sketches, func(s Sketch) bool { return s.Name == want.Name && s.Title == want.Title && s.Alt == want.Alt })
		if at < 0 {
			t.Errorf("%s: no sketch of %q", name, want.Title)
			continue
		}
		got, err := sketches[at].Draw()
		if err != nil || string(got.SVG) != string(want.SVG) || got.Title != want.Title {
			t.Errorf("%s: drawn otherwise: %v", name, err)
		}
	}
	names := map[string]bool{}
	for _, s := range sketches {
		if names[s.Name] {
			t.Errorf("two sketches are called %s", s.Name)
		}
		names[s.Name] = true
	}
	if got := Every(nil); len(got) > 0 {
		t.Errorf("without a run: %v", got)
	}
	old := usual().run(t)
	if got := Every(old); !slices.ContainsFunc(got, func(s Sketch) bool { return s.Name == "random_access" }) || !slices.ContainsFunc(got, func(s Sketch) bool { return s.Name == "disk" }) {
		t.Error("random access or disk is missing")
	}
}
