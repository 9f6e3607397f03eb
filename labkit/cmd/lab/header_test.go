package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

func TestHeader(t *testing.T) {
	run, err := readEvidence(recorded(t, 1, nil))
	must(t, err)
	run.Environment = evidence.Environment{
		OS: "linux", Arch: "amd64", CPU: "<b>Made-up</b> CPU", CPUs: 4, Memory: 8e9, FileSystem: "ext4", LoadBefore: 0.25, LoadAfter: 1.5,
		Go: "go1.26.0", GOMAXPROCS: 4, GOGC: "100", Commit: "0123456789abcdef0123", Dirty: true,
	}
	run.Started = time.Date(2026, 1, 2, 23, 59, 0, 0, time.UTC)
	run.Updated = run.Started.Add(2 * time.Minute)
	got, err := header(run, nil, "go tool lab run made", "")
	must(t, err)
	for _, want := range []string{
		"blob or shelf, bulk", "<code>go tool lab run made</code>", "made: n = 500; 5 rounds", "2026-01-02 23:59:00 to 2026-01-03 00:01:00 UTC",
		"&lt;b&gt;Made-up&lt;/b&gt; CPU, 4 cores, 8.00 GB of memory, linux/amd64, ext4, load 0.25 before and 1.50 after",
		"go1.26.0, GOMAXPROCS 4, GOGC 100, commit 0123456789ab with changes",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	// What is not known is left out, not shown as nothing.
	run.Environment, run.Complete = evidence.Environment{}, false
	got, err = header(run, nil, "go tool lab run made", noteFailed)
	must(t, err)
	for want, there := range map[string]bool{"0 cores": false, "of memory": false, "GOGC": false, "(incomplete)": true, noteFailed: true, "Verdict of an incomplete run": true} {
		if strings.Contains(got, want) != there {
			t.Errorf("%q there: %t, want %t in\n%s", want, !there, there, got)
		}
	}
	got, err = header(nil, nil, "go tool lab run made", noteNone)
	must(t, err)
	if !strings.Contains(got, noteNone) || strings.Contains(got, "Plan") || strings.Contains(got, "Machine") {
		t.Errorf("without a run:\n%s", got)
	}
}

// A page is headed by what its own notebook measured, or says why it is not.
func TestPageOfNotebook(t *testing.T) {
	dir := recorded(t, 1, nil)
	none, broken := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(broken, evidence.SummaryName), []byte("{"), 0o644))
	before, after := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	for _, c := range []struct {
		name, dir string
		started   time.Time
		failed    bool
		note      string
		shown     bool
	}{
		{"measured", dir, before, false, "", true},
		{"drawn from an earlier run", dir, after, false, "", true},
		{"failed after it had measured", dir, before, true, noteFailed, true},
		{"failed before it had measured", dir, after, true, noteEarlier, false},
		{"nothing measured", none, before, false, noteNone, false},
		{"broken", broken, before, false, noteUnreadable, false},
	} {
		run, note, err := ofNotebook(c.dir, c.started, c.failed)
		if err != nil || note != c.note || (run != nil) != c.shown {
			t.Errorf("%s: note %q, shown %t, %v; want %q, %t", c.name, note, run != nil, err, c.note, c.shown)
		}
		must(t, writePage(notebook.New(), c.dir, "page", "go tool lab run page", c.started, c.failed))
		if page := read(t, filepath.Join(c.dir, "page.html")); !strings.Contains(page, "go tool lab run page") || strings.Contains(page, "attachment") != c.shown {
			t.Errorf("%s: the page\n%s", c.name, page)
		}
	}
}

func TestReproduce(t *testing.T) {
	got := reproduce("my notebook", map[string]string{"n": "500,2000", "what": "it's <b>"})
	if want := `go tool lab run 'my notebook' -p n=500,2000 -p 'what=it'\''s <b>'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	plan := labkit.Plan{Name: "made", N: []int{500, 2000}, Rounds: 5, Keys: 20, Seed: 1}
	for command, want := range map[string]bool{
		"go tool lab run 01":                             true,
		"go tool lab run 01 -p n=500,2000 -p rounds=5":   true,
		"go tool lab run 01 -p own=value -p 'what=it a'": true,
		"go tool lab run 01 -p n=500":                    false,
		"go tool lab run 01 -p rounds=5 -p keys=21":      false,
		"go tool lab run 01 -p rounds=many":              false,
		"rm -r data":                                     false,
	} {
		if fits(command, plan) != want {
			t.Errorf("%s: fits %t, want %t", command, !want, want)
		}
	}
	plan.Records, plan.Key, plan.RecordsSHA256 = "../nowhere/my.jsonl", "id", strings.Repeat("0", 64) // a file of another machine
	for command, want := range map[string]bool{
		"go tool lab run 01 -p key=id -p n=500,2000 -p records=my.jsonl":                     true,
		"go tool lab run 01 -p key=id -p records=/elsewhere/my.jsonl -p skip-bad=0":          true,
		"go tool lab run 01 -p n=500 -p key=id -p records=my.jsonl":                          false,
		"go tool lab run 01 -p key=name -p records=my.jsonl":                                 false,
		"go tool lab run 01 -p key=id -p records=" + filepath.Join(t.TempDir(), "other.csv"): false,
		"go tool lab run 01 -p key=id -p records=my.jsonl -p skip-bad=true":                  false,
	} {
		if fits(command, plan) != want {
			t.Errorf("%s: fits %t, want %t", command, !want, want)
		}
	}
}
