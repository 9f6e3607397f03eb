package whole_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

func TestRoomLeft(t *testing.T) {
	free, err := whole.RoomLeft()
	if err != nil || free.Bytes < 1<<20 || free.Of == "" {
		t.Fatalf("%+v, %v", free, err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(200 << 20))
	limited, err := whole.RoomLeft()
	if err != nil || limited.Of != "GOMEMLIMIT" || limited.Bytes > 200<<20 {
		t.Errorf("with a limit of 200 MiB: %+v, %v", limited, err)
	}
	debug.SetMemoryLimit(1) // below what is in use
	if none, err := whole.RoomLeft(); err != nil || none.Bytes != 0 {
		t.Errorf("with a limit of a byte: %+v, %v", none, err)
	}
	debug.SetMemoryLimit(math.MaxInt64)
}

func TestFit(t *testing.T) {
	room := whole.Room{Bytes: 8e9, Of: "the machine"}
	if err := room.Fit(8e9, "x", "y"); err != nil {
		t.Error(err)
	}
	err := room.Fit(9.25e9, "1000000 dictionaries", "a smaller n")
	want := "not enough memory: 1000000 dictionaries need about 9.2 GB, the machine leaves 8 GB: give a smaller n, or more memory"
	if !errors.Is(err, whole.ErrRoom) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestWeigh(t *testing.T) {
	got := whole.Weigh(func() any {
		_ = strings.Repeat("x", 4<<20) // garbage
		return make([]byte, 10<<20)
	})
	if got < 99<<20/10 || got > 101<<20/10 {
		t.Errorf("10 MiB weigh %d bytes", got)
	}
}

func TestCreate(t *testing.T) {
	broken := errors.New("broken")
	for _, class := range []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss} {
		path := filepath.Join(t.TempDir(), "file")
		for _, text := range []string{"a longer one", "short"} { // in place of what was there
			err := whole.Create(path, class, func(f *os.File) error { _, err := f.WriteString(text); return err })
			if got, _ := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("%s: %q, %v", class, got, err)
			}
		}
		if err := whole.Create(path, class, func(*os.File) error { return broken }); !errors.Is(err, broken) {
			t.Errorf("%s: a writer that fails: %v", class, err)
		}
		if err := whole.Create(filepath.Join(path, "below"), class, nil); err == nil {
			t.Errorf("%s: a file below a file was created", class)
		}
	}
}
