package main

import (
	"testing"

	"shelflab/labkit"
)

// The command in a page gives the values that were measured, those of the notebook's
// own parameters too.
func TestFits(t *testing.T) {
	plan := labkit.Plan{Name: "made", N: []int{500, 2000}, Rounds: 5, Keys: 20, Seed: 1, Own: map[string]string{"items": "25", "sizes": "1,2,4", "unlike": "false"}}
	for command, want := range map[string]bool{
		"go tool lab run made":                                           true,
		"go tool lab run made -p n=500,2000 -p rounds=5":                 true,
		"go tool lab run made -p rounds=6":                               false,
		"go tool lab run made -p items=25 -p 'sizes=1, 2,4' -p unlike=0": true,
		"go tool lab run made -p items=26":                               false,
		"go tool lab run made -p sizes=1,2":                              false,
		"go tool lab run made -p unlike=true":                            false,
		"go tool lab run made -p minutes=5":                              true, // evidence of earlier labs keeps none of them
		"lab run made":                                                   false,
	} {
		if got := fits(command, plan); got != want {
			t.Errorf("%s: %t", command, got)
		}
	}
}
