package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestIndex(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, run string) string {
		to := filepath.Join(dir, name)
		must(t, os.Rename(run, to))
		return to
	}
	whole := recorded(t, 1, nil)
	pageOf(t, whole)
	put("made", whole)
	put("a <b>name<b> #1?", recorded(t, 1, nil))
	half := recorded(t, 1, nil)
	rec, err := evidence.Record(half, labkit.Plan{Name: "made", N: []int{500, 900}, Rounds: 5, Keys: 20, Seed: 1}, []labkit.Arm{{Name: "<script>alert(1)</script>"}}, nil)
	must(t, err)
	must(t, rec.Keep(500, []labkit.Series{{Arm: "<script>alert(1)</script>", N: 500, Metric: "write", Unit: "s", Work: 500, Samples: []float64{1}}}))
	must(t, rec.Close())
	put("half", half)
	edited := put("edited", recorded(t, 1, nil))
	summary := filepath.Join(edited, evidence.SummaryName)
	must(t, os.WriteFile(summary, []byte(strings.Replace(read(t, summary), "times as fast", "<script>times</script> as slow", 1)), 0o644))
	for name, text := range map[string]string{"cut": `{"schema": 1, `, "foreign": `{"a": 1}`} {
		must(t, os.Mkdir(filepath.Join(dir, name), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name, evidence.SummaryName), []byte(text), 0o644))
	}
	must(t, os.MkdirAll(filepath.Join(dir, "directory", evidence.SummaryName), 0o755))
	must(t, os.Mkdir(filepath.Join(dir, "no evidence"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "a file"), nil, 0o644))
	must(t, os.Symlink(whole, filepath.Join(dir, "elsewhere")))

	code, stdout, stderr := lab(t, "index", dir)
	if code != exitOK || strings.TrimSpace(stdout) != filepath.Join(dir, "index.html") {
		t.Fatalf("exit code %d, %q, %s", code, stdout, stderr)
	}
	page := read(t, filepath.Join(dir, "index.html"))
	section := func(name string) string {
		_, rest, ok := strings.Cut(page, name+"</a></h2>")
		if !ok {
			_, rest, ok = strings.Cut(page, "<h2>"+name+"</h2>")
		}
		part, _, _ := strings.Cut(rest, "<h2>")
		if !ok {
			t.Errorf("%s is not listed", name)
		}
		return part
	}
	for name, want := range map[string][]string{
		"made":                         {"made: n = 500; 5 rounds", "complete", "Ours, n = 500, blob against shelf, bulk: write: blob is 2.0", `href="./made/summary.json"`},
		"half":                         {"<strong>incomplete</strong>", "No verdict: nothing has been compared."},
		"edited":                       {"<strong>Broken.</strong>", "does not agree with its samples", "as slow"},
		"cut":                          {"<strong>Broken.</strong>", "not readable as evidence"},
		"foreign":                      {"<strong>Broken.</strong>", "not readable as evidence"},
		"directory":                    {"<strong>Broken.</strong>", "summary.json is no file"},
		"a &lt;b&gt;name&lt;b&gt; #1?": {`href="./a%20%3Cb%3Ename%3Cb%3E%20%231%3F/summary.json"`},
	} {
		for _, w := range want {
			if part := section(name); !strings.Contains(part, w) {
				t.Errorf("%s: no %q in\n%s", name, w, part)
			}
		}
	}
	if !strings.Contains(page, `<a href="./made/made.html">made</a>`) {
		t.Error("the page of a run is not linked")
	}
	for _, bad := range []string{"<script", "no evidence", "a file", "elsewhere", dir} {
		if strings.Contains(page, bad) {
			t.Errorf("the index holds %q", bad)
		}
	}
	before := page
	must(t, writeIndex(dir))
	if after := read(t, filepath.Join(dir, "index.html")); after != before {
		t.Error("the index of the same runs is another")
	}
}

func TestIndexOfNothing(t *testing.T) {
	dir := t.TempDir()
	if code, _, stderr := lab(t, "index", dir); code != exitOK || !strings.Contains(read(t, filepath.Join(dir, "index.html")), "There is none in this folder yet") {
		t.Errorf("an empty folder: exit code %d, %s", code, stderr)
	}
	if code, _, stderr := lab(t, "index", filepath.Join(dir, "nowhere")); code != exitFailed || !strings.Contains(stderr, "no such file") {
		t.Errorf("no folder: exit code %d, %s", code, stderr)
	}
}
