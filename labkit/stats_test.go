package labkit_test

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"shelflab/labkit"
)

func TestP50(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples []float64
		want    float64
	}{
		{"none", nil, 0},
		{"one", []float64{7}, 7},
		{"two", []float64{1, 4}, 2.5},
		{"odd", []float64{9, 1, 5}, 5},
		{"even, mean of the middle two", []float64{8, 1, 2, 100}, 5},
		{"equal", []float64{3, 3, 3, 3}, 3},
		{"near the largest number", []float64{math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64},
	} {
		given := slices.Clone(c.samples)
		if got := labkit.P50(c.samples); got != c.want {
			t.Errorf("%s: P50(%v) = %v, want %v", c.name, given, got, c.want)
		}
		if !slices.Equal(given, c.samples) {
			t.Errorf("%s: the samples were reordered: %v, were %v", c.name, c.samples, given)
		}
	}
	if got := labkit.P50([]time.Duration{3 * time.Second, time.Second}); got != 2*time.Second {
		t.Errorf("P50 of durations = %v, want 2s", got)
	}
	if got := labkit.P50([]int{1, 2, 9, 4}); got != 3 {
		t.Errorf("P50 of ints = %v, want 3", got)
	}
}

// The levels are those of the sign test: 1 - 2·P(fewer than rank of n coins).
func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples []float64
		want    labkit.Summary
	}{
		{"1 sample", []float64{5}, labkit.Summary{Count: 1, P50: 5, Min: 5, Max: 5, Lo: 5, Hi: 5, Level: 0}},
		{"2", []float64{4, 2}, labkit.Summary{Count: 2, P50: 3, Min: 2, Max: 4, Lo: 2, Hi: 4, Level: 0.5}},
		{"3", []float64{4, 2, 1}, labkit.Summary{Count: 3, P50: 2, Min: 1, Max: 4, Lo: 1, Hi: 4, Level: 0.75}},
		{"4", []float64{4, 2, 1, 3}, labkit.Summary{Count: 4, P50: 2.5, Min: 1, Max: 4, Lo: 1, Hi: 4, Level: 0.875}},
		{"5: the range, at 93.75 %", []float64{50, 10, 40, 20, 30},
			labkit.Summary{Count: 5, P50: 30, Min: 10, Max: 50, Lo: 10, Hi: 50, Level: 0.9375}},
		{"6: the range, at 96.875 %", []float64{6, 5, 4, 3, 2, 1},
			labkit.Summary{Count: 6, P50: 3.5, Min: 1, Max: 6, Lo: 1, Hi: 6, Level: 0.96875}},
		{"8: still the range, since both ends give way together", []float64{8, 7, 6, 5, 4, 3, 2, 1},
			labkit.Summary{Count: 8, P50: 4.5, Min: 1, Max: 8, Lo: 1, Hi: 8, Level: 1 - 2.0/256}},
		{"9: one off each end", []float64{9, 8, 7, 6, 5, 4, 3, 2, 1},
			labkit.Summary{Count: 9, P50: 5, Min: 1, Max: 9, Lo: 2, Hi: 8, Level: 1 - 20.0/512}},
		{"zeros are sizes too", []float64{0, 0, 0, 0, 0}, labkit.Summary{Count: 5, Level: 0.9375}},
	} {
		given := slices.Clone(c.samples)
		got, err := labkit.Summarize(c.samples)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if !slices.Equal(given, c.samples) {
			t.Errorf("%s: the samples were reordered: %v", c.name, c.samples)
		}
	}
}

func TestSummarizeManySamples(t *testing.T) {
	for _, c := range []struct {
		n, rank int // the interval goes from the rank-th smallest to the rank-th largest
		least   float64
	}{
		{20, 6, 0.95}, {100, 40, 0.95}, {1000, 469, 0.95}, // textbook ranks of the sign test
		{1001, 468, 0.95}, {1_000_000, 499_019, 0.95}, // beyond MaxRounds: a rank wider
	} {
		samples := make([]float64, c.n)
		for i := range samples {
			samples[i] = float64(i + 1)
		}
		s, err := labkit.Summarize(samples)
		if err != nil || s.Lo != float64(c.rank) || s.Hi != float64(c.n+1-c.rank) || s.Level < c.least {
			t.Errorf("%d samples: %v to %v at %v (%v), want from rank %d", c.n, s.Lo, s.Hi, s.Level, err, c.rank)
		}
	}
}

// An independent way to the same level: counting in binomial coefficients.
func TestSummarizeLevelIsTheSignTests(t *testing.T) {
	for n := 1; n <= 60; n++ {
		samples := make([]float64, n)
		for i := range samples {
			samples[i] = float64(i)
		}
		s, err := labkit.Summarize(samples)
		if err != nil {
			t.Fatal(err)
		}
		level := func(rank int64) float64 {
			outside := new(big.Rat)
			for k := range rank {
				outside.Add(outside, new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), k)))
			}
			outside.Quo(outside, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n-1))))
			level, _ := new(big.Rat).Sub(big.NewRat(1, 1), outside).Float64()
			return level
		}
		rank := int64(s.Lo) + 1
		if s.Level != level(rank) {
			t.Errorf("%d samples: level %v for rank %d, want %v", n, s.Level, rank, level(rank))
		}
		if s.Hi != float64(int64(n)-rank) {
			t.Errorf("%d samples: %v to %v is lopsided", n, s.Lo, s.Hi)
		}
		if n >= labkit.RoundsWanted && (s.Level < labkit.WantedLevel || (2*rank < int64(n) && level(rank+1) >= labkit.WantedLevel)) {
			t.Errorf("%d samples: %v to %v at %v is not the narrowest at %v", n, s.Lo, s.Hi, s.Level, labkit.WantedLevel)
		}
	}
}

func TestHasInterval(t *testing.T) {
	for n, want := range map[int]bool{1: false, 2: false, 3: false, 4: false, 5: true, 6: true, 7: true, 30: true} {
		s, err := labkit.Summarize(make([]float64, n))
		if err != nil || s.HasInterval() != want {
			t.Errorf("%d samples at %v: HasInterval = %v, want %v (%v)", n, s.Level, s.HasInterval(), want, err)
		}
	}
}

func TestSummarizeRefuses(t *testing.T) {
	for name, samples := range map[string][]float64{
		"none":      {},
		"NaN":       {1, math.NaN(), 2},
		"infinite":  {1, 2, math.Inf(1)},
		"-infinite": {math.Inf(-1)},
		"negative":  {1, 2, -3},
	} {
		if s, err := labkit.Summarize(samples); !errors.Is(err, labkit.ErrSamples) || s != (labkit.Summary{}) {
			t.Errorf("%s: Summarize = %+v, %v, want ErrSamples", name, s, err)
		}
	}
}

func TestPairedRatio(t *testing.T) {
	// The second round was slow for both: pairs show 2, medians of each would not.
	a, b := []float64{2, 20, 2, 4, 2}, []float64{1, 10, 1, 2, 1}
	got, err := labkit.PairedRatio(a, b)
	want := labkit.Summary{Count: 5, P50: 2, Min: 2, Max: 2, Lo: 2, Hi: 2, Level: 0.9375}
	if err != nil || got != want {
		t.Errorf("PairedRatio = %+v, %v, want %+v", got, err, want)
	}
	if !slices.Equal(a, []float64{2, 20, 2, 4, 2}) || !slices.Equal(b, []float64{1, 10, 1, 2, 1}) {
		t.Error("PairedRatio changed what it was given")
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		a, b []float64
	}{
		{"none", nil, nil},
		{"lengths differ", []float64{1, 2}, []float64{1}},
		{"zero divisor", []float64{1, 2}, []float64{1, 0}},
		{"nothing by nothing", []float64{0}, []float64{0}},
		{"NaN above", []float64{nan}, []float64{1}},
		{"NaN below", []float64{1}, []float64{nan}},
		{"infinite above", []float64{inf}, []float64{1}},
		{"infinite below, whose ratio would be a harmless zero", []float64{1}, []float64{inf}},
		{"both negative, whose ratio would be positive", []float64{-1}, []float64{-2}},
		{"too large a ratio", []float64{math.MaxFloat64}, []float64{0.5}},
	} {
		if s, err := labkit.PairedRatio(c.a, c.b); !errors.Is(err, labkit.ErrSamples) || s != (labkit.Summary{}) {
			t.Errorf("%s: PairedRatio = %+v, %v, want ErrSamples", c.name, s, err)
		}
	}
}

func TestDiffers(t *testing.T) {
	for _, c := range []struct {
		name   string
		ratios []float64
		want   bool
	}{
		{"all above 1", []float64{1.1, 1.2, 1.3, 1.4, 1.5}, true},
		{"all below 1", []float64{0.5, 0.6, 0.7, 0.8, 0.9}, true},
		{"one on the other side", []float64{0.99, 1.2, 1.3, 1.4, 1.5}, false},
		{"one equal", []float64{1, 1.2, 1.3, 1.4, 1.5}, false},
		{"all equal", []float64{1, 1, 1, 1, 1}, false},
		{"too few to tell", []float64{2, 2, 2, 2}, false},
		{"one of nine may stray at 95 %", []float64{0.5, 2, 2, 2, 2, 2, 2, 2, 2}, true},
	} {
		if s, err := labkit.Summarize(c.ratios); err != nil || s.Differs() != c.want {
			t.Errorf("%s: Differs = %v, want %v (%+v, %v)", c.name, s.Differs(), c.want, s, err)
		}
	}
}

// times generates what a clock may say: a nanosecond to a day, in seconds.
func times(least int) *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.Float64Range(1e-9, 86_400), least, 40)
}

func TestUnclear(t *testing.T) {
	for _, c := range []struct {
		s    labkit.Summary
		want bool
	}{
		{labkit.Summary{Lo: 0.4, Hi: 2.5, Level: 0.9375}, true},
		{labkit.Summary{Lo: 0.5, Hi: 1.01, Level: 0.9375}, true},
		{labkit.Summary{Lo: 0.8, Hi: 1.6, Level: 0.9375}, false}, // a factor of 2, no more
		{labkit.Summary{Lo: 0.95, Hi: 1.1, Level: 0.9375}, false},
		{labkit.Summary{Lo: 1.1, Hi: 9, Level: 0.9375}, false}, // it differs, by how much ever
		{labkit.Summary{Lo: 0.1, Hi: 0.9, Level: 0.9375}, false},
		{labkit.Summary{Lo: 0.4, Hi: 2.5, Level: 0.75}, false}, // no interval is shown
	} {
		if got := c.s.Unclear(); got != c.want {
			t.Errorf("%+v: %v", c.s, got)
		}
	}
}

func TestSummaryProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := times(1).Draw(t, "samples")
		s, err := labkit.Summarize(samples)
		if err != nil {
			t.Fatal(err)
		}
		if !(s.Min <= s.Lo && s.Lo <= s.P50 && s.P50 <= s.Hi && s.Hi <= s.Max) {
			t.Fatalf("not in order: %+v", s)
		}
		if below := count(samples, func(x float64) bool { return x < s.P50 }); 2*below > len(samples) {
			t.Fatalf("%d of %d samples lie below the p50", below, len(samples))
		}
		if above := count(samples, func(x float64) bool { return x > s.P50 }); 2*above > len(samples) {
			t.Fatalf("%d of %d samples lie above the p50", above, len(samples))
		}
		shuffled, err := labkit.Summarize(rapid.Permutation(samples).Draw(t, "shuffled"))
		if err != nil || shuffled != s {
			t.Fatalf("another order gives %+v, %v, not %+v", shuffled, err, s)
		}
		scaled := make([]float64, len(samples))
		const scale = 1024 // a power of two: exact in every digit
		for i, x := range samples {
			scaled[i] = x * scale
		}
		got, err := labkit.Summarize(scaled)
		want := labkit.Summary{Count: s.Count, P50: s.P50 * scale, Min: s.Min * scale, Max: s.Max * scale, Lo: s.Lo * scale, Hi: s.Hi * scale, Level: s.Level}
		if err != nil || got != want {
			t.Fatalf("scaled by %d: %+v, %v, want %+v", scale, got, err, want)
		}
	})
}

// Which arm is named first must not decide whether there is a difference.
func TestPairedRatioProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := times(1).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64Range(1e-9, 86_400), len(a), len(a)).Draw(t, "b")
		there, err1 := labkit.PairedRatio(a, b)
		back, err2 := labkit.PairedRatio(b, a)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		// A ratio within a rounding of 1 may fall on either side of it.
		near := math.Abs(there.Lo-1) < 1e-12 || math.Abs(there.Hi-1) < 1e-12
		if there.Level != back.Level || (there.Differs() != back.Differs() && !near) {
			t.Fatalf("a/b %+v, b/a %+v", there, back)
		}
		if near := math.Abs(there.Lo*back.Hi - 1); near > 1e-9 {
			t.Fatalf("the interval does not turn over: %v to %v, %v to %v", there.Lo, there.Hi, back.Lo, back.Hi)
		}
		self, err := labkit.PairedRatio(a, a)
		if err != nil || self.P50 != 1 || self.Differs() {
			t.Fatalf("an arm differs from itself: %+v, %v", self, err)
		}
	})
}

func count(xs []float64, is func(float64) bool) (n int) {
	for _, x := range xs {
		if is(x) {
			n++
		}
	}
	return n
}
