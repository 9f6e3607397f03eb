package records_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/records"
)

// One after the other they are the same records, in every pass.
func TestEach(t *testing.T) {
	const seed = 5
	for _, n := range []int{-1, 0, 1, 300} {
		for _, length := range []int{-1, 0, 100} {
			set := records.Generate(seed, n).WithNotes(seed, length)
			want := set.Map()
			list := records.Each(seed, n, length)
			for range 2 {
				got := map[string]records.Record{}
				for key, r := range list {
					if i := len(got); key != set.Keys[i] {
						t.Fatalf("n = %d: key %q at %d, want %q", n, key, i, set.Keys[i])
					}
					got[key] = r
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("n = %d, notes of %d (-want +got):\n%s", n, length, diff)
				}
			}
		}
	}
	for range records.Each(seed, 10, 5) {
		break // seeing enough is no error
	}
}
