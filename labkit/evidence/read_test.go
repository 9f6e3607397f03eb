package evidence_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/evidence"
)

func TestReadWhatIsWritten(t *testing.T) {
	run := made()
	path := filepath.Join(t.TempDir(), evidence.SummaryName)
	write(t, path, text(t, run))
	got, err := evidence.Read(path)
	if diff := cmp.Diff(run, got, asWritten); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// A torn file is an error of this package at every length, and never half a
// run.
func TestReadTruncated(t *testing.T) {
	run := made()
	run.Series, run.Metrics, run.Comparisons = run.Series[:1], run.Metrics[:1], nil // as short as a run can be
	whole := text(t, run)
	path := filepath.Join(t.TempDir(), evidence.SummaryName)
	write(t, path, whole)
	for size := len(whole) - 2; size >= 0; size-- { // the last byte is a line feed
		if err := os.Truncate(path, int64(size)); err != nil {
			t.Fatal(err)
		}
		if got, err := evidence.Read(path); !errors.Is(err, evidence.ErrFormat) || got != nil {
			t.Fatalf("the first %d of %d bytes: %v, %v, want ErrFormat", size, len(whole), got, err)
		}
		if _, err := evidence.VerifySummary(whole[:size]); !errors.Is(err, evidence.ErrFormat) {
			t.Fatalf("the first %d of %d bytes: Verify gives %v, want ErrFormat", size, len(whole), err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	good := string(text(t, made()))
	todays := fmt.Sprintf(`"schema": %d`, evidence.Schema)
	for _, c := range []struct{ name, old, new, says string }{
		{"newer", todays, `"schema": 99`, fmt.Sprintf("schema 99 is newer than this lab's %d: update the lab", evidence.Schema)},
		{"newer, of another form", todays + ",\n \"plan\": {", `"schema": 99, "plan": {"rounds": "many", `, "schema 99 is newer"},
		{"without a schema", todays, `"skema": 2`, "no schema"},
		{"bad plan", `"rounds": 5`, `"rounds": -5`, "rounds = -5"},
		{"name that climbs", `"name": "01_test"`, `"name": "../01"`, "../01"},
		{"no such durability", `"durability": "process-crash"`, `"durability": "eternal"`, "eternal"},
		{"unknown arm", `"arm": "blob"`, `"arm": "blub"`, "series[0] (blub, n = 500, write): there is no such arm"},
		{"unknown metric", `"metric": "write"`, `"metric": "wrote"`, "no such metric"},
		{"size of no plan", `"n": 500`, `"n": 501`, "the plan does not measure that n"},
		{"negative work", `"work": 500`, `"work": -500`, "work of -500"},
		{"unit", `"unit": "s", "work"`, `"unit": "B", "work"`, `its unit is "B", want "s"`},
		{"arm without a name", `"name": "blob"`, `"name": ""`, "empty or there twice"},
		{"one arm twice", `"name": "shelf, bulk"`, `"name": "blob"`, "empty or there twice"},
		{"metric without a name", `"name": "disk"`, `"name": ""`, "empty or there twice"},
		{"metric of an unknown unit", `"unit": "records/s"`, `"unit": "furlongs"`, `"furlongs"`},
		{"unknown role", `"role": "headline"`, `"role": "hero"`, `"hero"`},
		{"text for a number", `"n": 500`, `"n": "500"`, "cannot unmarshal"},
		{"huge number", `"work": 500`, `"work": 1e99`, "cannot unmarshal"},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("%s: there is no %s to change", c.name, c.old)
		}
		path := filepath.Join(t.TempDir(), evidence.SummaryName)
		write(t, path, []byte(strings.Replace(good, c.old, c.new, 1)))
		run, err := evidence.Read(path)
		if !errors.Is(err, evidence.ErrFormat) || run != nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want ErrFormat with the path and %q", c.name, err, c.says)
		}
	}
	if _, err := evidence.Read(t.TempDir()); !errors.Is(err, evidence.ErrFormat) {
		t.Errorf("a folder: %v, want ErrFormat", err)
	}
	for _, device := range []string{"/dev/zero", "/dev/null"} { // reading the first would never end
		if _, err := evidence.Read(device); !errors.Is(err, evidence.ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", device, err)
		}
	}
}

// Whatever it is given, it is ErrFormat or a run that can be computed from, and
// never a panic.
func FuzzVerifySummary(f *testing.F) {
	whole := text(f, made())
	f.Add(whole)
	f.Add([]byte(strings.Replace(string(whole), `"p50": `, `"p50": 1`, 1)))
	f.Add([]byte(`{"schema":1,"plan":{"name":"x","n":[1],"rounds":1,"keys":1},"metrics":[{"name":""}]}`))
	f.Add([]byte(`{"schema":1,"plan":{"name":"x","n":[1],"rounds":1,"keys":1,"durability":"process-crash"},"arms":[{"name":"a"}],` +
		`"metrics":[{"name":"é","unit":"s"}],"series":[{"arm":"a","n":1,"metric":"é","unit":"s","work":1,"samples":[1e-308]}],"comparisons":[{"role":"headline","a":"a","b":"a","metrics":["é"]}]}`))
	grown := text(f, grownRun())
	f.Add(grown)
	f.Add([]byte(strings.Replace(string(grown), `"against": "dump"`, `"against": "disk"`, 1)))
	for _, name := range []string{schema1, schema2} {
		f.Add(read(f, name))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		run, err := evidence.VerifySummary(text)
		switch {
		case err == nil && run == nil:
			t.Error("no run and no error")
		case err != nil && !errors.Is(err, evidence.ErrFormat) && !errors.Is(err, evidence.ErrAltered):
			t.Errorf("%v is neither ErrFormat nor ErrAltered", err)
		}
	})
}
