package evidence_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// pacedArms is how many arms paced has.
const pacedArms = 6

// paced is a run of three sizes, six arms and some rounds, of which pace says
// how slow the turn at a place in a round is.
func paced(rounds int, random *rand.Rand, pace func(n, round, place int) float64) *evidence.Run {
	run := made()
	run.Plan.N, run.Plan.Rounds, run.Series, run.Comparisons = []int{500, 2000, 8000}, rounds, nil, nil
	run.Arms = nil
	for i := range pacedArms {
		run.Arms = append(run.Arms, labkit.Arm{Name: fmt.Sprint("arm ", i)})
	}
	for _, n := range run.Plan.N {
		var list [pacedArms]labkit.Series
		for i, arm := range run.Arms {
			list[i] = series(arm.Name, n, labkit.Write)
		}
		for round := range rounds {
			for place, arm := range random.Perm(pacedArms) {
				x := float64(arm+1) * pace(n, round, place)
				list[arm].Samples = append(list[arm].Samples, x)
				list[arm].Turns = append(list[arm].Turns, place+1)
			}
		}
		run.Series = append(run.Series, list[:]...)
	}
	return run
}

func TestWarningsAboutRounds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	noise := func() float64 { return 1 + 0.02*random.Float64() }
	kinds := []evidence.Kind{evidence.KindFirst, evidence.KindDrift, evidence.KindOrder}
	for _, c := range []struct {
		name   string
		rounds int
		pace   func(n, round, place int) float64
		kind   evidence.Kind // "" for none
		says   string
	}{
		{"noise", 5, func(int, int, int) float64 { return noise() }, "", ""},
		{"a first round that is slow at one size", 5, func(n, round, _ int) float64 {
			if n == 500 && round == 0 {
				return 1.5 * noise()
			}
			return noise()
		}, evidence.KindFirst, "The first round at n = 500 is slower than all others, by up to 1.5"},
		{"another round that is slow", 5, func(n, round, _ int) float64 {
			if round == 2 {
				return 1.5 * noise()
			}
			return noise()
		}, "", ""},
		{"four rounds are too few to tell", 4, func(_, round, _ int) float64 {
			return []float64{1.5, 1, 1.02, 1.01}[round]
		}, "", ""},
		{"rounds that grow slower", 6, func(_, round, _ int) float64 { return 1 + 0.05*float64(round) },
			evidence.KindDrift, "The rounds drift: from the first to the last the arms grow slower, the last takes 1.25 times what the first did."},
		{"rounds that grow faster", 6, func(_, round, _ int) float64 { return 1 - 0.05*float64(round) },
			evidence.KindDrift, "The rounds drift: from the first to the last the arms grow faster, the last takes 0.75 times what the first did."},
		{"a drift that cannot be seen", 6, func(_, round, _ int) float64 { return 1 + 0.001*float64(round) }, "", ""},
		{"whoever is first is slow", 5, func(_, _, place int) float64 { return []float64{1.2, 1, 1, 1, 1, 1}[place] },
			evidence.KindOrder, "The first arm of a round takes 1.20 times what it takes elsewhere: it was slower than its round's p50 in 15 of 15 rounds."},
		{"whoever is last is fast", 5, func(_, _, place int) float64 { return []float64{1, 1, 1, 1, 1, 0.8}[place] },
			evidence.KindOrder, "The last arm of a round takes 0.80 times what it takes elsewhere: it was slower than its round's p50 in 0 of "},
	} {
		run := paced(c.rounds, random, c.pace)
		text(t, run)
		found := ""
		for _, w := range run.Warnings {
			for _, kind := range kinds {
				if w.Kind != kind {
					continue
				}
				if kind != c.kind || w.Remedy == "" {
					t.Errorf("%s: %+v", c.name, w)
				}
				if found == "" {
					found = w.Text
				}
			}
		}
		if !strings.HasPrefix(found, c.says) || c.kind != "" && found == "" {
			t.Errorf("%s: %q, want %q", c.name, found, c.says)
		}
	}
}

// Evidence that does not tell the order says nothing about it.
func TestNoOrderIsNoEffect(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	run := paced(9, random, func(_, _, place int) float64 { return []float64{1.5, 1, 1, 1, 1, 1}[place] })
	text(t, run)
	if !has(run, evidence.KindOrder) {
		t.Errorf("with the order: %v", run.Warnings)
	}
	if got, want := run.Order(), "Order: the first arm of a round takes 1.50 times its round's pace (an effect in "; !strings.HasPrefix(got, want) || !strings.Contains(got, "the last arm of a round takes") {
		t.Errorf("%q, want %q", got, want)
	}
	for i := range run.Series {
		run.Series[i].Turns = nil
	}
	text(t, run)
	if has(run, evidence.KindOrder) {
		t.Errorf("without: %v", run.Warnings)
	}
	if got := run.Order(); got != "" {
		t.Errorf("without: %q", got)
	}
	equal := paced(9, random, func(_, _, _ int) float64 { return 1 + 0.01*random.Float64() })
	text(t, equal)
	if got := equal.Order(); strings.Count(got, "no effect seen") != 2 {
		t.Errorf("equal arms: %q", got)
	}
}

// Rounds that are equal but for noise are warned of as seldom as the comments
// say.
func TestWarningsAboutRoundsAreSeldom(t *testing.T) {
	const runs = 1000
	random := rand.New(rand.NewPCG(3, 3))
	counts := map[evidence.Kind]int{}
	for range runs {
		slow := map[[2]int]float64{}
		run := paced(5, random, func(n, round, _ int) float64 {
			at := [2]int{n, round}
			if slow[at] == 0 {
				slow[at] = math.Exp(0.1 * random.NormFloat64())
			}
			return slow[at] * math.Exp(0.1*random.NormFloat64())
		})
		text(t, run)
		for _, w := range run.Warnings {
			counts[w.Kind]++
		}
	}
	for kind, most := range map[evidence.Kind]float64{
		evidence.KindFirst: 3 * 0.02 * runs, // at one of three sizes
		evidence.KindDrift: 0.05 * runs,
		evidence.KindOrder: 2 * 0.01 * runs, // first, and last
	} {
		if float64(counts[kind]) > most+3*math.Sqrt(most) {
			t.Errorf("%q in %d of %d runs, want at most about %.0f", kind, counts[kind], runs, most)
		}
		t.Logf("%q in %d of %d runs, at most %.0f expected", kind, counts[kind], runs, most)
	}
}
