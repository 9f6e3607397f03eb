package records

import (
	"iter"
	"math/rand/v2"
)

// Each yields the records of Generate, with the notes of WithNotes, one after the
// other, and holds none of them: for sets that are larger than memory. Each pass
// begins anew.
func Each(seed uint64, n, length int) iter.Seq2[string, Record] {
	return func(yield func(string, Record) bool) {
		random, notes := rand.New(rand.NewPCG(seed, ofRecords)), rand.New(rand.NewPCG(seed, ofNotes))
		for i := range max(n, 0) {
			r := one(random, i)
			r.Note = note(notes, length)
			if !yield(Key(i, n), r) {
				return
			}
		}
	}
}
