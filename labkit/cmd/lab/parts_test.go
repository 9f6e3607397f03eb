package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/chart"
	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
	"shelflab/labkit/show"
)

// recordedPart records a part of the run in dir, beside it: a whole value at
// three sizes, with what it takes besides time, growths, and load against dump.
func recordedPart(t *testing.T, dir string) *evidence.Run {
	t.Helper()
	whole, err := readEvidence(dir)
	must(t, err)
	plan := whole.Plan.Part("items", "items", 10, 100, 1000)
	arms := []labkit.Arm{{Name: "plain gob", Kind: "snapshot", Pair: "plain"}, {Name: "blob", Kind: "snapshot", Pair: "ours"}}
	growth, live := labkit.PeakGrowth.Of(labkit.Load), labkit.LiveHeap.Of(labkit.Load)
	rec, err := evidence.Record(filepath.Join(filepath.Dir(dir), plan.Name), plan, arms, []labkit.Comparison{
		{Role: labkit.Headline, Label: "loading", A: "plain gob", B: "plain gob", Metrics: []string{"load"}, Against: "dump"},
		{Role: labkit.Headline, Label: "the blob", A: "blob", B: "plain gob", Metrics: []string{"dump", "load", growth.Name}},
		{Role: labkit.Growth, A: "plain gob", B: "plain gob", Metrics: []string{"load"}},
	})
	must(t, err)
	defer rec.Close()
	for _, n := range plan.N {
		var rounds, resources []labkit.Series
		for i, arm := range arms {
			series := func(m labkit.Metric, work int, x float64) labkit.Series {
				s := labkit.Series{Arm: arm.Name, N: n, Metric: m.Name, Unit: m.RawUnit(), Work: work}
				for round := range plan.Rounds {
					s.Samples = append(s.Samples, math.Round(x*(1+0.01*float64(round*(i+2)%7))*1e9)/1e9)
				}
				return s
			}
			size := float64(n) / float64(i+1)
			rounds = append(rounds, series(labkit.Dump, n, 1e-4*size), series(labkit.Load, n, 3e-4*size), series(labkit.Disk, 0, 4096*size))
			resources = append(resources, series(growth, 0, 20480*size), series(live, 0, 8192*size))
		}
		must(t, rec.Keep(n, rounds))
		must(t, rec.KeepGroup(n, labkit.Resources, resources, nil))
	}
	return rec.Run()
}

// pageOfParts writes the page of a run with a part, as a notebook would show it.
func pageOfParts(t *testing.T) (dir, path string) {
	t.Helper()
	dir = recorded(t, 1, nil)
	part := recordedPart(t, dir)
	run, err := readEvidence(dir)
	must(t, err)
	nb := notebook.New()
	display := func(id, html string) {
		nb.Cells = append(nb.Cells, &notebook.Cell{ID: id, Kind: notebook.Code, Source: "%%\n// " + id, Outputs: []*notebook.Output{
			{Type: notebook.DisplayData, Data: map[string]any{"text/html": html}},
		}})
	}
	growth := labkit.PeakGrowth.Of(labkit.Load)
	display("verdict", show.VerdictHTML(run, part))
	display("lead", show.Lead(part, 1000).HTML())
	display("by-n", show.ByN(part, labkit.Load).HTML())
	display("by-n-memory", show.ByN(part, growth).HTML())
	display("growth", show.Growth(part).HTML())
	display("memory", show.Memory(part, labkit.Load).HTML())
	display("ratios", show.Ratios(part).HTML())
	display("beside", show.Beside(part, "A report of 1999", figures()).HTML())
	for i, draw := range []func() (chart.Chart, error){
		func() (chart.Chart, error) { return chart.Scale(part, labkit.Load) },
		func() (chart.Chart, error) { return chart.Scale(part, growth) },
		func() (chart.Chart, error) { return chart.Bars(part, 1000, labkit.Dump, labkit.Load) },
		func() (chart.Chart, error) { return chart.Bars(part, 100, growth) },
	} {
		c, err := draw()
		must(t, err)
		must(t, c.Save(dir))
		display(fmt.Sprintf("chart-%d", i), `<div style="max-width:860px">`+string(c.SVG)+`</div>`)
	}
	must(t, writePage(nb, dir, "made", reproduce("made", map[string]string{"rounds": "5"}), time.Now(), false))
	must(t, evidence.WriteManifest(dir))
	return dir, filepath.Join(dir, "made.html")
}

func figures() []show.Figure {
	return []show.Figure{
		{N: 10, Arm: "plain gob", Metric: "load", Value: 0.117, Source: "on a 400 MHz G4"},
		{N: 1000, Arm: "plain gob", Metric: "load", Value: 8.187, Source: "on a 400 MHz G4"},
		{N: 1000, Arm: "blob", Metric: "disk", Value: 979971},
		{N: 10_000, Arm: "plain gob", Metric: "load", Value: 133.907},
	}
}

// A page carries its parts, shows their verdicts at its head, and everything that
// cells show of a part is checked as what they show of the run.
func TestVerifyPartsOfThePage(t *testing.T) {
	dir, path := pageOfParts(t)
	page := read(t, path)
	if code, _, stderr := lab(t, "verify", path, dir); code != exitOK {
		t.Fatalf("as it is: exit code %d\n%s", code, stderr)
	}
	head, _, _ := strings.Cut(page, "</header>")
	for _, want := range []string{"<summary>Part: items</summary>", "n = 1,000 items", "load takes 3.00 times as long as dump", "linear as far as can be seen"} {
		if !strings.Contains(head, want) {
			t.Errorf("no %q in the head", want)
		}
	}
	if attachedTo(t, page, "items-summary.json") == nil {
		t.Error("the part is not attached")
	}
	between := func(from, to string) string {
		_, rest, _ := strings.Cut(page, from)
		part, _, ok := strings.Cut(rest, to)
		if !ok {
			t.Fatalf("the page has no %q to %q", from, to)
		}
		return part
	}
	section := func(id string) string { return between(`id="cell-`+id+`"`, "</section>") }
	in := func(part, old, new string) string {
		if !strings.Contains(part, old) {
			t.Fatalf("no %q in %s", old, part)
		}
		return strings.Replace(page, part, strings.Replace(part, old, new, 1), 1)
	}
	want := expectedOf(t, page)
	for _, c := range []struct{ name, page, says string }{
		{"a sentence of a part in the head", in(between("<header>", "</header>"), "3.00 times as long", "2.00 times as long"), "the head: "},
		{"a sentence of a part in the verdict", in(section("verdict"), "3.00 times as long", "2.00 times as long"), "cell-verdict: the verdict"},
		{"the lead table of a part", in(section("lead"), "4.18 MB", "4.28 MB"), "cell-lead: the lead table at n = 1,000 of the part items: "},
		{"a metric over n", in(section("by-n"), "306 ms", "206 ms"), "cell-by-n: the table of load over n of the part items: "},
		{"a resource over n", in(section("by-n-memory"), "20.9 MB", "20.8 MB"), "cell-by-n-memory: the table of load, peak growth over n of the part items: "},
		{"an exponent", in(section("growth"), ">1.00<", ">1.20<"), "cell-growth: the table of growths of the part items: "},
		{"what it means", in(section("growth"), "linear as far", "more as far"), "cell-growth: the table of growths of the part items: "},
		{"memory", in(section("memory"), ">5.00<", ">2.00<"), "cell-memory: the table of the memory of load of the part items: "},
		{"where memory is full", in(section("memory"), "of this machine at about", "of this machine at least at"), "cell-memory: the notes of the table of the memory of load"},
		{"a ratio", in(section("ratios"), ">3.00<", ">4.00<"), "cell-ratios: the table of ratios of the part items: "},
		{"our value beside a published one", in(section("beside"), "306 ms", "206 ms"), "cell-beside: the table of published figures: "},
		{"how many times", in(section("beside"), ">26.8<", ">28.8<"), "cell-beside: the table of published figures: "},
		{"a dash", in(section("beside"), ">–<", ">9.00 s<"), "cell-beside: the table of published figures: "},
		{"an n", in(section("beside"), ">1,000<", ">one thousand<"), "cell-beside: the table of published figures: "},
		{"a note to it", in(section("beside"), "not measured here", "measured here"), "cell-beside: the table of published figures: "},
		{"a row beside it", in(section("beside"), "</tbody>", "<tr><td>all is well</td></tr></tbody>"), "cell-beside: the table of published figures: "},
		{"a text beside it", in(section("beside"), "<table", "all is well <table"), "cell-beside: the table of published figures: "},
		{"a chart over n", in(section("chart-0"), "306 ms", "206 ms"), "cell-chart-0: the chart \"Load, seconds over n"},
		{"a chart of memory", in(section("chart-1"), ">1,000<", ">1,001<"), "cell-chart-1: the chart \"Load, peak growth, bytes over n"},
		{"bars", in(section("chart-2"), ">plain gob<", ">plane gob<"), "cell-chart-2: the chart \"Dump and load at n = 1,000 items"},
		{"bars of memory, for the blind", in(section("chart-3"), "best first", "worst first"), "cell-chart-3: the chart \"Load, peak growth at n = 100 items"},
	} {
		lines, _, err := want.faults([]byte(c.page))
		if err != nil || !strings.Contains(strings.Join(lines, "\n"), c.says) {
			t.Errorf("%s: %v, want %q in\n%s", c.name, err, c.says, strings.Join(lines, "\n"))
		}
	}
	for name, edit := range map[string][2]string{
		"a sample": {`"samples": [`, `"samples": [` + "\n    9,"}, "a seed": {`"seed": 1,`, `"seed": 2,`}, "a name": {`"name": "made_items"`, `"name": "made_itemz"`},
	} {
		if lines, _, err := verifyPage([]byte(editAttached(t, page, "items-summary.json", edit[0], edit[1]))); err == nil && len(lines) == 0 {
			t.Errorf("%s in the attached summary of a part can be edited", name)
		}
	}
	renamed := strings.Replace(page, `download="items-summary.json.gz"`, `download="things-summary.json.gz"`, 1)
	if lines, _, err := verifyPage([]byte(renamed)); err != nil || !strings.Contains(strings.Join(lines, "\n"), "the attached things-summary.json is of another plan") {
		t.Errorf("a part under another name: %q, %v", lines, err)
	}
	// Charts in the folder are compared by their names.
	drawing := filepath.Join(filepath.Dir(dir), "made_items")
	c, err := chart.Bars(want.parts[0], 1000, labkit.Dump, labkit.Load)
	must(t, err)
	must(t, c.Save(drawing))
	must(t, evidence.WriteManifest(drawing))
	if code, _, stderr := lab(t, "verify", drawing); code != exitOK {
		t.Errorf("the folder of a part: exit code %d, %s", code, stderr)
	}
	svg := filepath.Join(drawing, evidence.ChartsName, c.Name+".svg")
	must(t, os.WriteFile(svg, []byte(strings.Replace(read(t, svg), ">blob<", ">blub<", 1)), 0o644))
	must(t, evidence.WriteManifest(drawing))
	if code, _, stderr := lab(t, "verify", drawing); code != exitFailed || !strings.Contains(stderr, c.Name+".svg: ") {
		t.Errorf("an edited chart of a part: exit code %d, %s", code, stderr)
	}
}

// A notebook that failed is not headed by parts that an earlier one has left.
func TestFailedPageLeavesEarlierPartsOut(t *testing.T) {
	dir, path := pageOfParts(t)
	for started, want := range map[time.Time]bool{time.Now().Add(-time.Hour): true, time.Now().Add(time.Hour): false} {
		must(t, writePage(notebook.New(), dir, "made", "go tool lab run made", started, true))
		if got := strings.Contains(read(t, path), "Part: items"); got != want {
			t.Errorf("started %v: the part is there: %v", started, got)
		}
	}
}

// Parts are listed below the run that they belong to, and parts of parts below
// those; a part without its whole stands by itself.
func TestIndexOfParts(t *testing.T) {
	dir := recorded(t, 1, nil)
	out := filepath.Dir(dir)
	recordedPart(t, dir)
	add := func(name string) {
		from := recorded(t, 1, func(p *labkit.Plan) { p.Name = name })
		must(t, os.Rename(from, filepath.Join(out, name)))
	}
	add("made_items_again")
	add("other_part")
	must(t, writeIndex(out))
	page := read(t, filepath.Join(out, "index.html"))
	var heads []string
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "<h2>") || strings.HasPrefix(line, "<h3>") {
			heads = append(heads, line)
		}
	}
	want := []string{"<h2>made</h2>", "<h3>Part: made_items</h3>", "<h3>Part: made_items_again</h3>", "<h2>other_part</h2>"}
	if strings.Join(heads, "") != strings.Join(want, "") {
		t.Errorf("%q, want %q", heads, want)
	}
	if strings.Count(page, "load takes 3.00 times as long as dump") != 1 {
		t.Error("the part's verdict is not listed once")
	}
}

// A notebook's run leaves a manifest for each of its parts, and what is printed
// at its end has their verdicts.
func TestRunSealsParts(t *testing.T) {
	dir := recorded(t, 1, nil)
	part := recordedPart(t, dir)
	j := job{name: "made"}
	must(t, j.save(notebook.New(), dir, func() error { return nil }))
	for _, sealed := range []string{dir, filepath.Join(filepath.Dir(dir), part.Plan.Name)} {
		if err := evidence.Verify(sealed); err != nil {
			t.Errorf("%s: %v", sealed, err)
		}
	}
	cmd := runCommand()
	var out strings.Builder
	cmd.SetOut(&out)
	must(t, j.report(cmd, dir))
	for _, want := range []string{"made: n = 500;", "made_items: n = 10,100,1000 items;", "  Loading, n = 1,000 items, plain gob: load takes 3.00 times as long as dump"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, evidence.SummaryName), []byte("{"), 0o644))
	if err := j.save(notebook.New(), dir, func() error { return nil }); err != nil {
		t.Errorf("evidence that cannot be read: %v", err)
	}
	if err := j.save(notebook.New(), t.TempDir(), func() error { return nil }); err != nil {
		t.Errorf("a notebook that has measured nothing: %v", err)
	}
}

func TestVerifyFindsEveryNumberOfParts(t *testing.T) {
	_, path := pageOfParts(t)
	if edits := everyNumber(t, read(t, path), "beside"); edits < 200 {
		t.Errorf("only %d texts with a number were found", edits)
	}
}
