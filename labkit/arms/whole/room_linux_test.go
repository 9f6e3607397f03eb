package whole

import (
	"testing"
	"testing/fstest"
)

func TestGroupRoom(t *testing.T) {
	group := func(limit, used, stat string) fstest.MapFS {
		return fstest.MapFS{
			"a/b/memory.max": {Data: []byte(limit)}, "a/b/memory.current": {Data: []byte(used)}, "a/b/memory.stat": {Data: []byte(stat)},
		}
	}
	for _, c := range []struct {
		root fstest.MapFS
		left int64
		ok   bool
	}{
		{group("1000\n", "300\n", "anon 250\ninactive_file 40\n"), 740, true},
		{group("1000\n", "1200\n", ""), 0, true},
		{group("max\n", "300\n", "inactive_file 40\n"), 0, false},
		{fstest.MapFS{}, 0, false},
	} {
		if left, ok := groupRoom(c.root, "/a/b"); left != c.left || ok != c.ok {
			t.Errorf("%v: %d, %t, want %d, %t", c.root, left, ok, c.left, c.ok)
		}
	}
}
