//go:build !race

package larger_test

import (
	"path/filepath"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/larger"
)

// Under a limit that is smaller than the records, what is read piece by piece is read,
// and what is loaded whole is out of memory.
func TestLargerThanTheLimit(t *testing.T) {
	p, dir := plan(), t.TempDir()
	write(t, dir, seed, n)
	t.Setenv(dirs, dir)
	series, without, err := labkit.Lab{Plan: p, Dir: filepath.Join(dir, "run")}.MeasureResources(t.Context(), n, larger.Arms(p, dir, n, note))
	if err != nil {
		t.Fatal(err)
	}
	own, read := labkit.OwnMemory.Of(labkit.Read).Name, map[string]bool{}
	for _, s := range series {
		if s.Metric != own {
			continue
		}
		read[s.Arm] = true
		for _, x := range s.Samples {
			if int64(x) > p.DataLimit || s.Payload <= p.DataLimit {
				t.Errorf("%s took %v bytes under a limit of %d for records of %d", s.Arm, x, p.DataLimit, s.Payload)
			}
		}
	}
	if len(read) != 2 || read["blob"] {
		t.Errorf("under the limit was read: %v", read)
	}
	if len(without) != 1 || without[0].Arm != "blob" || without[0].Metric != own {
		t.Errorf("without memory: %+v", without)
	}
}
