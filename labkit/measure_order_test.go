package labkit_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"shelflab/labkit"
)

// order measures k arms and returns the places at which they took their turns:
// one list of names a round, the warm-up first.
func order(t *testing.T, p labkit.Plan, n, k int) [][]string {
	t.Helper()
	rounds := make([][]string, p.Rounds+1)
	var arms []labkit.Arm
	for i := range k {
		name := fmt.Sprint("arm ", i)
		arms = append(arms, labkit.Arm{Name: name, Measure: func(_ context.Context, r *labkit.Round) error {
			rounds[r.Number+1] = append(rounds[r.Number+1], name)
			return r.Size(labkit.Disk, 1)
		}})
	}
	lab := labkit.Lab{Plan: p, Dir: t.TempDir()}
	if _, err := lab.Measure(t.Context(), n, arms); err != nil {
		t.Fatal(err)
	}
	return rounds
}

func TestEveryArmTakesOneTurnARound(t *testing.T) {
	for i, round := range order(t, plan(20), 10, 4) {
		sorted := slices.Sorted(slices.Values(round))
		if want := []string{"arm 0", "arm 1", "arm 2", "arm 3"}; !slices.Equal(sorted, want) {
			t.Errorf("round %d: %v, want every arm once", i, round)
		}
	}
}

func TestOrderFollowsFromTheSeed(t *testing.T) {
	same := func(a, b [][]string) bool { return slices.EqualFunc(a, b, slices.Equal) }
	seed1, seed2 := plan(10), plan(10)
	seed2.Seed = 2
	first := order(t, seed1, 10, 4)
	if again := order(t, seed1, 10, 4); !same(first, again) {
		t.Errorf("equal plans give two orders:\n%v\n%v", first, again)
	}
	if other := order(t, seed2, 10, 4); same(first, other) {
		t.Errorf("seeds 1 and 2 give the same order: %v", first)
	}
	if other := order(t, seed1, 11, 4); same(first, other) {
		t.Errorf("n = 10 and 11 give the same order: %v", first)
	}
}

// Drift within a round must not always fall on the same arm.
func TestOrderIsBalanced(t *testing.T) {
	const arms, rounds = 4, 400
	all := order(t, plan(rounds), 10, arms)
	places := map[string][arms]int{}
	changes := 0
	for i, round := range all {
		for at, name := range round {
			counts := places[name]
			counts[at]++
			places[name] = counts
		}
		if i > 0 && !slices.Equal(round, all[i-1]) {
			changes++
		}
	}
	if changes < rounds*8/10 { // 1 in 24 repeats by chance
		t.Errorf("only %d of %d rounds have another order than the one before", changes, rounds)
	}
	for name, counts := range places {
		for at, count := range counts {
			if count < 70 || count > 130 { // 100 expected, more than three standard deviations of 8.7
				t.Errorf("%s took place %d in %d of %d rounds, want about %d", name, at, count, rounds+1, rounds/arms)
			}
		}
	}
}
