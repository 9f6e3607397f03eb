package patterns

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"shelflab/labkit/arms/turn"
)

// Batches are as many as asked for, the last of what is left, and hold every
// entry once, in order; an error of the source reaches the sink.
func TestInBatches(t *testing.T) {
	list := func(n int, end error) iter.Seq2[turn.Entry[int], error] {
		return func(yield func(turn.Entry[int], error) bool) {
			for i := range n {
				if !yield(turn.Entry[int]{Value: i}, nil) {
					return
				}
			}
			if end != nil {
				yield(turn.Entry[int]{}, end)
			}
		}
	}
	for _, c := range []struct {
		n, size int
		want    []int
	}{{0, 3, nil}, {1, 3, []int{1}}, {3, 3, []int{3}}, {7, 3, []int{3, 3, 1}}, {3, 1, []int{1, 1, 1}}} {
		var sizes, all []int
		err := inBatches(list(c.n, nil), c.size, func(batch iter.Seq2[turn.Entry[int], error]) error {
			sizes = append(sizes, 0)
			for e, err := range batch {
				if err != nil {
					return err
				}
				sizes[len(sizes)-1]++
				all = append(all, e.Value)
			}
			return nil
		})
		if err != nil || !slices.Equal(sizes, c.want) || len(all) != c.n || !slices.IsSorted(all) {
			t.Errorf("%d by %d: %v, batches of %v, want %v, entries %v", c.n, c.size, err, sizes, c.want, all)
		}
	}
	broken := errors.New("the source broke")
	stored := 0
	err := inBatches(list(5, broken), 3, func(batch iter.Seq2[turn.Entry[int], error]) error {
		for _, err := range batch {
			if err != nil {
				return err
			}
			stored++
		}
		return nil
	})
	if !errors.Is(err, broken) || stored != 5 {
		t.Errorf("%v after %d entries, want the source's error after 5", err, stored)
	}
}
