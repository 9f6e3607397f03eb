package records

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// WithNotes returns the set with notes of so many characters, made of words from
// a seed: the same records, larger or smaller. Below 0 is 0. The set itself stays
// as it is.
func (s Set) WithNotes(seed uint64, length int) Set {
	random := rand.New(rand.NewPCG(seed, 0x2073))
	s.Values = slices.Clone(s.Values)
	var note strings.Builder
	for i := range s.Values {
		note.Reset()
		for note.Len() < length {
			note.WriteString(pick(random, words) + " ")
		}
		s.Values[i].Note = note.String()[:max(length, 0)]
	}
	return s
}
