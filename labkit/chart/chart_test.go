package chart

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
func data(s stroke) bool { return slices.Contains(armColors, s.color) }

var armColors = hex(slices.Concat(keyedColors, snapshotColors, otherColors))

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

func TestOneIsSingular(t *testing.T) {
	s := usual()
	s.plan.Rounds, s.plan.Keys = 1, 1
	c, err := Topology(s.plan, s.arms)
	if want := "1 random get and disk of every arm; 1 round gives the p50."; err != nil || !strings.HasSuffix(c.Alt, want) {
		t.Errorf("%v, %q, want %q", err, c.Alt, want)
	}
	if c, err = Random(s.run(t)); err != nil || c.Title != "1 random get at n = 8,000: p50 of 1 round" {
		t.Errorf("%v, %q", err, c.Title)
	}
}

// The drawing does not pretend that an arm is measured that this machine lacks.
func TestTopologySaysWhatIsNotMeasured(t *testing.T) {
	arms := []labkit.Arm{{Name: "blob", Kind: "snapshot", Pair: "ours"}, {Name: "shelve", Kind: "keyed store", Pair: "peer", Unmeasured: "there is no Python"}}
	c, err := Topology(usual().plan, arms)
	if err != nil || !strings.Contains(c.Alt, "“shelve” (not measured)") || !strings.Contains(string(c.SVG), ">not measured<") || strings.Contains(string(c.SVG), ">peer<") {
		t.Errorf("%v, %q\n%s", err, c.Alt, c.SVG)
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
