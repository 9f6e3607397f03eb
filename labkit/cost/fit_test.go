package cost_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit/cost"
)

// exact is a point without any error, of five rounds.
func exact(f cost.Formula, n int, each float64) cost.Point {
	s := cost.Of(n, each)
	x := f.At(s)
	return cost.Point{Size: s, Rounds: []float64{x, x, x, x, x}}
}

// grid are exact points of several n, and of two sizes of records.
func grid(f cost.Formula) (list []cost.Point) {
	for _, n := range []int{100, 1000, 10_000, 100_000} {
		list = append(list, exact(f, n, 120))
	}
	return append(list, exact(f, 1000, 1100), exact(f, 10_000, 1100))
}

// near compares with what rounding to six digits leaves.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-5*max(math.Abs(a), math.Abs(b))
}

func same(a, b cost.Formula) bool {
	return near(a.Fixed, b.Fixed) && near(a.PerRecord, b.PerRecord) && near(a.PerByte, b.PerByte)
}

func formulas() *rapid.Generator[cost.Formula] {
	return rapid.Custom(func(t *rapid.T) cost.Formula {
		// Of a size at which each shows at some point, or nothing.
		some := func(unit float64, label string) float64 {
			if rapid.IntRange(0, 3).Draw(t, label+"?") == 0 {
				return 0
			}
			return unit * rapid.Float64Range(1, 100).Draw(t, label)
		}
		f := cost.Formula{Fixed: some(1e-4, "fixed"), PerRecord: some(1e-7, "per record"), PerByte: some(1e-9, "per byte")}
		if f == (cost.Formula{}) {
			f.Fixed = 1e-3
		}
		return f
	})
}

// What was made by a formula gives it back, with nothing off.
func TestFitGivesTheFormulaBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := formulas().Draw(t, "formula")
		fit, err := cost.FitPoints(grid(want))
		if err != nil {
			t.Fatal(err)
		}
		if !same(fit.Formula, want) || fit.Misfit > 1.00001 || fit.Misfit < 1 || fit.Spare != 3 || fit.Untold != cost.AllTold || len(fit.Rounds) != 5 {
			t.Fatalf("%+v, want %+v", fit, want)
		}
		for _, round := range fit.Rounds {
			if round != fit.Formula {
				t.Fatalf("rounds are alike, but one gives %+v and the medians %+v", round, fit.Formula)
			}
		}
	})
}

// No formula without coefficients below 0 has a smaller sum of squared logarithms of
// how far it is off: those beside it are tried, and a grid far and wide.
func TestFitIsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := grid(formulas().Draw(t, "formula"))
		for i, p := range points {
			noise := rapid.Float64Range(0.5, 2).Draw(t, "noise")
			points[i].Rounds = []float64{p.Rounds[0] * noise}
		}
		fit, err := cost.FitPoints(points)
		if err != nil {
			t.Fatal(err)
		}
		errorOf := func(f cost.Formula) (sum float64) {
			for _, p := range points {
				off := math.Log(f.At(p.Size) / p.P50())
				sum += off * off
			}
			return sum
		}
		least := errorOf(fit.Formula)
		for _, by := range []float64{0, 0.5, 0.9, 0.99, 1, 1.01, 1.1, 2} {
			for _, and := range []float64{0, 0.5, 0.9, 0.99, 1, 1.01, 1.1, 2} {
				for _, also := range []float64{0, 0.99, 1, 1.01, 2} {
					other := cost.Formula{Fixed: fit.Fixed * by, PerRecord: fit.PerRecord * and, PerByte: fit.PerByte * also}
					for _, plus := range []cost.Formula{{}, {Fixed: 1e-6}, {PerRecord: 1e-9}, {PerByte: 1e-11}} {
						tried := cost.Formula{Fixed: other.Fixed + plus.Fixed, PerRecord: other.PerRecord + plus.PerRecord, PerByte: other.PerByte + plus.PerByte}
						if errorOf(tried) < least-1e-6 {
							t.Fatalf("%+v has %v, the fit %+v has %v", tried, errorOf(tried), fit.Formula, least)
						}
					}
				}
			}
		}
		if fit.Fixed < 0 || fit.PerRecord < 0 || fit.PerByte < 0 {
			t.Fatalf("a coefficient below 0: %+v", fit.Formula)
		}
		worst := 1.0
		for _, p := range points {
			x := fit.Formula.At(p.Size) / p.P50()
			worst = max(worst, x, 1/x)
		}
		if !near(worst, fit.Misfit) {
			t.Fatalf("misfit %v, want %v", fit.Misfit, worst)
		}
	})
}

// A larger store never costs less.
func TestFitIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := grid(formulas().Draw(t, "formula"))
		for i, p := range points {
			for j := range p.Rounds {
				points[i].Rounds[j] *= rapid.Float64Range(0.5, 2).Draw(t, "noise")
			}
		}
		fit, err := cost.FitPoints(points)
		if err != nil {
			t.Fatal(err)
		}
		n, each := rapid.IntRange(1, 1_000_000).Draw(t, "n"), rapid.Float64Range(1, 5000).Draw(t, "bytes")
		a, err := fit.At(cost.Of(n, each))
		if err != nil {
			t.Fatal(err)
		}
		b, err := fit.At(cost.Of(n+rapid.IntRange(0, 1_000_000).Draw(t, "more"), each*rapid.Float64Range(1, 3).Draw(t, "larger")))
		if err != nil || b.Cost < a.Cost || b.Lo < a.Lo || b.Hi < a.Hi {
			t.Fatalf("%+v, then %+v, %v", a, b, err)
		}
		if !(a.Lo <= a.Cost && a.Cost <= a.Hi) || a.Level != 0.9375 || a.Rounds != 5 || a.Width() < fit.Misfit*(1-1e-9) {
			t.Fatalf("%+v of misfit %v", a, fit.Misfit)
		}
	})
}

func TestWhatCannotBeToldApart(t *testing.T) {
	f := cost.Formula{Fixed: 1e-3, PerRecord: 1e-6, PerByte: 1e-9}
	for name, c := range map[string]struct {
		points []cost.Point
		untold cost.Untold
		want   cost.Formula
		spare  int
	}{
		"one size of records": {[]cost.Point{exact(f, 100, 100), exact(f, 1000, 100), exact(f, 9000, 100)},
			cost.NoByte, cost.Formula{Fixed: 1e-3, PerRecord: 1.1e-6}, 1},
		"two n of one size of records": {[]cost.Point{exact(f, 100, 100), exact(f, 1000, 100)},
			cost.NoByte, cost.Formula{Fixed: 1e-3, PerRecord: 1.1e-6}, 0},
		"one n": {[]cost.Point{exact(f, 1000, 100), exact(f, 1000, 400), exact(f, 1000, 1600)},
			cost.NoRecord, cost.Formula{Fixed: 2e-3, PerByte: 1e-9}, 1},
		"all": {[]cost.Point{exact(f, 100, 100), exact(f, 1000, 100), exact(f, 1000, 400)}, cost.AllTold, f, 0},
	} {
		fit, err := cost.FitPoints(c.points)
		if err != nil || fit.Untold != c.untold || !same(fit.Formula, c.want) || fit.Spare != c.spare || !near(fit.Misfit, 1) {
			t.Errorf("%s: %+v, %v, want %+v without %q", name, fit, err, c.want, c.untold)
		}
	}
}

func TestNothingToFit(t *testing.T) {
	f := cost.Formula{Fixed: 1e-3, PerRecord: 1e-6, PerByte: 1e-9}
	with := func(x float64) []cost.Point {
		list := grid(f)
		list[2].Rounds[3] = x
		return list
	}
	fewer := grid(f)
	fewer[1].Rounds = fewer[1].Rounds[:4]
	none := grid(f)
	none[0].Rounds = nil
	affine := []cost.Point{}
	for _, n := range []int{10, 100, 1000, 10_000} { // 1,000 bytes and 100 a record
		affine = append(affine, cost.Point{Size: cost.Size{N: n, Bytes: 1000 + 100*float64(n)}, Rounds: []float64{float64(n)}})
	}
	for name, c := range map[string]struct {
		points []cost.Point
		says   string
	}{
		"nothing":                    {nil, "there are no points"},
		"one point":                  {grid(f)[:1], "all 1 sizes are about the same"},
		"about one size":             {[]cost.Point{exact(f, 1000, 100), exact(f, 1001, 101)}, "about the same, 1000 to 1001 records of 100 to 101 bytes"},
		"two for three":              {[]cost.Point{exact(f, 1000, 100), exact(f, 2000, 200)}, "2 sizes for 3 coefficients"},
		"bytes that follow from n":   {affine, "the bytes follow from the number of records"},
		"a size twice":               {append(grid(f), grid(f)[0]), "100 records of 12000 bytes are there twice"},
		"rounds that do not pair up": {fewer, "4 rounds at n = 1000, 5 at n = 100"},
		"no rounds":                  {none, "0 rounds at n = 100"},
		"a zero":                     {with(0), "sample 4 at n = 10000 is 0: a cost is above 0"},
		"below zero":                 {with(-1), "is -1"},
		"NaN":                        {with(math.NaN()), "is NaN"},
		"infinite":                   {with(math.Inf(1)), "is +Inf"},
		"no records":                 {[]cost.Point{exact(f, 0, 100)}, "0 records"},
		"no bytes":                   {[]cost.Point{exact(f, 100, 0)}, "bytes above 0"},
		"NaN bytes":                  {[]cost.Point{{Size: cost.Size{N: 1, Bytes: math.NaN()}, Rounds: []float64{1}}}, "NaN bytes"},
	} {
		if _, err := cost.FitPoints(c.points); !errors.Is(err, cost.ErrPoints) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want ErrPoints with %q", name, err, c.says)
		}
	}
}

// Outside of what was measured it says so.
func TestBeyond(t *testing.T) {
	fit, err := cost.FitPoints(grid(cost.Formula{Fixed: 1e-3, PerRecord: 1e-6, PerByte: 1e-9}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		size cost.Size
		want []cost.Beyond
	}{
		{cost.Of(100, 120), nil},
		{cost.Of(100_000, 1100), nil},
		{cost.Of(50_000, 125), nil},
		{cost.Of(99, 120), []cost.Beyond{{Of: cost.Records, Limit: 100}}},
		{cost.Of(200_000, 120), []cost.Beyond{{Of: cost.Records, Above: true, Limit: 100_000}}},
		{cost.Of(1000, 50), []cost.Beyond{{Of: cost.Payload, Limit: 120}}},
		{cost.Of(200_000, 5000), []cost.Beyond{{Of: cost.Records, Above: true, Limit: 100_000}, {Of: cost.Payload, Above: true, Limit: 1100}}},
	} {
		got, err := fit.At(c.size)
		if err != nil || !slices.Equal(got.Beyond, c.want) {
			t.Errorf("%+v: %v, %v, want %v", c.size, got.Beyond, err, c.want)
		}
	}
	for _, s := range []cost.Size{{}, {N: -1, Bytes: 1}, {N: 1, Bytes: -1}, {N: 1, Bytes: math.Inf(1)}, {N: 1e9, Bytes: 1}} {
		if _, err := fit.At(s); !errors.Is(err, cost.ErrSize) {
			t.Errorf("%+v: %v, want ErrSize", s, err)
		}
	}
}
