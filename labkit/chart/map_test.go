package chart

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit"
	"shelflab/labkit/cost"
	"shelflab/labkit/evidence"
	"shelflab/labkit/evidence/madeup"
)

func madeModel(t testing.TB, rounds int, noise float64) *evidence.Model {
	t.Helper()
	run, parts := madeup.Runs(rounds, noise)
	m, err := evidence.ModelOf(run, parts...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMap(t *testing.T) {
	c, err := Map(madeModel(t, 5, 1.15))
	if err != nil {
		t.Fatal(err)
	}
	p := sound(t, c)
	wantTexts(t, p, "The cheapest cycle over n and keys fetched: records of 120 B, process-crash, p50 of 5 rounds",
		"indexed blob", "blob", "cannot be told, 16 %", "open: held out", "k = n",
		"n, records in the store, log scale", "k, keys fetched after each write, log scale", "1,000,000")
	if c.Name != "map_120_bytes" || !strings.Contains(c.Alt, "is the cheapest up to k = ") || !strings.Contains(c.Alt, "Held out: ") {
		t.Errorf("%s: %s", c.Name, c.Alt)
	}
	if strings.Contains(string(c.SVG), "crossed") {
		t.Error("it speaks of crosses that are not there")
	}
	again, err := Map(madeModel(t, 5, 1.15))
	if err != nil || string(again.SVG) != string(c.SVG) {
		t.Errorf("the same model gives another drawing: %v", err)
	}
}

// What is written beside the map is what the sentences say of it, to the last
// digit, whatever the shares are.
func TestMapSaysWhatTheSentencesSay(t *testing.T) {
	shares := 0
	for i := range 12 {
		m := madeModel(t, 5, 1+0.04*float64(i))
		c, err := Map(m)
		if err != nil {
			t.Fatal(err)
		}
		_, list, ok := strings.Cut(m.Lines()[0], ": the cheapest is ")
		if !ok {
			continue // told nowhere
		}
		list, _, _ = strings.Cut(strings.TrimSuffix(list, "."), "; on the rest")
		if !strings.Contains(c.Alt, list) {
			t.Errorf("the text of the chart does not say %q: %s", list, c.Alt)
		}
		p := sound(t, c)
		for _, said := range strings.Split(list, ", ") { // "blob on 12 %"
			shares++
			wantTexts(t, p, strings.Replace(said, " on ", ", ", 1))
		}
	}
	if shares < 12 {
		t.Errorf("only %d shares were compared", shares)
	}
}

// The border stands where the two arms cost the same.
func TestMapBorderStandsWhereItIs(t *testing.T) {
	m := madeModel(t, 5, 1)
	grid, err := m.Grid()
	if err != nil {
		t.Fatal(err)
	}
	c, err := Map(m)
	if err != nil {
		t.Fatal(err)
	}
	p := sound(t, c)
	// By the ticks of the axes: 100 and 1,000,000 on x, 1 and 1,000,000 on y.
	x := func(n float64) float64 { return at(t, p, "100", "1,000,000", 100, 1e6, n, false) }
	y := func(k float64) float64 { return at(t, p, "1", "1,000,000", 1, 1e6, k, true) }
	ink := hex([]color.Color{inkColor})[0]
	for _, i := range []int{30, 50, 70} {
		n, k := grid.N[i], grid.Borders[i][0].K
		there := false
		for _, s := range p.strokes {
			const near = 3 // points
			there = there || s.color == ink && !s.fill && math.Abs(s.x1-x(n)) < near && s.y1-near < y(k) && y(k) < s.y2+near
		}
		if !there {
			t.Errorf("no border at n = %v, k = %v, where it should be: (%v, %v)", n, k, x(n), y(k))
		}
	}
}

// at is where a value stands on a log axis, by two of its labels.
func at(t *testing.T, p picture, low, high string, from, to, value float64, upright bool) float64 {
	t.Helper()
	middle := func(text string) float64 {
		list := p.find(text)
		best := list[0]
		for _, x := range list { // those of x are below, those of y to the left
			if upright && x.x1 < best.x1 || !upright && x.y1 > best.y1 {
				best = x
			}
		}
		if upright {
			return (best.y1 + best.y2) / 2
		}
		return (best.x1 + best.x2) / 2
	}
	share := math.Log(value/from) / math.Log(to/from)
	return middle(low) + share*(middle(high)-middle(low))
}

// What was held out and lies elsewhere is crossed, and said.
func TestMapCrossesWhatIsOutside(t *testing.T) {
	run, parts := madeup.Runs(5, 1)
	for _, part := range parts {
		if _, held := part.Plan.Given[evidence.HeldOut]; held {
			for i := range part.Series {
				for j := range part.Series[i].Samples {
					part.Series[i].Samples[j] *= 3
				}
			}
		}
	}
	m, err := evidence.ModelOf(run, parts...)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Map(m)
	if err != nil {
		t.Fatal(err)
	}
	p := sound(t, c)
	wantTexts(t, p, "crossed: outside of the error")
	all := ""
	for _, text := range p.texts {
		all += text.text + " "
	}
	if !strings.Contains(all, "At 4 of 4 held-out places an arm lies outside") {
		t.Errorf("the notes do not say it: %s", all)
	}
}

func TestMapOfFewRounds(t *testing.T) {
	c, err := Map(madeModel(t, 2, 1.1))
	if err != nil {
		t.Fatal(err)
	}
	wantTexts(t, sound(t, c), "cannot be told, 100 %", "blob, nowhere for sure")
	if !strings.Contains(string(c.SVG), "After 2 rounds") {
		t.Error("it does not say why")
	}
}

func TestMapRefuses(t *testing.T) {
	if _, err := Map(nil); !errors.Is(err, evidence.ErrNone) {
		t.Errorf("nil: %v", err)
	}
	m := madeModel(t, 5, 1)
	m.Class = labkit.PowerLoss
	if _, err := Map(m); !errors.Is(err, cost.ErrLacks) {
		t.Errorf("another class: %v", err)
	}
	m = madeModel(t, 5, 1)
	m.Record = math.NaN()
	if _, err := Map(m); !errors.Is(err, cost.ErrSize) {
		t.Errorf("NaN bytes: %v", err)
	}
	m.Record = 50_000
	c, err := Map(m)
	if err != nil || !strings.Contains(string(c.SVG), "nothing is drawn") {
		t.Errorf("records of a size that was not measured: %v", err)
	}
	if Maps(nil) != nil {
		t.Error("maps of nothing")
	}
	if list := Maps(madeModel(t, 5, 1)); len(list) != 2 || list[0].Name != "map_120_bytes" || list[1].Name != "map_1200_bytes" {
		t.Errorf("%d maps", len(list))
	}
}

// Any model draws, whatever its arms are called and cost: no text leaves the page or
// lies over another, and no mark over a text.
func TestAnyMap(t *testing.T) {
	for seed := range 30 {
		m := anyModel.Example(seed)
		p, err := mapPage(m)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := p.ready().svg()
		if err != nil {
			t.Fatal(err)
		}
		p = p.ready()
		soundSVG(t, Chart{Name: p.name, Title: p.title, Alt: p.alt, SVG: svg})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

var anyModel = rapid.Custom(func(rt *rapid.T) *evidence.Model {
	plan := labkit.Plan{Name: "any", Rounds: rapid.SampledFrom([]int{1, 5, 6}).Draw(rt, "rounds"), Keys: 10, Seed: 1}
	n := rapid.IntRange(1, 2000).Draw(rt, "n")
	for range rapid.IntRange(2, 4).Draw(rt, "sizes") {
		plan.N = append(plan.N, n)
		n *= rapid.IntRange(2, 15).Draw(rt, "times")
	}
	run := &evidence.Run{Schema: evidence.Schema, Plan: plan, Metrics: labkit.AllMetrics()}
	cycles := &evidence.Run{Schema: evidence.Schema, Plan: plan.Part("cycles", "", plan.N[0], plan.N[1]), Metrics: labkit.AllMetrics()}
	name := rapid.SampledFrom([]string{"blob", "shelf, bulk", "a <b>", "ein sehr langer Name eines Speichers, der nirgends hineinpasst", "日本", ""})
	for i := range rapid.IntRange(1, 7).Draw(rt, "arms") {
		arm := labkit.Arm{Name: fmt.Sprint(name.Draw(rt, "name"), i), Kind: rapid.SampledFrom([]string{"keyed store", "snapshot"}).Draw(rt, "kind")}
		run.Arms = append(run.Arms, arm)
		each := rapid.Float64Range(1e-7, 1e-3)
		add := func(r *evidence.Run, n int, m labkit.Metric, work int, x float64) {
			s := labkit.Series{Arm: arm.Name, N: n, Metric: m.Name, Unit: m.RawUnit(), Work: work, Payload: int64(100 * n)}
			for range plan.Rounds {
				s.Samples = append(s.Samples, x*rapid.Float64Range(0.8, 1.25).Draw(rt, "noise"))
			}
			r.Series = append(r.Series, s)
		}
		write, load, get := each.Draw(rt, "write"), each.Draw(rt, "load"), each.Draw(rt, "get")
		for at, n := range plan.N {
			add(run, n, labkit.Write, n, 1e-3+write*float64(n))
			add(run, n, labkit.Read, n, 1e-3+load*float64(n))
			if arm.Kind == "keyed store" {
				add(run, n, labkit.Open, 1, 1e-3)
				add(run, n, labkit.GetsOpen, 10, 10*get)
			}
			if at < 2 {
				k := rapid.IntRange(1, 10_000).Draw(rt, "k")
				add(cycles, n, labkit.Cycle, k, 2e-3+(write+load)*float64(n))
			}
		}
	}
	cycles.Arms = run.Arms
	m, err := evidence.ModelOf(run, cycles)
	if err != nil {
		panic(err)
	}
	return m
})
