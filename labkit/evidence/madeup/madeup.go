// Package madeup has a run of arms that do not exist, for the tests of what is
// computed and drawn of a cost model: what each of them costs is known exactly.
package madeup

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"shelflab/labkit"
	"shelflab/labkit/cost"
	"shelflab/labkit/evidence"
)

// Plan is that of the run.
func Plan(rounds int) labkit.Plan {
	return labkit.Plan{Name: "05_madeup", N: []int{100, 1000, 10_000, 100_000, 1_000_000}, Rounds: rounds, Keys: 200, Seed: 1}
}

// Arms are what each arm costs, by its name.
var Arms = map[string]map[cost.Operation]cost.Formula{
	"blob": {
		cost.Write:  {Fixed: 3e-4, PerRecord: 1e-7, PerByte: 2e-9},
		cost.Load:   {Fixed: 1e-4, PerRecord: 3e-7, PerByte: 3e-9},
		cost.Update: {Fixed: 3e-4, PerRecord: 1e-7, PerByte: 2e-9},
		cost.Disk:   {Fixed: 4096, PerByte: 0.8},
	},
	"indexed blob": {
		cost.Write:  {Fixed: 4e-4, PerRecord: 2e-7, PerByte: 2e-9},
		cost.Load:   {Fixed: 2e-4, PerRecord: 5e-7, PerByte: 3e-9},
		cost.Open:   {Fixed: 5e-5},
		cost.Get:    {Fixed: 3e-6, PerByte: 1e-15},
		cost.Update: {Fixed: 5e-4, PerRecord: 8e-7, PerByte: 5e-9},
		cost.Disk:   {Fixed: 8192, PerByte: 0.9},
	},
	"shelf, bulk": {
		cost.Write:  {Fixed: 1.5e-2, PerRecord: 1.5e-6, PerByte: 4e-9},
		cost.Load:   {Fixed: 1e-3, PerRecord: 8e-7, PerByte: 4e-9},
		cost.Open:   {Fixed: 2e-3},
		cost.Get:    {Fixed: 2e-6, PerRecord: 1e-12},
		cost.Update: {Fixed: 1e-5},
		cost.Disk:   {Fixed: 1 << 20, PerByte: 1.1},
	},
}

var names = []string{"shelf, bulk", "indexed blob", "blob"}

// metrics are those of each operation.
var metrics = map[cost.Operation]labkit.Metric{
	cost.Write: labkit.Write, cost.Load: labkit.Read, cost.Get: labkit.GetsOpen, cost.Disk: labkit.Disk,
	cost.Open: labkit.Open, cost.Update: labkit.UpdateOpen,
}

// What a record has in bytes, in the run and in the part of large records.
const (
	Small = 120
	Large = 1200
)

// Runs are a run and its parts: one of large records, cycles of several numbers of
// keys, and cycles and sizes that were held out. Samples are off by noise, at most
// by that factor; 1 is none.
func Runs(rounds int, noise float64) (*evidence.Run, []*evidence.Run) {
	plan := Plan(rounds)
	random := rand.New(rand.NewPCG(5, 7))
	off := func(x float64) float64 { return x * math.Pow(noise, 2*random.Float64()-1) }
	run := of(plan, Small, -1, off)
	parts := []*evidence.Run{of(plan.Part("large", "", 1000, 10_000).With("note", 1100), Large, -1, off)}
	for _, k := range []int{1, 100, 10_000} {
		parts = append(parts, of(plan.Part(fmt.Sprint("fetched_", k), "", 1000, 100_000).With("fetched", k), Small, k, off))
	}
	held := plan.Part("held_out", "", 30_000).With(evidence.HeldOut, true)
	parts = append(parts, of(held, Small, -1, off))
	for _, k := range []int{30, 3000} {
		part := plan.Part(fmt.Sprint("held_out_fetched_", k), "", 300, 30_000).With(evidence.HeldOut, true).With("fetched", k)
		parts = append(parts, of(part, Small, k, off))
	}
	slices.SortFunc(parts, func(a, b *evidence.Run) int {
		if a.Plan.Name < b.Plan.Name {
			return -1
		}
		return 1
	})
	return run, parts
}

// of is a run in which every operation was measured, or cycles of k keys.
func of(plan labkit.Plan, each, k int, off func(float64) float64) *evidence.Run {
	run := &evidence.Run{Schema: evidence.Schema, Plan: plan, Complete: true, Metrics: []labkit.Metric{labkit.Cycle}}
	for _, op := range cost.Operations() {
		if m, ok := metrics[op]; ok {
			run.Metrics = append(run.Metrics, m)
		}
	}
	for _, name := range names {
		kind := "keyed store"
		if name == "blob" {
			kind = "snapshot"
		}
		run.Arms = append(run.Arms, labkit.Arm{Name: name, Kind: kind, Pair: "ours"})
	}
	for _, n := range plan.N {
		for _, name := range names {
			add := func(m labkit.Metric, work int, x float64) {
				s := labkit.Series{Arm: name, N: n, Metric: m.Name, Unit: m.RawUnit(), Work: work, Payload: int64(n * each)}
				for range plan.Rounds {
					s.Samples = append(s.Samples, off(x))
				}
				run.Series = append(run.Series, s)
			}
			size := cost.Of(n, float64(each))
			if k >= 0 {
				add(labkit.Cycle, k, Cycle(name, size, k))
				continue
			}
			for _, op := range cost.Operations() {
				f, does := Arms[name][op]
				if !does {
					continue
				}
				work := map[cost.Operation]int{cost.Get: plan.Keys, cost.Write: n, cost.Load: n, cost.Open: 1, cost.Update: 1}[op]
				x := f.At(size)
				if op == cost.Get {
					x *= float64(work)
				}
				add(metrics[op], work, x)
			}
		}
	}
	return run
}

// Cycle is what a cycle costs an arm, exactly.
func Cycle(arm string, s cost.Size, k int) float64 {
	f := Arms[arm]
	x := f[cost.Write].At(s)
	if get, keyed := f[cost.Get]; keyed {
		return x + f[cost.Open].At(s) + float64(k)*get.At(s)
	}
	return x + f[cost.Load].At(s)
}
