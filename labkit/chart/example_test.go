package chart_test

import (
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/chart"
	"shelflab/labkit/evidence"
)

// A run comes from evidence.Load; this one is made up.
func ExampleDisk() {
	arms := []labkit.Arm{{Name: "shelf", Kind: "keyed store"}, {Name: "blob", Kind: "snapshot"}}
	run := &evidence.Run{Plan: labkit.Plan{N: []int{8000}, Rounds: 1}, Arms: arms, Metrics: labkit.Metrics()}
	for i, arm := range arms {
		bytes := float64(1.6e6 / (1 + i))
		run.Series = append(run.Series, labkit.Series{Arm: arm.Name, N: 8000, Metric: "disk", Unit: "B", Samples: []float64{bytes}})
		run.Summaries = append(run.Summaries, evidence.Summary{Arm: arm.Name, N: 8000, Metric: "disk", Unit: "B", Summary: labkit.Summary{Count: 1, P50: bytes}})
	}
	c, err := chart.Disk(run)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Name, c.Title)
	fmt.Println(c.Alt)
	// Output:
	// disk Bytes on disk at n = 8,000: p50 of 1 round
	// Bar chart from zero. Bytes on disk at n = 8,000: p50 of 1 round. By p50, best first: “blob” 800 kB; “shelf” 1.60 MB.
}

// Topology needs no run: a notebook shows it before it measures.
func ExampleTopology() {
	c, err := chart.Topology(
		labkit.Plan{N: []int{500, 8000}, Rounds: 5, Keys: 200, Seed: 1},
		[]labkit.Arm{{Name: "shelf", Kind: "keyed store", Pair: "ours"}, {Name: "plain gob", Kind: "snapshot", Pair: "plain"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Alt)
	// Output:
	// Drawing of the lab: records of seed 1, n = 500, 8,000, are kept by keyed stores (one record at a time): “shelf” (ours); by snapshots (all records in one file): “plain gob” (plain). Each round measures write, full read, 200 random gets and disk of every arm; 5 rounds give the p50.
}

// What else a plan counts is kept as a whole.
func ExampleTopology_whole() {
	c, err := chart.Topology(
		labkit.Plan{Counts: "dictionaries", N: []int{10, 100}, Rounds: 5, Keys: 1, Seed: 1},
		[]labkit.Arm{{Name: "blob", Kind: "snapshot", Pair: "ours"}, {Name: "JSON", Kind: "text"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Title)
	fmt.Println(c.Alt)
	// Output:
	// The lab: the same dictionaries, kept in different ways
	// Drawing of the lab: dictionaries of seed 1, n = 10, 100, are kept by snapshots (all in one file): “blob” (ours); by other arms: “JSON”. Each round measures dump, load and disk of every arm; 5 rounds give the p50.
}
