package whole_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

func value() whole.Value[[]byte] {
	return whole.Value[[]byte]{V: []byte("abc"), N: 3, Payload: 3, Sum: sum}
}

func sum(v []byte) (total uint64) {
	for i, b := range v {
		total += uint64(i+1) * uint64(b)
	}
	return total
}

func write(path string, v []byte) error { return os.WriteFile(path, v, 0o600) }

func measure(t *testing.T, turn func(context.Context, *labkit.Round) error) ([]labkit.Series, error) {
	t.Helper()
	plan := labkit.Plan{Name: "whole", N: []int{3}, Rounds: 2, Keys: 1}
	return labkit.Lab{Plan: plan, Dir: t.TempDir()}.Measure(t.Context(), 3, []labkit.Arm{{Name: "arm", Measure: turn}})
}

func TestTurns(t *testing.T) {
	scan := func(path string) (uint64, error) {
		v, err := os.ReadFile(path)
		return sum(v), err
	}
	for name, turn := range map[string]func(context.Context, *labkit.Round) error{
		"turn": whole.Turn(value(), write, os.ReadFile), "streamed": whole.Streamed(value(), write, scan),
	} {
		series, err := measure(t, turn)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var metrics []string
		for _, s := range series {
			metrics = append(metrics, s.Metric)
			if len(s.Samples) != 2 || slices.Min(s.Samples) <= 0 {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if want := []string{"dump", "disk", "load"}; !slices.Equal(metrics, want) {
			t.Errorf("%s measured %q, want %q", name, metrics, want)
		}
	}
}

func TestTurnsFail(t *testing.T) {
	broken := errors.New("broken")
	fails := func(string) ([]byte, error) { return nil, broken }
	other := func(string) ([]byte, error) { return []byte("abd"), nil }
	if _, err := measure(t, whole.Turn(value(), write, fails)); !errors.Is(err, broken) {
		t.Errorf("a failing load: %v", err)
	}
	if _, err := measure(t, whole.Turn(value(), write, other)); !errors.Is(err, labkit.ErrWrong) {
		t.Errorf("another value: %v", err)
	}
	if _, err := measure(t, whole.Streamed(value(), write, func(string) (uint64, error) { return 1, nil })); !errors.Is(err, labkit.ErrWrong) {
		t.Errorf("another checksum: %v", err)
	}
	if _, err := measure(t, whole.Turn(value(), func(string, []byte) error { return broken }, os.ReadFile)); !errors.Is(err, broken) {
		t.Errorf("a failing dump: %v", err)
	}
	if _, err := measure(t, whole.Turn(value(), func(string, []byte) error { return nil }, os.ReadFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dump that leaves nothing: %v", err)
	}
}

func TestAllocated(t *testing.T) {
	dir := t.TempDir()
	sparse := filepath.Join(dir, "sparse")
	if err := os.WriteFile(sparse, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 1<<30); err != nil {
		t.Fatal(err)
	}
	one, err1 := whole.Allocated(sparse)
	all, err2 := whole.Allocated(dir)
	if err1 != nil || err2 != nil || one <= 0 || one > 1<<20 || all != one {
		t.Errorf("a sparse file takes %d (%v), its folder %d (%v)", one, err1, all, err2)
	}
	if _, err := whole.Allocated(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
}
