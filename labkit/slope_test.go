package labkit_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit"
)

// power makes samples c·n^exponent, one round for each c.
func power(ns []int, exponent float64, cs ...float64) [][]float64 {
	rounds := make([][]float64, len(ns))
	for i, n := range ns {
		for _, c := range cs {
			rounds[i] = append(rounds[i], c*math.Pow(float64(n), exponent))
		}
	}
	return rounds
}

func TestLogSlope(t *testing.T) {
	for _, c := range []struct {
		name        string
		n           []int
		rounds      [][]float64
		p50, lo, hi float64
	}{
		{"linear", []int{10, 100, 1000}, [][]float64{{1, 2, 3, 4, 5}, {10, 20, 30, 40, 50}, {100, 200, 300, 400, 500}}, 1, 1, 1},
		{"does not grow", []int{10, 100}, [][]float64{{7, 7, 7, 7, 7}, {7, 7, 7, 7, 7}}, 0, 0, 0},
		{"shrinks", []int{10, 1000}, [][]float64{{1, 1, 1, 1, 1}, {0.01, 0.01, 0.01, 0.01, 0.01}}, -1, -1, -1},
		{"quadratic", []int{1, 2, 4, 8}, power([]int{1, 2, 4, 8}, 2, 3, 3, 3, 3, 3), 2, 2, 2},
		{"rounds that differ", []int{1, 10}, [][]float64{{1, 1, 1, 1, 1}, {1, 10, 100, 1000, 10000}}, 2, 0, 4},
		{"fitted, not joined", []int{1, 10, 100}, [][]float64{{1}, {1}, {10}}, 0.5, 0.5, 0.5}, // (0, 0), (1, 0), (2, 1)
		{"in any order", []int{100, 1, 10}, [][]float64{{10}, {1}, {1}}, 0.5, 0.5, 0.5},
	} {
		got, err := labkit.LogSlope(c.n, c.rounds)
		if err != nil || got.P50 != c.p50 || got.Lo != c.lo || got.Hi != c.hi || got.Count != len(c.rounds[0]) {
			t.Errorf("%s: %+v, %v; want %v (%v to %v)", c.name, got, err, c.p50, c.lo, c.hi)
		}
		if want, _ := labkit.Summarize(c.rounds[0]); got.Level != want.Level {
			t.Errorf("%s: level %v, a summary of as many has %v", c.name, got.Level, want.Level)
		}
	}
}

func TestLogSlopeRefuses(t *testing.T) {
	good := [][]float64{{1, 2}, {3, 4}}
	for name, c := range map[string]struct {
		n      []int
		rounds [][]float64
	}{
		"nothing":        {nil, nil},
		"one size":       {[]int{10}, good[:1]},
		"a size more":    {[]int{10, 100, 1000}, good},
		"a size less":    {[]int{10}, good},
		"one size twice": {[]int{10, 10}, good},
		"no records":     {[]int{0, 10}, good},
		"below nothing":  {[]int{-10, 10}, good},
		"no rounds":      {[]int{10, 100}, [][]float64{{}, {}}},
		"unequal rounds": {[]int{10, 100}, [][]float64{{1, 2}, {3}}},
		"zero":           {[]int{10, 100}, [][]float64{{1, 0}, {3, 4}}},
		"negative":       {[]int{10, 100}, [][]float64{{1, -2}, {3, 4}}},
		"NaN":            {[]int{10, 100}, [][]float64{{1, math.NaN()}, {3, 4}}},
		"infinite":       {[]int{10, 100}, [][]float64{{1, 2}, {math.Inf(1), 4}}},
	} {
		if got, err := labkit.LogSlope(c.n, c.rounds); !errors.Is(err, labkit.ErrSamples) || got != (labkit.Summary{}) {
			t.Errorf("%s: %+v, %v; want ErrSamples", name, got, err)
		}
	}
}

// sizesFor draws two to six sizes.
func sizesFor(t *rapid.T) []int {
	return rapid.SliceOfNDistinct(rapid.IntRange(1, labkit.MaxRecords), 2, 6, rapid.ID[int]).Draw(t, "n")
}

// An exact power law gives its exponent, whatever the sizes and the scale.
func TestLogSlopeOfAPowerLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := sizesFor(t)
		exponent := float64(rapid.IntRange(-30, 30).Draw(t, "tenths")) / 10
		cs := rapid.SliceOfN(rapid.Float64Range(1e-9, 1e9), 1, 9).Draw(t, "c")
		got, err := labkit.LogSlope(ns, power(ns, exponent, cs...))
		if err != nil {
			t.Fatal(err)
		}
		// Two sizes that are nearly equal leave few digits of the difference of their logarithms.
		near := 1e-15 * 60 / spreadOf(ns)
		for _, x := range []float64{got.P50, got.Lo, got.Hi, got.Min, got.Max} {
			if math.Abs(x-exponent) > 1e-9+near {
				t.Fatalf("%v: %+v, want %v", ns, got, exponent)
			}
		}
	})
}

// spreadOf is the distance of the logarithms of the smallest and the largest.
func spreadOf(ns []int) float64 {
	least, most := ns[0], ns[0]
	for _, n := range ns {
		least, most = min(least, n), max(most, n)
	}
	return math.Log(float64(most) / float64(least))
}

// The unit of the samples does not matter, nor the order of the sizes; samples
// turned over grow by the exponent turned over.
func TestLogSlopeDoesNotDependOnTheScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.SampledFrom([][]int{{10, 100}, {500, 2000, 8000}, {1, 10, 100, 1000}}).Draw(t, "n")
		count := rapid.IntRange(1, 7).Draw(t, "rounds")
		scale := rapid.Float64Range(1e-6, 1e6).Draw(t, "scale")
		var rounds, scaled, turned, back [][]float64
		for range ns {
			list := rapid.SliceOfN(rapid.Float64Range(1e-3, 1e3), count, count).Draw(t, "samples")
			var a, b []float64
			for _, x := range list {
				a, b = append(a, x*scale), append(b, 1/x)
			}
			rounds, scaled, turned = append(rounds, list), append(scaled, a), append(turned, b)
		}
		var sizes []int
		for i := len(ns) - 1; i >= 0; i-- {
			sizes, back = append(sizes, ns[i]), append(back, rounds[i])
		}
		want, err := labkit.LogSlope(ns, rounds)
		if err != nil {
			t.Fatal(err)
		}
		equal := func(what string, n []int, rounds [][]float64, sign float64) {
			got, err := labkit.LogSlope(n, rounds)
			lo, hi := got.Lo, got.Hi
			if sign < 0 {
				lo, hi = hi, lo
			}
			const near = 3e-9
			if err != nil || math.Abs(sign*got.P50-want.P50) > near || math.Abs(sign*lo-want.Lo) > near || math.Abs(sign*hi-want.Hi) > near {
				t.Fatalf("%s: %+v (%v), as drawn %+v", what, got, err, want)
			}
		}
		equal("scaled", ns, scaled, 1)
		equal("backwards", sizes, back, 1)
		equal("turned over", ns, turned, -1)
	})
}
