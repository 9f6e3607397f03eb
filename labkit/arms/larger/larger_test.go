package larger_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/larger"
	"shelflab/labkit/blob"
	"shelflab/labkit/records"
	"shelflab/labkit/shelf"
)

const (
	seed = 3
	note = 1000
	n    = 80_000 // some 90 MB
	dirs = "LARGER_TEST_DIR"
)

func plan() labkit.Plan {
	return labkit.Plan{Name: "larger", N: []int{n}, Rounds: 1, Keys: 20, Seed: seed, DataLimit: 64e6}
}

func TestMain(m *testing.M) {
	if turn, ok := labkit.ChildTurn(); ok {
		ctx, stop := labkit.Context()
		if err := turn.Take(ctx, larger.Arms(plan(), os.Getenv(dirs), turn.N, note)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			stop()
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// write makes the three stores of n records.
func write(t *testing.T, dir string, seed uint64, n int) {
	t.Helper()
	s, err := shelf.Open[records.Record](filepath.Join(dir, larger.ShelfFile), shelf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := maps.Collect(records.Each(seed, n, note))
	err = errors.Join(
		s.PutAll(larger.Source(seed, n, note)), s.Close(),
		blob.Pack(filepath.Join(dir, larger.IndexedFile), larger.Source(seed, n, note), blob.Options{}),
		blob.Save(filepath.Join(dir, larger.BlobFile), all, blob.Options{}))
	if err != nil {
		t.Fatal(err)
	}
}

// Without a limit all three read what is there, and fail where it is something else.
func TestArms(t *testing.T) {
	const few = 50
	p, dir := plan(), t.TempDir()
	p.N, p.DataLimit = []int{few}, 0
	write(t, dir, seed, few)
	series, err := labkit.Lab{Plan: p, Dir: filepath.Join(dir, "run")}.Measure(t.Context(), few, larger.Arms(p, dir, few, note))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range series {
		got = append(got, s.Arm+", "+s.Metric)
		if s.Payload < few*note {
			t.Errorf("%s: records of %d bytes", s.Arm, s.Payload)
		}
	}
	slices.Sort(got)
	want := []string{"blob, read", "indexed blob, gets", "indexed blob, read", "shelf, bulk, gets", "shelf, bulk, read"}
	if !slices.Equal(got, want) {
		t.Errorf("measured %q, want %q", got, want)
	}
	other := t.TempDir()
	write(t, other, seed+1, few)
	for _, arm := range larger.Arms(p, other, few, note) {
		if _, err := (labkit.Lab{Plan: p, Dir: filepath.Join(dir, "run")}).Measure(t.Context(), few, []labkit.Arm{arm}); !errors.Is(err, labkit.ErrWrong) {
			t.Errorf("%s reads other records: %v", arm.Name, err)
		}
	}
	for _, arm := range larger.Arms(p, t.TempDir(), few, note) {
		if _, err := (labkit.Lab{Plan: p, Dir: filepath.Join(dir, "run")}).Measure(t.Context(), few, []labkit.Arm{arm}); err == nil {
			t.Errorf("%s reads what is not there", arm.Name)
		}
	}
}
