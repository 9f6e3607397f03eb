package labkit_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"shelflab/labkit"
)

// The way of the data, from arms to a verdict: two arms are measured in five
// interleaved rounds, by a clock that is made up here, and compared round by
// round.
func Example() {
	dir, err := os.MkdirTemp("", "labkit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	var clock time.Duration
	arm := func(name string, each time.Duration) labkit.Arm {
		return labkit.Arm{Name: name, Measure: func(_ context.Context, r *labkit.Round) error {
			return r.Time(labkit.Write, r.N, func() error {
				clock += time.Duration(r.N) * each // here a store would be written
				return nil
			})
		}}
	}
	lab := labkit.Lab{
		Plan: labkit.Plan{Name: "example", N: []int{1000}, Rounds: 5, Keys: 200, Seed: 1},
		Dir:  dir, Clock: func() time.Duration { return clock },
	}
	arms := []labkit.Arm{arm("one file", time.Microsecond), arm("a key at a time", 4*time.Microsecond)}
	series, err := lab.Measure(context.Background(), 1000, arms)
	if err != nil {
		panic(err)
	}
	rates := map[string][]float64{}
	for _, s := range series {
		rates[s.Arm] = s.Values(labkit.Write)
	}
	sum, err := labkit.Summarize(rates["one file"])
	if err != nil {
		panic(err)
	}
	ratio, err := labkit.PairedRatio(rates["one file"], rates["a key at a time"])
	if err != nil {
		panic(err)
	}
	fmt.Printf("one file: p50 %.0f records/s over %d rounds\n", sum.P50, sum.Count)
	fmt.Printf("%.1f times a key at a time, a difference at %v: %v\n", ratio.P50, ratio.Level, ratio.Differs())
	// Output:
	// one file: p50 1000000 records/s over 5 rounds
	// 4.0 times a key at a time, a difference at 0.9375: true
}
