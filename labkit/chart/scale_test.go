package chart

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

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
