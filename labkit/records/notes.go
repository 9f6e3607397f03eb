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
	random := rand.New(rand.NewPCG(seed, ofNotes))
	s.Values = slices.Clone(s.Values)
	for i := range s.Values {
		s.Values[i].Note = note(random, length)
	}
	return s
}

// note is made of words, and cut to so many characters.
func note(random *rand.Rand, length int) string {
	var text strings.Builder
	for text.Len() < length {
		text.WriteString(pick(random, words) + " ")
	}
	return text.String()[:max(length, 0)]
}
