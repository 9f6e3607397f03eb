package evidence_test

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit/evidence"
)

// A file of the right shape with a few values of the wrong kind gets further
// than random bytes. It must be refused, or be computed from without a panic or
// a number that is none.
func TestHostileValuesAreRefused(t *testing.T) {
	runs := [][]byte{text(t, single()), text(t, grownRun())}
	values := []any{nil, true, -1, 0, 1, 2000, 1e308, -1e308, 5e-324, math.MaxInt64, "", "x", "blob", "write", "s", "B", "records/s",
		"power-loss", "part", "growth", "dump", "load", "disk", "dictionaries", "\x00", "é", "<b>", []any{}, []any{nil}, []any{"a", "a"}, map[string]any{}}
	path := filepath.Join(t.TempDir(), evidence.SummaryName)
	rapid.Check(t, func(t *rapid.T) {
		var tree map[string]any
		whole := rapid.SampledFrom(runs).Draw(t, "run")
		if err := json.Unmarshal(whole, &tree); err != nil {
			t.Fatal(err)
		}
		var places []string
		var set []func(any)
		leaves("", tree, func(place string, _ any, with func(any)) {
			places, set = append(places, place), append(set, with)
		})
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			at := rapid.IntRange(0, len(set)-1).Draw(t, "at")
			value := rapid.SampledFrom(values).Draw(t, "value")
			t.Logf("%s = %v", places[at], value)
			set[at](value)
		}
		if rapid.Bool().Draw(t, "a part of it is missing") {
			delete(tree, rapid.SampledFrom([]string{"schema", "plan", "environment", "arms", "metrics", "comparisons", "series", "summaries", "ratios", "growths", "verdict"}).Draw(t, "part"))
		}
		edited, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := evidence.VerifySummary(edited); !errors.Is(err, evidence.ErrAltered) && !errors.Is(err, evidence.ErrFormat) {
			t.Fatalf("VerifySummary = %v", err) // its fields are in another order, if nothing else
		}
		write(t, path, edited)
		run, err := evidence.Read(path)
		if err != nil {
			if !errors.Is(err, evidence.ErrFormat) {
				t.Fatalf("Read = %v, want ErrFormat", err)
			}
			return
		}
		if _, err := evidence.Load(filepath.Dir(path), run.Plan); err != nil && !errors.Is(err, evidence.ErrFormat) {
			t.Fatalf("Load = %v, want ErrFormat", err)
		}
		run.Bench()
		if _, err := json.Marshal(run); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
	})
}
