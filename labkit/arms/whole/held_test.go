package whole_test

import (
	"context"
	"os"
	"runtime"
	"testing"
	"weak"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

// The program holds what it has dumped until it has loaded, whoever holds the
// arm: it decides when the collector runs, and how much memory a load adds.
func TestDumpedIsHeldDuringLoad(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		var gone bool
		look := func(source weak.Pointer[byte]) {
			runtime.GC()
			gone = source.Value() == nil
		}
		turn := func(ctx context.Context, r *labkit.Round) error {
			v := value()
			v.V = make([]byte, 1<<16)
			source := weak.Make(&v.V[0])
			load := func(path string) ([]byte, error) {
				look(source)
				return os.ReadFile(path)
			}
			if !streamed {
				return whole.Turn(v, write, load)(ctx, r)
			}
			return whole.Streamed(v, write, func(path string) (uint64, error) {
				back, err := load(path)
				return sum(back), err
			})(ctx, r)
		}
		if _, err := measure(t, turn); err != nil || gone {
			t.Errorf("streamed %t: what was dumped was gone: %t, %v", streamed, gone, err)
		}
	}
}
