package labkit_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"shelflab/labkit"
)

func TestCrossing(t *testing.T) {
	at := func(list ...float64) labkit.Summary {
		s, err := labkit.Summarize(list)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range []struct {
		name   string
		better [][]float64 // at 100, 1000, 10,000
		want   labkit.Crossed
	}{
		{"always the first", [][]float64{{2, 1}, {3, 1}, {4, 5}}, labkit.Crossed{First: 2}},
		{"always the second", [][]float64{{0.5}, {0.3}, {0.1}}, labkit.Crossed{Second: 1}},
		{"loses half way of a step", [][]float64{{4, 2}, {2, 0.5}, {0.5, 0.25}}, labkit.Crossed{Loses: 2, At: at(3162, 316)}},
		{"gains at a size", [][]float64{{0.1}, {1}, {10}}, labkit.Crossed{Gains: 1, At: at(1000)}},
		{"a third of the way", [][]float64{{1}, {2}, {0.25}}, labkit.Crossed{Loses: 1, At: at(2154)}}, // 10^(3 1/3)
		{"not in every round", [][]float64{{2, 2}, {2, 2}, {0.5, 2}}, labkit.Crossed{Loses: 1, First: 1}},
		{"below the smallest in a round", [][]float64{{4, 0.5, 2}, {2, 0.5, 2}, {0.5, 0.2, 0.5}}, labkit.Crossed{Loses: 2, Second: 1, At: at(3162, 0, 3162)}},
		{"beyond the largest in a round", [][]float64{{0.5, 0.5, 0.5}, {1, 0.5, 1}, {2, 0.9, 2}}, labkit.Crossed{Gains: 2, Second: 1,
			At: labkit.Summary{Count: 3, P50: 1000, Min: 1000, Max: math.Inf(1), Lo: 1000, Hi: math.Inf(1), Level: 0.75}}},
		{"below the smallest, too, where it gains", [][]float64{{0.5, 2, 0.5}, {1, 2, 1}, {2, 2, 2}}, labkit.Crossed{Gains: 2, First: 1, At: at(1000, 0, 1000)}},
		{"mostly throughout", [][]float64{{4, 0.5, 0.5}, {2, 0.5, 0.5}, {0.5, 0.2, 0.5}}, labkit.Crossed{Loses: 1, Second: 2}},
		{"either way", [][]float64{{2, 0.5}, {2, 0.5}, {0.5, 2}}, labkit.Crossed{Loses: 1, Gains: 1}},
		{"there and back", [][]float64{{2}, {0.5}, {2}}, labkit.Crossed{Often: 1}},
	} {
		got, err := labkit.Crossing([]int{100, 1000, 10_000}, c.better)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
	}
	for name, c := range map[string]struct {
		n      []int
		better [][]float64
	}{
		"one size":       {[]int{1}, [][]float64{{1}}},
		"unequal rounds": {[]int{1, 2}, [][]float64{{1}, {1, 1}}},
		"descending":     {[]int{2, 1}, [][]float64{{1}, {1}}},
		"zero":           {[]int{1, 2}, [][]float64{{0}, {1}}},
		"no number":      {[]int{1, 2}, [][]float64{{math.NaN()}, {1}}},
	} {
		if _, err := labkit.Crossing(c.n, c.better); !errors.Is(err, labkit.ErrSamples) {
			t.Errorf("%s: %v, want ErrSamples", name, err)
		}
	}
}

// Two costs that are powers of n cross where the powers say.
func TestCrossingOfPowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := []int{100, 1000, 10_000, 100_000}
		want := rapid.Float64Range(150, 90_000).Draw(t, "n")
		power := rapid.Float64Range(0.1, 3).Draw(t, "power")
		var better [][]float64
		for _, size := range n {
			better = append(better, []float64{math.Pow(float64(size)/want, -power)})
		}
		got, err := labkit.Crossing(n, better)
		if err != nil || got.Loses != 1 || math.Abs(got.At.P50-want) > 0.5+1e-6*want {
			t.Fatalf("%+v, %v, want %v", got, err, want)
		}
	})
}
