package chart

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// sound checks what every chart must be, whatever it draws.
func sound(t testing.TB, c Chart) picture {
	t.Helper()
	if c.Name != labkit.Slug(c.Name) || c.Title == "" || c.Alt == "" {
		t.Errorf("name %q, title %q, alt %q", c.Name, c.Title, c.Alt)
	}
	img, err := png.Decode(bytes.NewReader(c.PNG))
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Dx(); got != 2*Width {
		t.Errorf("%s: PNG is %d pixels wide", c.Name, got)
	}
	return soundSVG(t, c)
}

func soundSVG(t testing.TB, c Chart) picture {
	t.Helper()
	p := parse(t, c.SVG)
	if p.attr["role"] != "img" || p.attr["aria-label"] != c.Alt || p.title != c.Title {
		t.Errorf("%s: role %q, label %q, title %q", c.Name, p.attr["role"], p.attr["aria-label"], p.title)
	}
	if !strings.Contains(p.attr["style"], "max-width:100%") || p.width != Width {
		t.Errorf("%s does not scale: %v", c.Name, p.attr)
	}
	for i, a := range p.texts {
		if a.x1 < 0 || a.x2 > p.width || a.y1 < 0 || a.y2 > p.height {
			t.Errorf("%s: %q leaves the page: %v", c.Name, a.text, a.rect)
		}
		for _, b := range p.texts[:i] {
			if a.overlaps(b.rect) {
				t.Errorf("%s: %q %v lies over %q %v", c.Name, a.text, a.rect, b.text, b.rect)
			}
		}
		for _, s := range p.strokes {
			if data(s) && s.hits(a.rect) {
				t.Errorf("%s: data of %s %v runs through %q %v", c.Name, s.color, s.rect, a.text, a.rect)
			}
		}
	}
	return p
}

// data tells whether a stroke has the colour of an arm.
func data(s stroke) bool {
	for _, list := range [][]string{hex(keyedColors), hex(snapshotColors), {"#000000", "#6E7781"}} {
		if slices.Contains(list, s.color) {
			return true
		}
	}
	return false
}

func drawAll(t testing.TB, run *evidence.Run) map[string]Chart {
	t.Helper()
	list, err := All(run)
	if err != nil {
		t.Fatal(err)
	}
	charts := map[string]Chart{}
	for _, c := range list {
		sound(t, c)
		charts[c.Name] = c
	}
	return charts
}

func wantTexts(t *testing.T, p picture, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if len(p.find(text)) == 0 {
			t.Errorf("no text %q among %v", text, p.texts)
		}
	}
}

func TestAllDrawsEveryChart(t *testing.T) {
	run := usual().run(t)
	list, err := All(run)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range list {
		p := sound(t, c)
		names = append(names, c.Name)
		for _, arm := range run.Arms {
			wantTexts(t, p, arm.Name)
			if !strings.Contains(c.Alt, "“"+arm.Name) {
				t.Errorf("%s: %q is not in %q", c.Name, arm.Name, c.Alt)
			}
		}
	}
	if want := []string{"topology", "write_scale", "read_scale", "random_access", "disk"}; !slices.Equal(names, want) {
		t.Errorf("charts %q, want %q", names, want)
	}
}

func TestScaleStatesWhatItShows(t *testing.T) {
	run := usual().run(t)
	c, err := Scale(run, labkit.Write)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Write, records a second over n = 500, 2,000, 8,000: p50 of 5 rounds"; c.Title != want {
		t.Errorf("title %q, want %q", c.Title, want)
	}
	p := sound(t, c)
	wantTexts(t, p, "500", "2,000", "8,000", "100 k", "1 M", "records a second, log scale", "n, records in the store, log scale",
		"Higher is better. Whiskers: where the median lies, at the 93.75 % level.")
	right := p.find("8,000")[0].x2
	for _, arm := range run.Arms {
		s, _ := run.Summary(arm.Name, 8000, "write")
		value := evidence.Quantity(s.P50, "records/s")
		wantTexts(t, p, value)
		if !strings.Contains(c.Alt, "“"+arm.Name+"” "+value) {
			t.Errorf("%s %s is not in %q", arm.Name, value, c.Alt)
		}
		if at := p.find(arm.Name)[0]; at.x1 < right {
			t.Errorf("%q begins at %v, within the data", arm.Name, at.x1)
		}
	}
}

func TestPointsStandWhereTheirValuesAre(t *testing.T) {
	s := usual()
	s.arms = s.arms[:1]
	s.value = func(_ labkit.Arm, _ labkit.Metric, n, _ int) (float64, bool) { return float64(n), true }
	s.plan.N = []int{100, 1000, 10000}
	c, err := Scale(s.run(t), labkit.Write)
	if err != nil {
		t.Fatal(err)
	}
	p := sound(t, c)
	var line []stroke
	for _, s := range p.strokes {
		if s.color == hex(keyedColors)[0] && !s.fill && math.Abs(s.x2-s.x1) > 50 {
			line = append(line, s)
		}
	}
	if len(line) != 2 {
		t.Fatalf("the line has %d pieces", len(line))
	}
	for i, tick := range []struct{ x, y string }{{"100", "100"}, {"1,000", "1 k"}, {"10,000", "10 k"}} {
		at := func(texts []textAt, pick func(textAt) bool) rect {
			for _, x := range texts {
				if pick(x) {
					return x.rect
				}
			}
			t.Fatalf("no tick %v", tick)
			return rect{}
		}
		bottom := at(p.find(tick.x), func(x textAt) bool { return x.y1 > line[0].y1 })
		side := at(p.find(tick.y), func(x textAt) bool { return x.x2 < line[0].x1 })
		x, y := line[min(i, 1)].x1, line[min(i, 1)].y1
		if i == 2 {
			x, y = line[1].x2, line[1].y2
		}
		if math.Abs((bottom.x1+bottom.x2)/2-x) > 1 || math.Abs((side.y1+side.y2)/2-y) > 2 {
			t.Errorf("point %d at %v, %v; its ticks at %v and %v", i, x, y, bottom, side)
		}
	}
}

func TestFewRoundsDrawNoWhiskers(t *testing.T) {
	for rounds, want := range map[int]string{
		1: "No whiskers: an interval needs 5 rounds, these are 1.",
		4: "No whiskers: an interval needs 5 rounds, these are 4.",
		5: "Whiskers: where the median lies, at the 93.75 % level.",
	} {
		s := usual()
		s.plan.Rounds = rounds
		const markerSide = 11 // of a square one, at most
		for name, c := range drawAll(t, s.run(t)) {
			if name == "topology" {
				continue
			}
			p := parse(t, c.SVG)
			if !strings.Contains(fmt.Sprint(p.texts), want) {
				t.Errorf("%s, %d rounds: no %q", name, rounds, want)
			}
			drawn := 0
			for _, s := range p.strokes { // upright at a point, in ink at a bar
				if !s.fill && (s.color == hex([]color.Color{inkColor})[0] || strings.HasSuffix(name, "scale") && data(s) && s.x1 == s.x2 && math.Abs(s.y2-s.y1) > markerSide) {
					drawn++
				}
			}
			if (drawn > 0) != (rounds == 5) {
				t.Errorf("%s, %d rounds: %d strokes of whiskers", name, rounds, drawn)
			}
			if want := "p50 of " + map[int]string{1: "1 round", 4: "4 rounds", 5: "5 rounds"}[rounds]; !strings.HasSuffix(c.Title, want) {
				t.Errorf("%s: title %q, want ... %q", name, c.Title, want)
			}
		}
	}
}

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

func TestSameRunSameBytes(t *testing.T) {
	a, err := Random(usual().run(t))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Random(usual().run(t))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.SVG, b.SVG) || !bytes.Equal(a.PNG, b.PNG) {
		t.Error("two drawings of one run differ")
	}
}

// TestPNGHasTheSVGsColours looks at the picture's ground and bars.
func TestPNGHasTheSVGsColours(t *testing.T) {
	run := usual().run(t)
	c, err := Disk(run)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(c.PNG))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			count[hex([]color.Color{img.At(x, y)})[0]]++
		}
	}
	want := []color.Color{panelColor}
	for _, l := range looks(run.Arms) {
		want = append(want, l.color)
	}
	for _, c := range hex(want) {
		if count[c] < 1000 {
			t.Errorf("%d pixels of %s", count[c], c)
		}
	}
}

func BenchmarkScale(b *testing.B) {
	run := usual().run(b)
	for b.Loop() {
		if _, err := Scale(run, labkit.Write); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLooksDifferWithoutColour(t *testing.T) {
	var arms []labkit.Arm
	for i := range 10 {
		arms = append(arms, labkit.Arm{Name: fmt.Sprint(i), Kind: []string{"keyed store", "snapshot"}[i%2], Pair: []string{"ours", "plain"}[i/5]})
	}
	seen := map[string]string{}
	for name, l := range looks(arms) {
		grey := fmt.Sprint(l.shape, l.hollow)
		if other, ok := seen[grey]; ok {
			t.Errorf("arms %s and %s have the same marker in grey", name, other)
		}
		seen[grey] = name
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	c := Chart{Name: "disk", SVG: []byte("<svg/>")}
	for range 2 {
		if err := c.Save(filepath.Join(dir, "new")); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "new", "charts", "disk.svg")); err != nil || string(got) != "<svg/>" {
		t.Errorf("%q, %v", got, err)
	}
	for _, name := range []string{"", "../x", "a/b", ".hidden"} {
		if err := (Chart{Name: name}).Save(dir); err == nil {
			t.Errorf("name %q was saved", name)
		}
	}
}
