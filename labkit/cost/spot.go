package cost

import (
	"cmp"
	"slices"

	"shelflab/labkit"
)

// Spot is a size and a number of keys at which the cycles of arms were measured.
type Spot struct {
	Size
	K    int
	Held bool // the cycles took no part in what is said of the error
	// Best is the arm whose measured p50 is the lowest.
	Best ID
	// Said is what the model says of the arms measured there.
	Said Place
	// Outside are the arms whose p50 lies outside of what is said of it.
	Outside []ID
}

// Right tells whether the model names the arm that was measured to be the cheapest,
// as the cheapest or as one that cannot be told from it.
func (s Spot) Right() bool { return s.Best == s.Said.Best || slices.Contains(s.Said.Rivals, s.Best) }

// Spots are where cycles of arms of a class were measured, by n, then keys.
func (m *Model) Spots(class labkit.Durability) []Spot {
	type place struct {
		Size
		k    int
		held bool
	}
	at := map[place][]Check{}
	for _, c := range m.Cycles {
		if c.Class == class {
			p := place{c.Size, c.K, c.Held}
			at[p] = append(at[p], c)
		}
	}
	var list []Spot
	for p, checks := range at {
		s := Spot{Size: p.Size, K: p.k, Held: p.held}
		s.Best = slices.MinFunc(checks, func(a, b Check) int { return cmp.Compare(a.Measured, b.Measured) }).ID
		var rivals []Ranked
		for _, c := range checks {
			if !c.Inside() {
				s.Outside = append(s.Outside, c.ID)
			}
			arm, _ := m.Arm(c.ID)
			b, _ := arm.Cycle(p.Size, p.k) // it was checked
			rivals = append(rivals, Ranked{Arm: arm, Bill: b, n: p.N})
		}
		s.Said = m.among(rivals)
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Spot) int {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.K, b.K), boolean(a.Held)-boolean(b.Held))
	})
	return list
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}
