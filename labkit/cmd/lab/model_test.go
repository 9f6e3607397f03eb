package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/chart"
	"shelflab/labkit/cost"
	"shelflab/labkit/evidence"
	"shelflab/labkit/evidence/madeup"
	"shelflab/labkit/notebook"
	"shelflab/labkit/show"
)

// pageOfModel writes the page of a run with parts that a model is fitted to, as a
// notebook would show it, and returns its folder and path.
func pageOfModel(t *testing.T) (dir, path string) {
	t.Helper()
	out := t.TempDir()
	whole, parts := madeup.Runs(5, 1.2)
	for _, made := range append(parts, whole) {
		rec, err := evidence.Record(filepath.Join(out, made.Plan.Name), made.Plan, made.Arms, nil)
		must(t, err)
		for _, n := range made.Plan.N {
			var series []labkit.Series
			for _, s := range made.Series {
				if s.N == n {
					series = append(series, s)
				}
			}
			must(t, rec.Keep(n, series))
		}
		must(t, rec.Close())
	}
	dir = filepath.Join(out, whole.Plan.Name)
	run, err := readEvidence(dir)
	must(t, err)
	parts = evidence.Parts(out, run.Plan)
	if len(parts) != 7 {
		t.Fatalf("%d parts", len(parts))
	}
	m, err := evidence.ModelOf(run, parts...)
	must(t, err)
	nb := notebook.New()
	display := func(id, html string) {
		nb.Cells = append(nb.Cells, &notebook.Cell{ID: id, Kind: notebook.Code, Source: "%%\n// " + id, Outputs: []*notebook.Output{
			{Type: notebook.DisplayData, Data: map[string]any{"text/html": html}},
		}})
	}
	display("formulas", show.Formulas(m).HTML())
	display("held-out", show.HeldOut(m).HTML())
	display("day", show.Day(m, cost.Day{N: 50_000, Record: 200.5, Writes: 2, Opens: 10, Gets: 20_000, Updates: 100}).HTML())
	display("cheapest", show.Cheapest(m).HTML())
	for i, record := range m.Records {
		other := *m
		other.Record = record
		c, err := chart.Map(&other)
		must(t, err)
		must(t, c.Save(dir))
		display("map-"+string(rune('a'+i)), `<div style="max-width:860px">`+string(c.SVG)+`</div>`)
	}
	display("verdict", show.VerdictHTML(run, parts...))
	must(t, writePage(nb, dir, "made", reproduce("made", map[string]string{"rounds": "5"}), time.Now(), false))
	must(t, evidence.WriteManifest(dir))
	return dir, filepath.Join(dir, "made.html")
}

// A page carries the samples that its map, its formulas and its calculator follow
// from, so all of them are checked.
func TestVerifyTheModelOfThePage(t *testing.T) {
	dir, path := pageOfModel(t)
	page := read(t, path)
	if code, _, stderr := lab(t, "verify", path, dir); code != exitOK {
		t.Fatalf("as it is: exit code %d\n%s", code, stderr)
	}
	head, _, _ := strings.Cut(page, "</header>")
	for _, want := range []string{"Which store: the cost model", "is the cheapest up to k = ", "held-out points"} {
		if !strings.Contains(head, want) {
			t.Errorf("no %q in the head", want)
		}
	}
	want := expectedOf(t, page)
	for _, c := range []struct{ name, id, old, new string }{
		{"an arm in the ranking", "day", ">shelf, bulk<", ">plain gob<"},
		{"the day", "day", "full writes 2", "full writes 3"},
		{"a heading", "formulas", "per record × n", "per record + n"},
		{"a crossover", "verdict", "is the cheapest up to k = ", "is the cheapest up to k = 9"},
		{"a share of the map", "map-a", "indexed blob, ", "indexed blob, 9"},
		{"a held-out point", "held-out", "within ", "outside of "},
	} {
		_, rest, _ := strings.Cut(page, `id="cell-`+c.id+`"`)
		section, _, _ := strings.Cut(rest, "</section>")
		if !strings.Contains(section, c.old) {
			t.Fatalf("%s: there is no %q to change", c.name, c.old)
		}
		edited := strings.Replace(page, section, strings.Replace(section, c.old, c.new, 1), 1)
		lines, _, err := want.faults([]byte(edited))
		if err != nil || !strings.Contains(strings.Join(lines, "\n"), "cell-"+c.id+": ") {
			t.Errorf("%s: %q, %v", c.name, lines, err)
		}
	}
}
