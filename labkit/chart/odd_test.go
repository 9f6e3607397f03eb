package chart

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestIncompleteRunSaysSo(t *testing.T) {
	s := usual()
	all := s.value
	s.value = func(arm labkit.Arm, m labkit.Metric, n, round int) (float64, bool) {
		if n == 8000 && (arm.Name == "plain gob" || arm.Name == "blob" && round > 2) {
			return 0, false
		}
		return all(arm, m, n, round)
	}
	charts := drawAll(t, s.run(t))
	for _, name := range []string{"write_scale", "random_access", "disk"} {
		if c := charts[name]; !strings.Contains(c.Alt, "Incomplete: n = 8,000 not measured to the last round.") || !strings.Contains(string(c.SVG), "Incomplete:") {
			t.Errorf("%s does not say that it is incomplete: %s", name, c.Alt)
		}
	}
	if p := parse(t, charts["disk"].SVG); len(p.find("no samples")) != 1 {
		t.Error("the disk chart does not say which arm has no samples")
	}
	if !strings.Contains(string(charts["write_scale"].SVG), "rec/s at 2,000") {
		t.Error("a line that ends early does not say where")
	}
}

func TestZeroStandsOnTheFloor(t *testing.T) {
	s := usual()
	all := s.value
	s.value = func(arm labkit.Arm, m labkit.Metric, n, round int) (float64, bool) {
		if arm.Name == "blob" && n == 8000 {
			return 0, true
		}
		return all(arm, m, n, round)
	}
	charts := drawAll(t, s.run(t))
	wantTexts(t, parse(t, charts["write_scale"].SVG), "0", "0 rec/s")
	wantTexts(t, parse(t, charts["random_access"].SVG), "0", "0 s")
	wantTexts(t, parse(t, charts["disk"].SVG), "0", "0 B")
}

func TestNothingToDraw(t *testing.T) {
	none := usual()
	none.value = func(labkit.Arm, labkit.Metric, int, int) (float64, bool) { return 0, false }
	onlyWrite := usual()
	onlyWrite.value = func(_ labkit.Arm, m labkit.Metric, _, _ int) (float64, bool) { return 1, m == labkit.Write }
	for name, err := range map[string]error{
		"nil run":          second(All(nil)),
		"zero run":         second(All(&evidence.Run{})),
		"no samples":       second(All(none.run(t))),
		"nil scale":        second(Scale(nil, labkit.Write)),
		"unknown metric":   second(Scale(usual().run(t), labkit.Metric{Name: "smell"})),
		"nil random":       second(Random(nil)),
		"no gets":          second(Random(onlyWrite.run(t))),
		"nil disk":         second(Disk(nil)),
		"no disk":          second(Disk(onlyWrite.run(t))),
		"metric of no arm": second(Scale(onlyWrite.run(t), labkit.Read)),
	} {
		if !errors.Is(err, evidence.ErrNone) || !strings.Contains(err.Error(), "run the sweep") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Topology(labkit.Plan{}, nil); !errors.Is(err, labkit.ErrPlan) {
		t.Errorf("topology without arms: %v", err)
	}
	if charts := drawAll(t, onlyWrite.run(t)); len(charts) != 2 {
		t.Errorf("a run of writes alone gives %d charts, want topology and write", len(charts))
	}
}

func second[T any](_ T, err error) error { return err }

func TestHostileNames(t *testing.T) {
	s := usual()
	s.arms = []labkit.Arm{
		{Name: `<script>alert("x")</script>`, Kind: "keyed store", Pair: `"><img>`},
		{Name: strings.Repeat("a very long name of an arm ", 100), Kind: "snapshot", Pair: "ours"},
		{Name: "line\nbreak\x00\x1b[31m\xff", Kind: "snapshot"},
		{Name: `<text x="1" style="font-family:a;font-variant:b;c">`, Kind: "</svg>"},
		{Name: "数据\u202e", Kind: "keyed store"},
	}
	s.value = func(labkit.Arm, labkit.Metric, int, int) (float64, bool) { return 7, true }
	for name, c := range drawAll(t, s.run(t)) {
		if bytes.Contains(c.SVG, []byte("<script")) || bytes.Contains(c.SVG, []byte("<img")) {
			t.Errorf("%s: markup of a name is in the SVG", name)
		}
		if !bytes.Contains(c.SVG, []byte("…")) {
			t.Errorf("%s: the long name is not clipped", name)
		}
		if len(c.Alt) > 3000 {
			t.Errorf("%s: an alternative text of %d characters", name, len(c.Alt))
		}
	}
}

// A long name and numbers beside the y axis leave less room for those below the x
// axis.
func TestNumbersOfSizesKeepApart(t *testing.T) {
	for near := 8_000_000; near <= 14_000_000; near += 250_000 {
		s := usual()
		s.plan.N = []int{2, 1_000_000, near}
		s.arms[0].Name = "a very long name of an arm"
		s.value = func(_ labkit.Arm, _ labkit.Metric, n, _ int) (float64, bool) { return float64(n % 3), true }
		chart, err := Scale(s.run(t), labkit.Write)
		if err != nil {
			t.Fatal(err)
		}
		wantTexts(t, soundSVG(t, chart), evidence.Count(near)) // nothing lies over anything else
	}
}

// TestAnyRun draws runs of any shape: no panic, nothing over anything else.
func TestAnyRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := usual()
		s.plan.N = slices.Compact(slices.Sorted(slices.Values(rapid.SliceOfN(rapid.IntRange(1, labkit.MaxRecords), 1, 8).Draw(t, "n"))))
		s.plan.Rounds = rapid.IntRange(1, 7).Draw(t, "rounds")
		s.plan.Keys = rapid.IntRange(1, labkit.MaxRecords).Draw(t, "keys")
		count := rapid.IntRange(1, 12).Draw(t, "arms")
		s.arms = nil
		for i := range count {
			s.arms = append(s.arms, labkit.Arm{
				Name: fmt.Sprintf("arm %d %s", i, rapid.StringN(0, 40, -1).Draw(t, "name")),
				Kind: rapid.SampledFrom([]string{"keyed store", "snapshot", "", "other"}).Draw(t, "kind"),
				Pair: rapid.SampledFrom([]string{"ours", "plain", ""}).Draw(t, "pair"),
			})
		}
		low := rapid.Float64Range(-9, 12).Draw(t, "low")
		high := rapid.Float64Range(low, 12).Draw(t, "high")
		exponent := rapid.Float64Range(low, high)
		s.value = func(labkit.Arm, labkit.Metric, int, int) (float64, bool) {
			switch rapid.IntRange(0, 19).Draw(t, "case") {
			case 0:
				return 0, true
			case 1:
				return 0, false
			}
			return math.Pow(10, exponent.Draw(t, "exponent")), true
		}
		tt := &failer{T: t}
		run := s.run(tt)
		for _, make := range []func() (page, error){
			func() (page, error) { return topologyPage(run.Plan, run.Arms) },
			func() (page, error) { return scalePage(run, labkit.Write) },
			func() (page, error) { return randomPage(run) },
			func() (page, error) { return diskPage(run) },
		} {
			p, err := make()
			if errors.Is(err, evidence.ErrNone) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			svg, err := p.svg()
			if err != nil {
				t.Fatal(err)
			}
			soundSVG(tt, Chart{Name: p.name, Title: p.title, Alt: p.alt, SVG: svg})
		}
	})
}

// failer lets helpers for testing.TB work under rapid.
type failer struct {
	testing.TB
	T *rapid.T
}

func (f *failer) Helper()                   {}
func (f *failer) Errorf(s string, a ...any) { f.T.Errorf(s, a...) }
func (f *failer) Fatalf(s string, a ...any) { f.T.Fatalf(s, a...) }
func (f *failer) Fatal(a ...any)            { f.T.Fatal(a...) }

func TestForeignSummariesCountAsMissing(t *testing.T) {
	run := usual().run(t)
	for i := range run.Summaries {
		if s := &run.Summaries[i]; s.Arm == "blob" {
			s.P50, s.Hi = math.NaN(), math.Inf(1)
		}
	}
	for name, c := range drawAll(t, run) {
		if name != "topology" && !strings.Contains(string(c.SVG), "No samples of “blob”.") {
			t.Errorf("%s: NaN is not named as missing", name)
		}
	}
}
