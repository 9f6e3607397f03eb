package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
	"shelflab/labkit/show"
)

// recordedTrials records a part of the run in dir, beside it: kills of an arm that
// keeps everything, and of one that does not.
func recordedTrials(t *testing.T, dir string) *evidence.Run {
	t.Helper()
	whole, err := readEvidence(dir)
	must(t, err)
	plan := whole.Plan.Part("kill", "items", 40)
	arms := []labkit.Arm{{Name: "shelf", Pair: "ours"}, {Name: "log, buffered", Pair: "unsafe"}}
	rec, err := evidence.Record(filepath.Join(filepath.Dir(dir), plan.Name), plan, arms, nil)
	must(t, err)
	defer rec.Close()
	var list []labkit.Series
	for i, arm := range arms {
		add := func(m labkit.Metric, samples ...float64) {
			list = append(list, labkit.Series{Arm: arm.Name, N: 40, Metric: m.Name, Unit: m.RawUnit(), Work: 1, Samples: samples})
		}
		add(labkit.Acknowledged, 210, 311, 412, 513, 614)
		add(labkit.Lost, 0, float64(17*i), 0, float64(23*i), 0)
		add(labkit.Torn, 0, 0, 0, 0, 0)
	}
	must(t, rec.Keep(40, list))
	return rec.Run()
}

// What cells show of trials is checked to the last number.
func TestVerifyTrialsOfThePage(t *testing.T) {
	dir := recorded(t, 1, nil)
	part := recordedTrials(t, dir)
	run, err := readEvidence(dir)
	must(t, err)
	nb := notebook.New()
	for id, html := range map[string]string{"verdict": show.VerdictHTML(run, part), "trials": show.Trials(part).HTML()} {
		nb.Cells = append(nb.Cells, &notebook.Cell{ID: id, Kind: notebook.Code, Source: "%%\n// " + id, Outputs: []*notebook.Output{
			{Type: notebook.DisplayData, Data: map[string]any{"text/html": html}},
		}})
	}
	must(t, writePage(nb, dir, "made", reproduce("made", map[string]string{"rounds": "5"}), time.Now(), false))
	must(t, evidence.WriteManifest(dir))
	path := filepath.Join(dir, "made.html")
	if code, _, stderr := lab(t, "verify", path, dir); code != exitOK {
		t.Fatalf("as it is: exit code %d\n%s", code, stderr)
	}
	page := read(t, path)
	want := expectedOf(t, page)
	for _, c := range []struct{ id, old, new string }{
		{"trials", "2 of 5", "0 of 5"}, // kills that lost something
		{"trials", "40 writes", "4 writes"},
		{"trials", ">2,060<", ">9,060<"},
		{"trials", "Torn: values", "Torn: no values"}, // what it counts
		{"verdict", "2 lost acknowledged writes", "none lost acknowledged writes"},
		{"verdict", "40 of them lost", "4 of them lost"},
	} {
		_, rest, _ := strings.Cut(page, `id="cell-`+c.id+`"`)
		section, _, _ := strings.Cut(rest, "</section>")
		if !strings.Contains(section, c.old) {
			t.Fatalf("there is no %q to change in %s", c.old, section)
		}
		edited := strings.Replace(page, section, strings.Replace(section, c.old, c.new, 1), 1)
		lines, _, err := want.faults([]byte(edited))
		if err != nil || !strings.Contains(strings.Join(lines, "\n"), "cell-"+c.id+": ") {
			t.Errorf("%q in place of %q: %q, %v", c.new, c.old, lines, err)
		}
	}
}
