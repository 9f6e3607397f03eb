package evidence_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestRecordRefusesArms(t *testing.T) {
	for name, list := range map[string][]labkit.Arm{
		"no name":  {{What: "something"}},
		"twice":    {{Name: "a"}, {Name: "a"}},
		"too many": make([]labkit.Arm, 101),
	} {
		dir := t.TempDir()
		if _, err := evidence.Record(dir, plan(), list, nil); !errors.Is(err, evidence.ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", name, err)
		}
		rec, err := evidence.Record(dir, plan(), arms(), nil) // the lock was given back
		if err != nil {
			t.Errorf("%s: afterwards: %v", name, err)
			continue
		}
		rec.Close()
	}
	odd := headline("write")
	odd.Role = "hero"
	if _, err := evidence.Record(t.TempDir(), plan(), arms(), []evidence.Comparison{odd}); !errors.Is(err, evidence.ErrFormat) {
		t.Errorf("a comparison of no role: %v, want ErrFormat", err)
	}
}

func TestRecordWhereThereIsNoFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, nil)
	if _, err := evidence.Record(filepath.Join(path, "run"), plan(), arms(), nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("below a file: %v, want an error that names it", err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".lock"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := evidence.Record(dir, plan(), arms(), nil); err == nil || errors.Is(err, evidence.ErrBusy) || !strings.Contains(err.Error(), dir) {
		t.Errorf("with a folder for a lock: %v, want an error that names it", err)
	}
}

// A ratio of times that no machine can have must not reach a file as infinite.
func TestRatiosThatOverflowAreRefused(t *testing.T) {
	run := made()
	run.Plan.N = []int{500}
	run.Comparisons = []evidence.Comparison{headline("gets")}
	run.Series = []labkit.Series{series("blob", 500, labkit.Gets, 1e-300), series("shelf, bulk", 500, labkit.Gets, 1e300)}
	if _, err := run.Compute(); !errors.Is(err, labkit.ErrSamples) || !strings.Contains(err.Error(), "blob against shelf, bulk, n = 500, gets") {
		t.Errorf("%v, want ErrSamples that names the comparison", err)
	}
	run.Comparisons = nil
	good := string(text(t, run))
	bent := strings.Replace(good, `"comparisons": null`, `"comparisons": [{"role": "headline", "a": "blob", "b": "shelf, bulk", "metrics": ["gets"]}]`, 1)
	if bent == good {
		t.Fatal("nothing was changed")
	}
	if _, err := evidence.VerifySummary([]byte(bent)); !errors.Is(err, evidence.ErrAltered) {
		t.Errorf("%v, want ErrAltered", err)
	}
	path := filepath.Join(t.TempDir(), evidence.SummaryName)
	write(t, path, []byte(bent))
	if _, err := evidence.Load(filepath.Dir(path), run.Plan); !errors.Is(err, evidence.ErrFormat) {
		t.Errorf("Load: %v, want ErrFormat", err)
	}
	rec := record(t, filepath.Dir(path), run.Plan, arms(), headline("gets")) // measuring begins all the same
	if got := asides(t, filepath.Dir(path)); len(rec.Run().Series) != 0 || len(got) != 1 {
		t.Errorf("%d series, %q set aside", len(rec.Run().Series), got)
	}
}

// A file that is too large to be one of ours is not read into memory.
func TestHugeFilesAreRefused(t *testing.T) {
	for _, name := range []string{evidence.SummaryName, evidence.BenchName, evidence.ManifestName} {
		dir := folder(t)
		path := filepath.Join(dir, name)
		if err := os.Truncate(path, 1<<40); err != nil { // sparse
			t.Fatal(err)
		}
		if err := evidence.Verify(dir); !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want ErrFormat", name, err)
		}
	}
	path := filepath.Join(t.TempDir(), evidence.SummaryName)
	write(t, path, nil)
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Fatal(err)
	}
	if _, err := evidence.Read(path); !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), "more than the 67.1 MB") {
		t.Errorf("%v, want ErrFormat with both sizes", err)
	}
}

// A small file of very many empty values, which would fill the memory, is not
// taken apart.
func TestTooManyValuesAreRefused(t *testing.T) {
	good := string(text(t, made()))
	for _, empty := range []string{"{}", "null"} {
		bomb := strings.Replace(good, `"series": [`, `"series": [`+strings.Repeat(empty+",", 4_000_000), 1)
		if _, err := evidence.VerifySummary([]byte(bomb)); !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), "values, more than the 4,000,000 that evidence may have") {
			t.Errorf("%s: %v, want ErrFormat with both numbers", empty, err)
		}
	}
}

// What a made-up file calls its arms does not reach the terminal as it is.
func TestErrorsAreTame(t *testing.T) {
	bent := strings.Replace(string(text(t, made())), `"arm": "blob"`, `"arm": "\u001b[2Jgone\r\n"`, 1)
	_, err := evidence.VerifySummary([]byte(bent))
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\r") || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(err.Error(), "?[2Jgone??") {
		t.Errorf("the error reads %q", err)
	}
}

// More series than arms, metrics and sizes allow are not even looked at.
func TestMoreSeriesThanThereCanBe(t *testing.T) {
	run := made()
	run.Series = slices.Repeat(run.Series, 2)
	if _, err := run.Compute(); !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), "56 series are more than a run can have") {
		t.Errorf("%v, want ErrFormat", err)
	}
}

// Where the earlier sizes were measured is covered by the digest too.
func TestVerifyCoversEarlier(t *testing.T) {
	run := made()
	e := run.Environment
	e.Commit = "fedcba9876543210"
	run.Earlier = []evidence.Earlier{{N: []int{500}, Environment: e}}
	good := string(text(t, run))
	if _, err := evidence.VerifySummary([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, edit := range [][2]string{
		{"fedcba9876543210", "fedcba9876543211"},
		{"\"earlier\": [\n  {\"n\": [500", "\"earlier\": [\n  {\"n\": [2000"},
	} {
		bent := strings.Replace(good, edit[0], edit[1], 1)
		if bent == good {
			t.Fatalf("there is no %q to change", edit[0])
		}
		if _, err := evidence.VerifySummary([]byte(bent)); !errors.Is(err, evidence.ErrAltered) || !strings.Contains(err.Error(), "digest: it does not fit") {
			t.Errorf("%q: %v, want ErrAltered", edit[1], err)
		}
	}
}

// Three sittings, each after an update of Go: every size has its own.
func TestEarlierSittingsAddUp(t *testing.T) {
	dir := t.TempDir()
	p := plan()
	p.N = []int{500, 2000, 8000}
	run := made()
	run.Plan, run.Metrics, run.Series = p, labkit.AllMetrics(), append(sample(500), sample(2000)...)
	run.Environment = evidence.Look(dir)
	run.Environment.Go = "go1.26.1"
	first := run.Environment
	first.Go = "go1.26.0"
	run.Earlier = []evidence.Earlier{{N: []int{500}, Environment: first}}
	write(t, filepath.Join(dir, evidence.SummaryName), text(t, run))
	got := keep(t, dir, p, 8000, sample(8000)).Earlier
	if len(got) != 2 || !slices.Equal(got[0].N, []int{500}) || got[0].Environment.Go != "go1.26.0" ||
		!slices.Equal(got[1].N, []int{2000}) || got[1].Environment.Go != "go1.26.1" {
		t.Errorf("earlier: %+v", got)
	}
	got = keep(t, dir, p, 2000, sample(2000)).Earlier
	if len(got) != 1 || !slices.Equal(got[0].N, []int{500}) {
		t.Errorf("after 2,000 was measured again: %+v", got)
	}
}
