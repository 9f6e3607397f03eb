package cost_test

import (
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/cost"
)

// Two arms that were measured at three sizes, and what a cycle costs them at one
// that was not.
func Example() {
	point := func(n int, seconds ...float64) cost.Point {
		return cost.Point{Size: cost.Of(n, 120), Rounds: seconds}
	}
	shelf := cost.Measured{ID: cost.ID{Name: "shelf"}, Points: map[cost.Operation][]cost.Point{
		cost.Write: {point(100, .0101, .0102, .0101, .0103, .0101), point(1000, .011, .0112, .0111, .0109, .0110), point(10_000, .020, .0201, .0199, .02, .02)},
		cost.Open:  {point(100, .002, .002, .002, .002, .002), point(10_000, .002, .002, .0021, .002, .002)},
		cost.Get:   {point(100, 2e-6, 2e-6, 2e-6, 2e-6, 2e-6), point(10_000, 2e-6, 2e-6, 2e-6, 2.1e-6, 2e-6)},
	}}
	blob := cost.Measured{ID: cost.ID{Name: "blob"}, Points: map[cost.Operation][]cost.Point{
		cost.Write: {point(100, .0011, .0011, .0011, .0011, .0011), point(1000, .002, .0021, .002, .002, .002), point(10_000, .011, .011, .0109, .011, .011)},
		cost.Load:  {point(100, .0003, .0003, .0003, .0003, .0003), point(10_000, .020, .0201, .0199, .02, .02)},
	}}
	m, err := cost.New([]cost.Measured{shelf, blob})
	if err != nil {
		panic(err)
	}
	for _, k := range []int{1, 5000} {
		ranked, err := m.RankCycle(cost.Of(8000, 120), k, labkit.ProcessCrash)
		if err != nil {
			panic(err)
		}
		for _, r := range ranked {
			fmt.Printf("k = %d: %s %.1f ms, %.2f times as much, told: %t\n",
				k, r.ID, 1000*r.Bill.Cost, r.Ratio.Cost, r.Told())
		}
	}
	stretches, err := m.Stretches(cost.Of(8000, 120), labkit.ProcessCrash)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s up to k = %.0f (%.0f to %.0f)\n", stretches[0].Best, stretches[0].To, stretches[0].Lo, stretches[0].Hi)
	// Output:
	// k = 1: shelf 20.0 ms, 1.00 times as much, told: false
	// k = 1: blob 25.0 ms, 1.25 times as much, told: true
	// k = 5000: blob 25.0 ms, 1.00 times as much, told: false
	// k = 5000: shelf 30.0 ms, 1.20 times as much, told: true
	// shelf up to k = 2510 (2425 to 2562)
}
